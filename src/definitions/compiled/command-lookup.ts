import type { OperationAnswers } from './operation-answers.js';
import type { OperationShape } from './operation-shape.js';

/** Why a command cannot be used, as whoever keeps the catalogs knows it. */
export interface CommandProblem {
  readonly problem: 'unknown_catalog' | 'unknown_command' | 'unusable';
  /** The names that may have been meant, best first: of catalogs, or of commands in the catalog. */
  readonly closest: readonly string[];
  /** In its own words: that the catalog is disabled, that its document cannot be read. */
  readonly message?: string;
}

/** Where commands are looked up. */
export interface CommandLookup {
  /** Undefined for what nobody can tell now: it is then taken as it stands. */
  (catalog: string, command: string): OperationShape | CommandProblem | undefined;
  /** What a command that is there may answer. */
  readonly answers?: ((catalog: string, command: string) => OperationAnswers | undefined) | undefined;
}

/** `github repos/get-branch` as its catalog and the command in it. */
export function commandParts(run: string): { readonly catalog: string; readonly command: string } | undefined {
  const found = /^([a-z][a-z0-9_.-]*)\s+(\S.*)$/u.exec(run.trim());
  return found === null ? undefined : { catalog: found[1]!, command: found[2]!.replaceAll(/\s+/gu, ' ') };
}

/** The name under which a workflow keeps what it knows of a command. */
export const commandKey = ({ catalog, command }: { readonly catalog: string; readonly command: string }): string =>
  `${catalog} ${command}`;
