import path from 'node:path';
import { closestNames } from '../../base/closest-name.js';
import { command, either, type Term } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { isRealFolder } from '../../files/folders.js';
import type { CatalogEntry, CatalogSource } from '../../library/catalog-files.js';
import type { ListedCatalog } from '../../library/open-catalogs.js';
import type { Environment } from '../world/environment.js';

interface FoundFolder {
  readonly source: CatalogSource;
  readonly standing: CatalogEntry | undefined;
}

/** Where a catalog goes: one that is here stays in its folder; a new one goes where the user said, to the project, or to the user. */
export function catalogFolder(
  env: Environment,
  to: 'project' | 'user' | undefined,
  id: string,
): Result<FoundFolder, Rejection> {
  const here = env.catalogs.find(id);
  const isThere = (one: CatalogSource): boolean => isRealFolder(path.dirname(one.folder)) || isNamed(env, one);
  const project = env.catalogSources.findLast((one) => one.name === 'project' && isThere(one));
  const user = env.catalogSources.find(({ name }) => name === 'user');
  const standingIn = to === undefined ? here && sourceOf(env, here) : undefined;
  const source = standingIn ?? (to === 'user' ? user : to === 'project' ? project : (project ?? user));
  if (source === undefined) return err(noProject);
  const why = source.refused?.();
  if (why !== undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: `nothing is written to ${source.label}: ${why}`,
      action: [either('tell the user, or send "to": "user"', 'fix that, or use --to user')],
      context: { path: source.label },
    });
  const standing = here && [here, ...here.hides].find(({ folder }) => path.dirname(folder) === source.folder);
  return ok({ source, standing });
}

/** A data folder that somebody named is there as soon as it is needed. */
const isNamed = (env: Environment, { folder }: CatalogSource): boolean =>
  env.roots.known.some((root) => root.kind === 'given' && root.folder === path.dirname(folder));

const sourceOf = (env: Environment, { folder }: ListedCatalog): CatalogSource | undefined =>
  env.catalogSources.find((one) => one.folder === path.dirname(folder));

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

/** A catalog that is here, and the folder it is kept in. */
export function catalogHere(
  env: Environment,
  id: string,
): Result<{ readonly entry: ListedCatalog; readonly source: CatalogSource }, Rejection> {
  const entry = env.catalogs.find(id);
  const source = entry && sourceOf(env, entry);
  return entry === undefined || source === undefined ? err(unknownCatalog(env, id)) : ok({ entry, source });
}

export function unknownCatalog(env: Environment, id: string, at = '/catalogId'): Rejection {
  const ids = env.catalogs.list().map((one) => one.id);
  const closest = closestNames(id, ids);
  const known = ids.length === 0 ? 'none is here' : `here are ${ids.slice(0, 10).join(', ')}`;
  return {
    code: 'NOT_FOUND',
    message: `no catalog ${JSON.stringify(id)}; ${closest.length > 0 ? `closest: ${closest.join(', ')}` : known}`,
    action:
      ids.length === 0
        ? ['import one', either(' with import_openapi', ': '), forPeople('catalogs', 'import', '<file>')]
        : [either('name one that list_catalogs lists', 'to list them: '), forPeople('catalogs')],
    ...(closest[0] !== undefined && { again: [{ at, to: closest[0] }] }),
    context: { catalogId: id },
  };
}

/** A command at the end of a sentence that agents are told in other words. */
const forPeople = (...words: readonly string[]): Term => ({ command: words, text: '' });

export function catalogChanged(id: string, revision: string | undefined): Rejection {
  return {
    code: 'REVISION_CONFLICT',
    message:
      revision === undefined
        ? `${id} is not what it was: it is gone, or another stands in its place; nothing was written`
        : `${id} has the revision ${revision} now; nothing was written`,
    action: 'look at it as it is now, then make your change to that',
    nextCall: { tool: 'list_catalogs', arguments: {} },
    context: { catalogId: id, ...(revision !== undefined && { revision }) },
  };
}
