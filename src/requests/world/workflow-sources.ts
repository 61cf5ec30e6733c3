import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowSource } from '../../library/library-entry.js';
import { isLink } from '../../files/folders.js';
import { rememberedLook } from '../../files/remembered-look.js';
import { foreignOwner } from '../../machine/owner.js';
import type { DataRoots } from '../../machine/data-roots.js';
import type { RequestsOptions } from './requests-options.js';

/** Where workflow files are looked for, in rising precedence. A project's own lie beside its sessions. */
export function workflowSources(
  { workspace, home, bundledWorkflows, env }: RequestsOptions,
  roots: DataRoots,
  configured: readonly string[],
): readonly WorkflowSource[] {
  const own = env['WORKRAIL_WORKFLOWS_DIR'] ?? '';
  const named = [...configured, ...(own === '' ? [] : [own])].map((folder) =>
    path.resolve(
      workspace,
      folder.replace(/^~(?=[/\\]|$)/u, () => home),
    ),
  );
  return [
    { name: 'bundled', folder: bundledWorkflows, label: 'bundled' },
    { name: 'user', folder: path.join(roots.config, 'workflows'), label: 'user' },
    ...projectFolders(roots).map((folder): WorkflowSource => ({
      name: 'project',
      folder: path.join(folder, 'workflows'),
      label: `${path.basename(folder)}/workflows`,
      refused: rememberedRefusal(folder, roots, env),
    })),
    ...named.map((folder): WorkflowSource => ({ name: 'configured', folder, label: shortName(folder, named) })),
  ];
}

/** A checkout can put a link there at any time, and another user a folder where none was. */
function rememberedRefusal(
  folder: string,
  { known }: DataRoots,
  env: RequestsOptions['env'],
): () => string | undefined {
  return rememberedLook([folder], () => {
    if ([folder, path.join(folder, 'workflows')].some(isLink))
      return 'it is a symbolic link, which a data folder must not be or contain: replace it with its target, or remove it';
    const owner = known.some((root) => root.folder === folder) ? undefined : foreignOwner(folder, env);
    return owner === undefined ? undefined : `it belongs to user ${owner} and is not trusted`;
  });
}

/** A project that has no folder of ours yet may get one at any time: in the workspace, or at the top of its repository. */
function projectFolders({ known, workspace, foreign }: DataRoots): readonly string[] {
  const there = known.filter(({ kind }) => kind !== 'user').map(({ folder }) => folder);
  if (foreign !== undefined || known.some(({ kind }) => kind === 'project')) return there;
  let top = workspace;
  while (!existsSync(path.join(top, '.git')) && path.dirname(top) !== top) top = path.dirname(top);
  const places = existsSync(path.join(top, '.git')) ? [top, workspace] : [workspace];
  return [...there, ...new Set(places.map((place) => path.join(place, '.workrail')))];
}

/** As much of a folder's path, from its end, as tells it from the others. */
function shortName(folder: string, all: readonly string[]): string {
  const parts = folder.split(path.sep).filter((part) => part !== '');
  const tail = (count: number): string => parts.slice(-count).join('/');
  const others = all.filter((other) => other !== folder).map((other) => `/${other.split(path.sep).join('/')}`);
  const enough = parts.findIndex((_, at) => !others.some((other) => other.endsWith(`/${tail(at + 1)}`)));
  return tail(enough < 0 ? parts.length : enough + 1);
}
