import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CatalogChange } from '../../contract/catalogs-told.js';
import type { CatalogChanged } from '../../contract/tools/catalog-answers.js';
import type { Environment } from '../world/environment.js';
import { enableCatalog, removedCatalog } from './change-catalog.js';
import { unknownToPeople } from './read-one-catalog.js';

/** A person offers the commands of a catalog to workflows, or no longer. */
export async function enableForPeople(
  env: Environment,
  { catalog, enabled }: { readonly catalog: string; readonly enabled: boolean },
): Promise<Result<CatalogChange, Rejection>> {
  if (env.catalogs.find(catalog) === undefined) return err(unknownToPeople(env, catalog));
  return told(await enableCatalog(env, { catalogId: catalog, enabled }));
}

/** A person takes a catalog out of the way, and has seen what it is. */
export async function removeForPeople(
  env: Environment,
  asked: { readonly catalog: string; readonly revision: string; readonly document?: boolean | undefined },
): Promise<Result<CatalogChange, Rejection>> {
  const { catalog, revision, document = false } = asked;
  if (env.catalogs.find(catalog) === undefined) return err(unknownToPeople(env, catalog));
  return told(await removedCatalog(env, { catalogId: catalog, confirm: revision, removeManifest: document }));
}

function told(changed: Result<CatalogChanged, Rejection>): Result<CatalogChange, Rejection> {
  if (!changed.ok) return changed;
  const { catalogId, happened, warnings } = changed.value;
  return ok({ catalogId, happened: happened === 'configured' ? 'unchanged' : happened, warnings: [...warnings] });
}
