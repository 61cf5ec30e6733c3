import type { Rejection } from '../../base/rejection.js';
import { either } from '../../base/sentence.js';
import type { Operation } from '../../catalogs/openapi-catalog.js';
import type { AddressOf } from '../../definitions/compiled/plan-hash.js';
import { serverUrl } from '../../catalogs/server-url.js';
import type { Calls } from '../../calls/open-calls.js';
import { addressOf, type Catalogs, type OpenedCatalog } from '../../library/open-catalogs.js';
import type { AllowedAddresses } from './allowed-addresses.js';

/** Where an operation is called: some are at another address than the rest of their catalog. */
export function baseUrlOf({ entry, catalog }: OpenedCatalog, operation: Operation): string | undefined {
  const [server] = operation.ownServers ? operation.servers : [];
  const own = server === undefined ? undefined : serverUrl(server);
  return own?.ok === true ? own.value : addressOf({ entry, catalog });
}

/** Where a catalog is called: the path before its operations’ own counts, it may be another system. */
export function calledAddress(opened: OpenedCatalog): string | undefined {
  const address = addressOf(opened);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/u, '')}`;
}

/**
 * Where catalogs are called now, as far as that is known: the path before their own counts, it may be another system. Each is
 * looked at once: whoever decides something knows one address of it.
 */
export function calledAt({ catalogs }: { readonly catalogs: Catalogs }): AddressOf {
  const known = new Map<string, string | undefined>();
  const look = (id: string): string | undefined => {
    const listed = catalogs.find(id);
    const opened = listed && catalogs.open(listed);
    return opened?.ok === true ? calledAddress(opened.value) : undefined;
  };
  return (id) => {
    if (!known.has(id)) known.set(id, look(id));
    return known.get(id);
  };
}

export const noAddress = (catalogId: string): Rejection => ({
  code: 'CATALOG_INVALID',
  message: `the document of ${catalogId} does not say at which address it is called`,
  action: [
    either(
      'set its baseUrl with configure_catalog, or ask the user for the value',
      'set its address, or enter the value yourself',
    ),
  ],
  context: { catalogId },
});

/** How a catalog is called, as the person configured it and as far as they allowed it. */
export function callSettingsOf(
  { entry }: OpenedCatalog,
  baseUrl: string,
  allowed: AllowedAddresses,
): Parameters<Calls['of']>[0] {
  const { auth, headers, limits: bounds } = entry.settings;
  return {
    catalog: entry.id,
    baseUrl,
    ...(auth !== undefined && { auth }),
    ...(headers !== undefined && { headers }),
    allow: allowed.of(entry),
    ...(bounds !== undefined && { limits: bounds }),
  };
}
