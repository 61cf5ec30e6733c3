import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { CatalogsPage } from '../../contract/catalogs-told.js';
import type { Environment } from '../world/environment.js';
import { catalogFolder } from './catalog-folder.js';
import { catalogTold } from './list-catalogs.js';

/** All catalogs that are here, for people. */
export async function browseCatalogs(
  env: Environment,
  _asked: Readonly<Record<string, never>>,
): Promise<Result<CatalogsPage, Rejection>> {
  return ok({
    catalogs: env.catalogs.list().map((entry) => catalogTold(env, entry)),
    project: catalogFolder(env, 'project', 'api').ok,
  });
}
