import type { Command } from './command.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText } from './help-text.js';
import { parseOptions } from './parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { printableLine } from '../print/printable.js';

/** From the words after `workrail` to what they do. */
export async function runCommandLine(
  args: readonly string[],
  table: readonly Command[],
  world: CliEnvironment,
): Promise<ExitCode> {
  // Whatever is told on stderr may name what others have named, and nobody takes it as data.
  const environment: CliEnvironment = { ...world, err: (line) => world.err(printableLine(line)) };
  const { out, stdinIsTerminal } = environment;
  const meant = withCommand(args, stdinIsTerminal);
  if (meant === undefined) {
    for (const line of helpText(table, environment)) out(line);
    return exitCodes.done;
  }
  const json = meant.includes('--json');
  const found = findCommand(meant, table);
  if (!found.ok)
    return (await import('./print-usage-error.js')).printUsageError(found.error, undefined, json, environment);
  const { command, rest } = found.value;
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (own.includes('--help') || own.includes('-h')) {
    for (const line of commandHelp(command, environment)) out(line);
    return exitCodes.done;
  }
  const parsed = parseOptions(rest, command.options, command.words?.most ?? 0, command.words?.session);
  if (!parsed.ok)
    return (await import('./print-usage-error.js')).printUsageError(
      parsed.error,
      command.name,
      json && 'json' in command.options,
      environment,
    );
  const run = await command.load();
  try {
    return await run(parsed.value, environment, table);
  } catch (cause) {
    const { printFault } = await import('./print-fault.js');
    return printFault(cause, command.name, parsed.value.has('json'), environment);
  }
}

/** The arguments with the command they leave out; undefined where only the help can be meant. */
function withCommand(args: readonly string[], stdinIsTerminal: boolean): readonly string[] | undefined {
  const [first] = args;
  if (first === '--help' || first === '-h') return ['help', ...args.slice(1)];
  if (first === '--version' || first === '-v') return ['version', ...args.slice(1)];
  if (first !== undefined && !first.startsWith('-')) return args;
  // An MCP client may be configured without the command: no terminal, so it is a program that speaks.
  if (!stdinIsTerminal) return ['mcp', ...args];
  return first === undefined ? undefined : args;
}
