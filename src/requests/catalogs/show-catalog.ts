import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import { secretsNamed } from '../../catalogs/secrets-named.js';
import type { CatalogShown } from '../../contract/tools/catalog-answers.js';
import type { Environment } from '../world/environment.js';
import { catalogHere } from './catalog-folder.js';
import { groupPrefixes } from './import-openapi.js';
import { catalogTold } from './list-catalogs.js';
import { workflowsUsing } from './workflows-using.js';

/** One catalog with all that people want to know of it before they change it. */
export async function showCatalog(
  env: Environment,
  { catalogId }: { readonly catalogId: string },
): Promise<Result<CatalogShown, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry } = found.value;
  const opened = env.catalogs.open(entry);
  return ok({
    ...catalogTold(env, entry),
    providerCount: opened.ok ? Object.keys(opened.value.providers).length : 0,
    groups: opened.ok ? groupPrefixes(opened.value.catalog.operations) : [],
    secrets: secretsNamed(entry.settings),
    workflows: (await workflowsUsing(env, entry.id)).map(({ id, file }) => ({ workflowId: id, file })),
  });
}
