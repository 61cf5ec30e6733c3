import type { Command } from './command.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText } from './help-text.js';
import { parseOptions } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

/** From the words after `workrail` to what they do. */
export async function runCommandLine(args: readonly string[], table: readonly Command[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, err, stdinIsTerminal } = surroundings;
  const meant = withCommand(args, stdinIsTerminal);
  if (meant === undefined) {
    for (const line of helpText(table, surroundings)) out(line);
    return exitCodes.done;
  }
  const found = findCommand(meant, table);
  if (!found.ok) {
    err(`workrail: ${found.error}`);
    err('See: workrail help');
    return exitCodes.usage;
  }
  const { command, rest } = found.value;
  if (rest.includes('--help') || rest.includes('-h')) {
    for (const line of commandHelp(command, surroundings)) out(line);
    return exitCodes.done;
  }
  const parsed = parseOptions(rest, command.options, command.words?.most ?? 0);
  if (!parsed.ok) {
    err(`workrail ${command.name}: ${parsed.error}`);
    err(`See: workrail help ${command.name}`);
    return exitCodes.usage;
  }
  const run = await command.load();
  try {
    return await run(parsed.value, surroundings, table);
  } catch (cause) {
    const { tellFault } = await import('./tell-fault.js');
    return tellFault(cause, command.name, parsed.value.has('json'), surroundings);
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
