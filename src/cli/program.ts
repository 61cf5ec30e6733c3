import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { limits } from '../base/limits.js';
import { isJsonObject } from '../base/json-value.js';
import { commandTable } from './command-table.js';
import { exitCodes } from './shell/exit-codes.js';
import { ownProgram } from './shell/own-program.js';
import { runCommandLine } from './shell/run-command-line.js';
import { styleFor } from './print/style.js';
import type { CliEnvironment } from './print/cli-environment.js';
import { watchWriting } from './shell/watch-writing.js';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

function drawEnvironment(): CliEnvironment {
  const stdoutIsTerminal = process.stdout.isTTY;
  return {
    env: process.env,
    workingFolder: process.cwd(),
    home: homedir(),
    platform: process.platform,
    nodePath: process.execPath,
    packageFolder,
    program: () => ownProgram({ env: process.env, packageFolder, platform: process.platform }),
    version: versionOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
    // Where there is none, the system says nothing of it.
    stdinIsTerminal: Boolean(process.stdin.isTTY),
    stdoutIsTerminal,
    stderrIsTerminal: Boolean(process.stderr.isTTY),
    columns: process.stdout.columns > 0 ? process.stdout.columns : 80,
    now: () => new Date(),
    stdin: process.stdin,
    stdout: process.stdout,
    progress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
    },
    interrupted: stopSignal,
    style: styleFor(stdoutIsTerminal, process.env),
    out: (line) => void process.stdout.write(`${line}\n`),
    err: sayOnStderr,
  };
}

/** Clients start servers and may never read what those log. What a command has to say waits for its reader. */
const isServer = process.argv[2] === 'mcp' || process.argv[2] === 'serve';

function sayOnStderr(line: string): void {
  if (!isServer || process.stderr.writableLength <= limits.unreadLog) process.stderr.write(`${line}\n`);
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

function versionOf(packageJson: string): string {
  const parsed: unknown = JSON.parse(packageJson);
  return isJsonObject(parsed) && typeof parsed['version'] === 'string' ? parsed['version'] : '0.0.0';
}

const written = watchWriting(process.stdout);
watchWriting(process.stderr);

// A file that may not grow any further (ulimit -f) fails the write, and that is answered; Node alone survives it only once.
process.on('SIGXFSZ', () => undefined);

async function finish(): Promise<number> {
  const code = await runCommandLine(process.argv.slice(2), commandTable, drawEnvironment());
  const refused = await written.finished();
  if (refused === undefined) return code;
  if (code !== exitCodes.fault)
    process.stderr.write(
      `workrail: the output could not be written completely (${refused.code ?? refused.message}). What was done stays done.\nNext: write the output to a place that is writable and has space\n`,
    );
  return exitCodes.fault;
}

try {
  process.exitCode = await finish();
} catch (cause) {
  process.stderr.write(`workrail: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
  process.exitCode = exitCodes.fault;
}
// A client waits for the end of a server; a handle that somebody forgot must not keep it, nor a log that nobody reads. What was written goes out first.
if (isServer) setTimeout(() => process.exit(), limits.lastBytesMs);
process.stderr.write('', () => process.exit());
