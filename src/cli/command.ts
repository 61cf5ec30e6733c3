import type { ExitCode } from './exit-codes.js';
import type { OptionTable, ParsedOptions } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

/** The table is for the help, which tells of the other commands. */
export type RunCommand = (
  parsed: ParsedOptions,
  surroundings: Surroundings,
  table: readonly Command[],
) => Promise<ExitCode>;

export interface Command {
  /** One word or two: `mcp`, `keys rotate`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, where something may. */
  readonly words?: {
    readonly usage: string;
    readonly most: number;
    /** The first of them names a session, and so may `--session`. */
    readonly session?: 'first';
  };
  readonly details: readonly string[];
  readonly options: OptionTable;
  readonly examples: readonly string[];
  /** Loads what the command needs and nothing that others need: an agent waits for `workrail mcp` to start. */
  readonly load: () => Promise<RunCommand>;
}
