import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CatalogEntry } from '../../library/catalog-files.js';
import { globalPreferencesFile } from '../../machine/global-preferences.js';
import type { Environment } from '../world/environment.js';
import { catalogHere } from './catalog-folder.js';

/** A person lets the catalog of a project call these of the addresses that its settings allow. */
export async function allowAddresses(
  env: Environment,
  { catalogId, addresses }: { readonly catalogId: string; readonly addresses: readonly string[] },
): Promise<Result<{ readonly allowed: readonly string[] }, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry } = found.value;
  const kept = keepAllowed(env, entry, [...env.allowed.of(entry), ...addresses]);
  return Promise.resolve(kept.ok ? ok({ allowed: env.allowed.of(entry) }) : kept);
}

/** Keeps what is allowed here to a catalog; what its settings do not allow any more is forgotten. */
export function keepAllowed(
  env: Environment,
  entry: Pick<CatalogEntry, 'id' | 'source' | 'folder' | 'settings'>,
  addresses: readonly string[],
): Result<void, Rejection> {
  const { allow = [] } = entry.settings;
  const wanted = allow.filter((one) => addresses.includes(one));
  if (entry.source === 'user' || JSON.stringify(wanted) === JSON.stringify(env.allowed.here(entry)))
    return ok(undefined);
  const kept = env.allowed.set(entry, wanted);
  return kept.ok
    ? ok(undefined)
    : err({
        code: 'PRECONDITION_FAILED',
        message: `the settings are written, but what you allow cannot be kept: ${kept.error}`,
        action: `fix ${globalPreferencesFile(env.roots.config)}, then do this again`,
        context: { catalogId: entry.id },
      });
}
