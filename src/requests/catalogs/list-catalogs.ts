import type { JsonObject } from '../../base/json-value.js';
import type { CatalogSettings } from '../../catalogs/catalog-settings.js';
import { asJson } from '../../contract/reply-with.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { limits } from '../../base/limits.js';
import type { CatalogsAnswer, CatalogTold } from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { ListedCatalog } from '../../library/open-catalogs.js';
import { catalogsReply } from '../../respond/catalogs/catalog-replies.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { missingSecrets } from './catalog-secrets.js';

/** The catalogs that are here, disabled and broken ones too. */
export async function listCatalogs(
  env: Environment,
  { cursor }: RequestOf<'list_catalogs'>,
): Promise<Result<Reply, Rejection>> {
  const from = readCursor(cursor);
  return from === undefined
    ? err(wrongCursor('list_catalogs', cursor ?? ''))
    : ok(catalogsReply(catalogsFrom(env, from)));
}

function catalogsFrom(env: Environment, from: number): CatalogsAnswer {
  const all = env.catalogs.list();
  const catalogs = all.slice(from, from + limits.commandsShown).map((entry) => catalogTold(env, entry));
  const next = from + catalogs.length;
  const offersImport = env.offered.has('import_openapi');
  return {
    catalogs,
    total: all.length,
    ...(next < all.length && { nextCursor: String(next) }),
    nextCall:
      all.length === 0 && offersImport
        ? { tool: 'import_openapi', arguments: { source: 'openapi.yaml' } }
        : { tool: env.offered.has('search_commands') ? 'search_commands' : 'list_catalogs', arguments: {} },
  };
}

export function catalogTold(env: Environment, entry: ListedCatalog): CatalogTold {
  const { id, source, label, revision, settings, problem, hides } = entry;
  const { title, vendor, enabled, baseUrl, auth } = settings;
  const opened = env.catalogs.open(entry);
  const catalog = opened.ok ? opened.value.catalog : undefined;
  const address = baseUrl ?? catalog?.baseUrl;
  const notAllowed = env.allowed.missing(entry);
  const missing = missingSecrets(env, entry);
  const wrong = problem ?? (opened.ok ? undefined : opened.error);
  return {
    catalogId: id,
    title: title ?? catalog?.title ?? id,
    ...(vendor !== undefined && { vendor }),
    source,
    path: label,
    revision,
    enabled: enabled && wrong === undefined,
    commandCount: catalog?.operations.length ?? 0,
    ...(address !== undefined && { baseUrl: address }),
    auth: auth?.kind ?? 'none',
    settings: settingsTold(settings),
    ...(notAllowed.length > 0 && { notAllowed }),
    ...(missing.length > 0 && { missingSecrets: missing }),
    ...(wrong !== undefined && { problem: wrong }),
    ...(hides.length > 0 && { hides: hides.map((one) => one.label) }),
  };
}

/** What a person decided, besides what is told by itself. */
export const settingsTold = (settings: CatalogSettings): JsonObject =>
  asJson(
    Object.fromEntries(
      Object.entries(settings).filter(([name]) => !['version', 'enabled', 'title', 'vendor'].includes(name)),
    ),
  );
