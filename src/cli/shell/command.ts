import type { ExitCode } from './exit-codes.js';
import type { OptionTable } from '../print/option-table.js';
import type { ParsedOptions } from './parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** The table is for the help, which tells of the other commands. */
export type RunCommand = (
  parsed: ParsedOptions,
  environment: CliEnvironment,
  table: readonly Command[],
) => Promise<ExitCode>;

/** What the help gathers commands under, in its order. */
export const commandGroups = {
  run: 'Run workflows',
  catalogs: 'Use APIs in workflows',
  states: 'Share a state',
  look: 'Look at sessions',
  share: 'Share',
  care: 'Maintenance',
  setUp: 'Set up',
} as const;

export interface Command {
  /** One word or two: `mcp`, `keys rotate`. */
  readonly name: string;
  readonly group: keyof typeof commandGroups;
  readonly summary: string;
  /** What follows the name, where something may. */
  readonly words?: {
    readonly usage: string;
    readonly most: number;
    /** The first of them names a session, and so may `--session`. */
    readonly session?: 'first';
    /** What else they name, for completions; `api` is a catalog and a command of it. */
    readonly name?: 'workflow' | 'file' | 'command' | 'catalog' | 'api' | readonly string[];
  };
  readonly details: readonly string[];
  readonly options: OptionTable;
  readonly examples: readonly string[];
  /** Loads what the command needs and nothing that others need: an agent waits for `workrail mcp` to start. */
  readonly load: () => Promise<RunCommand>;
}
