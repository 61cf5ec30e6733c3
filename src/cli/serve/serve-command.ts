import { printUsageError } from '../shell/print-usage-error.js';
import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import path from 'node:path';
import { commandLine } from '../../base/sentence.js';
import { givenAgain } from '../print/page.js';
import { err, ok, type Result } from '../../base/result.js';
import { own } from '../../base/own.js';
import { type HttpServer, openHttpServer } from '../../http/http-server.js';
import { chooseTools } from '../../mcp/choose-tools.js';
import { serveHttp } from '../../mcp/http-sessions.js';
import { openRequests } from '../../requests/requests.js';
import type { RunCommand } from '../shell/command.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { folderOptions } from '../shell/folder-options.js';
import { printableLine } from '../print/printable.js';
import { openInBrowser } from './open-in-browser.js';
import type { ParsedOptions } from '../shell/parse-options.js';
import { requestsOptions } from '../shell/requests-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { askingSwitches, toolSwitches } from './tool-switches.js';

interface Address {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly token: string | undefined;
}

const defaultPort = 4747;

export const runServe: RunCommand = async (parsed, environment) => {
  const { env, err: say, version, workingFolder, packageFolder, platform } = environment;
  const log = (line: string): void => say(`workrail: ${line}`);
  const places = folderOptions(parsed, environment);
  const tools = chooseTools(toolSwitches(parsed, env), parsed.has('read-only'));
  const address = givenAddress(parsed, env);
  if (!places.ok || !tools.ok || !address.ok) {
    const wrong = [places, tools, address].flatMap((result) => (result.ok ? [] : [result.error]));
    return printUsageError(wrong.join('; '), 'serve', false, environment);
  }
  const workspace = places.value.workspace ?? workingFolder;
  const { workspace: folder, dataDir } = places.value;
  const where = givenAgain({ text: (name) => (name === 'workspace' ? folder : dataDir) });
  const command = (words: readonly string[]): string => commandLine(environment.program(), [...words, ...where]);
  const interrupted = environment.interrupted();
  const requests = openRequests({
    ...requestsOptions(environment, workspace, places.value.dataDir, tools.value, command),
    watch: true,
  });
  const serving = {
    version,
    tools: tools.value,
    legacyNames: parsed.has('legacy-tool-names'),
    structuredContent: parsed.has('structured-content'),
    ...askingSwitches(parsed),
    log,
  };
  const sessions = serveHttp(requests, serving, () => performance.now());
  const stdio = command(['mcp']);
  try {
    const server = await openHttpServer({
      ...address.value,
      people: requests.people,
      mcp: (request) => sessions.handle(request),
      pageFolder: path.join(packageFolder, 'dist', 'dashboard'),
      about: (origin) => ({
        version,
        workspace,
        platform,
        connect: { http: `${origin}/mcp`, stdio },
        program: environment.program(),
        where,
      }),
      now: environment.now,
      log,
    });
    // What is here is read while the browser starts.
    void requests.people.browseSessions({ limit: 1 });
    const page = announce(address.value, server, environment, command);
    if (parsed.has('open') && !(await openInBrowser(page, platform)))
      log(`could not open a browser; open ${page} yourself`);
    await until(interrupted);
    environment.out('Ending.');
    await sessions.close();
    await server.close();
    return exitCodes.done;
  } catch (cause) {
    return notListening(cause, address.value, say);
  } finally {
    await requests.close();
  }
};

function givenAddress(parsed: ParsedOptions, env: CliEnvironment['env']): Result<Address, string> {
  const { WORKRAIL_TOKEN = '' } = env;
  const port = parsed.text('port') ?? String(defaultPort);
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535)
    return err(`--port is a number up to 65535, not ${JSON.stringify(port)}`);
  const host = (parsed.text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  if (!/^[\w.:%-]+$/u.test(host)) return err(`--host is a name or an address, not ${JSON.stringify(host)}`);
  const given = parsed.text('token') ?? (WORKRAIL_TOKEN === '' ? undefined : WORKRAIL_TOKEN);
  if (given !== undefined && !/^[\w.~-]{16,200}$/u.test(given))
    return err('a token needs 16 to 200 characters of A-Z a-z 0-9 . _ ~ -');
  const token = given ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'));
  return ok({ host, port: Number(port), hosts: namesOf(host), token });
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);

/** What browsers will call us by. Where we listen everywhere, that is every address of the machine. */
function namesOf(host: string): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [inUrl(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((faces) =>
    (faces ?? []).map(({ address }) => inUrl(address.toLowerCase())),
  );
  return [...addresses, hostname().toLowerCase()];
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function announce(
  { host, hosts, token }: Address,
  { port }: HttpServer,
  environment: CliEnvironment,
  command: (words: readonly string[]) => string,
): string {
  const { style } = environment;
  const out = (line: string): void => environment.out(printableLine(line));
  const everywhere = host === '0.0.0.0' || host === '::';
  const shown = `http://${everywhere ? '127.0.0.1' : inUrl(host)}:${port}`;
  const page = token === undefined ? `${shown}/` : `${shown}/?token=${token}`;
  out(`${style.bold('WorkRail')} is at ${page}`);
  if (everywhere) out(`From other machines: ${hosts.map((name) => `http://${name}:${port}/`).join(', ')}`);
  if (token !== undefined)
    out('Open that address once per browser; it remembers the token. Programs send it as Authorization: Bearer.');
  out('');
  out('To connect an agent, such as Claude Code:');
  out(
    `  over HTTP   claude mcp add --transport http workrail ${shown}/mcp${token === undefined ? '' : ` --header "Authorization: Bearer ${token}"`}`,
  );
  out(`  over stdio  claude mcp add workrail -- ${command(['mcp'])}`);
  out(`Other clients: ${command(['init', '--client', '<name>'])}`);
  out('Press Ctrl-C to stop the server.');
  return page;
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // An open listener keeps no process; the server does.
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function notListening(cause: unknown, { host, port }: Address, say: (line: string) => void): ExitCode {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const told: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use, perhaps by another workrail serve; stop that one, or choose another port: --port 0 picks a free one`,
    EACCES: `no permission to use port ${port}; choose one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; pass another with --host, or leave it out`,
    ENOTFOUND: `${host} could not be resolved; pass another with --host, or leave it out`,
  };
  const words = typeof code === 'string' ? own(told, code) : undefined;
  if (words === undefined) throw cause;
  say(`workrail serve: ${words}`);
  return exitCodes.fault;
}
