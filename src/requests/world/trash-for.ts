import { existsSync } from 'node:fs';
import path from 'node:path';
import { localFolder } from '../../machine/local-folder.js';
import type { Environment } from './environment.js';

/** Where a workflow file or a catalog goes that is deleted. */
export function trashFor(
  env: Environment,
  { source }: { readonly source: { readonly folder: string } },
): { readonly folder: string; readonly label: string } | undefined {
  const own = env.roots.known.find(({ folder }) => folder === path.dirname(source.folder));
  const root = own ?? env.roots.known.find(({ kind }) => kind === 'user') ?? env.roots.newSessions;
  const folder = localFolder(root, 'deleted');
  return folder === undefined || !existsSync(folder)
    ? undefined
    : { folder, label: `${path.basename(root.folder)}/local/deleted` };
}
