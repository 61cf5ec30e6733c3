import { command } from '../../base/sentence.js';
import path from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { WorkspaceMade } from '../../contract/workspace-made.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { isRealFolder } from '../../files/folders.js';
import { foreignRefused } from '../world/refused-places.js';
import type { Environment } from '../world/environment.js';

/** Gives a repository sessions of its own. The only thing that ever makes a `.workrail/`. */
export async function initWorkspace(
  env: Environment,
  { here }: { readonly here: boolean },
): Promise<Result<WorkspaceMade, Rejection>> {
  const repository = findGitFolders(env.workspace)?.root;
  const folder = path.join(here ? env.workspace : (repository ?? env.workspace), '.workrail');
  const above = env.roots.known.find(({ kind }) => kind === 'project');
  if (above !== undefined && above.folder !== folder && !here) {
    return err({
      code: 'PRECONDITION_FAILED',
      message: `${above.folder} already holds the sessions of this folder`,
      action: ['use that one, or create another with ', command('init', '--here')],
      context: { folder: above.folder },
    });
  }
  if (env.roots.foreign?.folder === folder) return err(foreignRefused(env.roots.foreign));
  const { folders } = env.store;
  if (folders === undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: 'this installation does not keep sessions in folders',
      action: 'to keep them in a folder of this repository, do not configure a store',
    });
  const before = isRealFolder(folder);
  const files = folders.prepare({ kind: 'project', name: folder });
  return Promise.resolve(
    ok({
      folder,
      made: !before,
      files: files.map((name) => path.join(folder, name)),
      ...(repository !== undefined && { repository }),
    }),
  );
}
