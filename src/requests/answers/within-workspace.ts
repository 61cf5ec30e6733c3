import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Place } from '../../log/port/session-ref.js';

/** Where the paths of a session begin: at the project whose `.workrail` it lies in, else where the person works. */
export const rootOfPaths = ({ kind, name }: Place, workspace: string): string =>
  kind === 'project' && path.basename(name) === '.workrail' ? path.dirname(name) : workspace;

/** A file that a person names from where they are, as its path below the root: no path of the machine goes into a log, and no link leads out. */
export function withinWorkspace(
  { workspace, root }: { readonly workspace: string; readonly root: string },
  given: JsonValue | undefined,
): Result<string, Rejection> {
  const refused = (message: string, action: string): Result<never, Rejection> =>
    err({ code: 'VALIDATION_ERROR', message: `${message}; nothing was recorded`, action });
  if (typeof given !== 'string' || given.trim() === '')
    return refused('the name of the file is missing', 'name the file: its path within the workspace');
  let file: string;
  let isFile: boolean;
  let within: string;
  try {
    file = realpathSync(path.resolve(workspace, given));
    isFile = statSync(file).isFile();
    within = path.relative(realpathSync(root), file);
  } catch {
    return refused(`${JSON.stringify(given)} does not exist`, 'name an existing file');
  }
  if (!isFile) return refused(`${JSON.stringify(given)} is not a file`, 'name a file, not a folder');
  if (within === '' || within.split(path.sep)[0] === '..' || path.isAbsolute(within))
    return refused(
      `${JSON.stringify(given)} is not in the workspace`,
      'copy it into the workspace; or, if the log may contain its path, give the path as the value',
    );
  return ok(within.split(path.sep).join('/'));
}
