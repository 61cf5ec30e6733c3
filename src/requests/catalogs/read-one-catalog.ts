import { closestNames } from '../../base/closest-name.js';
import type { Rejection } from '../../base/rejection.js';
import { command } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import { secretsNamed } from '../../catalogs/secrets-named.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import type { Environment } from '../world/environment.js';
import { unknownCatalog } from './catalog-folder.js';
import { groupPrefixes } from './import-openapi.js';
import { catalogTold } from './list-catalogs.js';
import { workflowsUsing } from './workflows-using.js';

/** One catalog, for people: what was decided about it, what its document is, and who uses it. */
export async function readOneCatalog(
  env: Environment,
  { catalog: id }: { readonly catalog: string },
): Promise<Result<CatalogDetail, Rejection>> {
  const entry = env.catalogs.find(id);
  if (entry === undefined) return err(unknownToPeople(env, id));
  const opened = env.catalogs.open(entry);
  const using = await workflowsUsing(env, id);
  const { kind, title, version, description, operations = [] } = opened.ok ? opened.value.catalog : {};
  return ok({
    catalog: catalogTold(env, entry),
    ...(kind !== undefined && {
      document: { kind, title: title ?? '', version: version ?? '', description: description ?? '' },
    }),
    providerCount: opened.ok ? Object.keys(opened.value.providers).length : 0,
    groups: [...groupPrefixes(operations)],
    secrets: [...secretsNamed(entry.settings)],
    workflows: using.map((one) => ({ id: one.id, title: one.title, file: one.file })),
  });
}

/** Whoever looks at the page is led to what comes nearest. */
export function unknownToPeople(env: Environment, id: string): Rejection {
  const { code, message } = unknownCatalog(env, id);
  const ids = env.catalogs.list().map((one) => one.id);
  const action =
    ids.length === 0
      ? ['import one: ', command('catalogs', 'import', '<file>')]
      : ['to list them: ', command('catalogs')];
  return { code, message, action, context: { catalog: id, closest: closestNames(id, ids) } };
}
