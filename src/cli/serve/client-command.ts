import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { commandLine } from '../../base/sentence.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import type { ParsedOptions } from '../shell/parse-options.js';
import { printUsageError } from '../shell/print-usage-error.js';
import { openPage } from '../print/page.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import type { Chosen } from './client-table.js';

/** A client that keeps its file itself is told by its own command, where that is here; else the command is named. */
export function throughItsCommand(
  { client, launch }: Chosen,
  parsed: ParsedOptions,
  environment: CliEnvironment,
): ExitCode {
  const undo = parsed.has('undo');
  const words = undo ? client.remove : client.add?.(launch);
  const program = words?.[0] === undefined ? undefined : programOnPath(words[0], environment);
  const page = openPage(environment, { given: parsed });
  if (words === undefined || program === undefined)
    return printUsageError(
      words === undefined
        ? `the path of the configuration file of ${client.title} is unknown; ${page.inline(['init', '--client', client.name])} prints the entry to add`
        : `${client.title} edits its own configuration, but ${words[0] ?? ''} is not on the PATH: run ${commandLine(words, [])} where it is, or use --project`,
      'init',
      parsed.has('json'),
      environment,
    );
  // It refuses a name that it knows.
  if (!undo && parsed.has('force') && client.remove !== undefined) run(program, client.remove, environment);
  const { status, said } = run(program, words, environment);
  if (status !== 0) {
    const errors = openPage(environment, { to: 'err', given: parsed });
    errors.say(`workrail init: ${commandLine(words, [])} failed: ${said}`);
    errors.say(
      `Next: ${undo ? `list its servers: ${words[0] ?? ''} mcp list` : `if it already has an entry of that name, replace it: ${errors.inline(['init', '--client', client.name, '--write', '--force'])}`}`,
    );
    return exitCodes.rejected;
  }
  if (parsed.has('json'))
    environment.out(
      JSON.stringify({ client: client.name, done: undo ? 'undone' : 'written', command: commandLine(words, []) }),
    );
  else {
    page.say(`Ran ${commandLine(words, [])}`);
    if (said !== '') page.say(said);
    page.say(undo ? `${client.title} no longer has a server named workrail.` : client.then);
  }
  return exitCodes.done;
}

const mostMs = 60_000;

function run(
  program: string,
  words: readonly string[],
  { env, workingFolder }: CliEnvironment,
): { readonly status: number; readonly said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, words.slice(1), {
    cwd: workingFolder,
    env,
    encoding: 'utf8',
    timeout: mostMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [stdout, stderr].map((text) => (text ?? '').trim()).filter((text) => text !== '');
  return { status: status ?? 1, said: error === undefined ? said.join('\n') : error.message };
}

/** Windows would need a shell to start a script, which takes words apart in its own way. */
function programOnPath(name: string, { env, platform }: CliEnvironment): string | undefined {
  if (platform === 'win32') return undefined;
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
