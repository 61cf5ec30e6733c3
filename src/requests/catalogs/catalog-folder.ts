import path from 'node:path';
import { closestNames } from '../../base/closest-name.js';
import { either, type Term } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CatalogEntry, CatalogSource } from '../../library/catalog-files.js';
import type { ListedCatalog } from '../../library/open-catalogs.js';
import type { Environment } from '../world/environment.js';
import { sourceForNew, writableSource } from '../world/writable-source.js';

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
  const standingIn = to === undefined ? here && sourceOf(env, here) : undefined;
  const found = writableSource(standingIn ?? sourceForNew(env, env.catalogSources, to));
  if (!found.ok) return found;
  const source = found.value;
  const standing = here && [here, ...here.hides].find(({ folder }) => path.dirname(folder) === source.folder);
  return ok({ source, standing });
}

const sourceOf = (env: Environment, { folder }: ListedCatalog): CatalogSource | undefined =>
  env.catalogSources.find((one) => one.folder === path.dirname(folder));

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
