import path from 'node:path';
import { command, either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { isRealFolder } from '../../files/folders.js';
import type { Environment } from './environment.js';

/** A folder that workflow files or catalogs are kept in. */
interface Source {
  readonly name: string;
  readonly folder: string;
  readonly label: string;
  readonly refused?: (() => string | undefined) | undefined;
}

/** Where something new goes: where the user said, to the project, or to the user. */
export function sourceForNew<S extends Source>(
  { roots }: Pick<Environment, 'roots'>,
  sources: readonly S[],
  to: 'project' | 'user' | undefined,
): S | undefined {
  // A project has a folder of ours where somebody made one, or named it outright; nothing else ever does.
  const isNamed = (folder: string): boolean =>
    roots.known.some((root) => root.kind === 'given' && root.folder === folder);
  const isThere = (folder: string): boolean => isRealFolder(folder) || isNamed(folder);
  const project = sources.findLast(({ name, folder }) => name === 'project' && isThere(path.dirname(folder)));
  if (to === 'project') return project;
  return to === undefined && project !== undefined ? project : sources.find(({ name }) => name === 'user');
}

/** A folder in which something may be written now. */
export function writableSource<S extends Source>(source: S | undefined): Result<S, Rejection> {
  if (source === undefined) return err(noProject);
  const why = source.refused?.();
  if (why === undefined) return ok(source);
  return err({
    code: 'PRECONDITION_FAILED',
    message: `nothing is written to ${source.label}: ${why}`,
    action: [either('tell the user, or send "to": "user"', 'fix that, or use --to user')],
    context: { path: source.label },
  });
}

const noProject: Rejection = {
  code: 'PRECONDITION_FAILED',
  message: 'this project has no .workrail folder; nothing was written',
  action: [
    either('send "to": "user", or ask the user to run ', 'use --to user, or run '),
    command('init'),
    ' in the project',
  ],
  again: [{ at: '/to', to: 'user' }],
};
