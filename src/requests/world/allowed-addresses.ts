import { realpathSync } from 'node:fs';
import path from 'node:path';
import { own } from '../../base/own.js';
import type { Result } from '../../base/result.js';
import type { CatalogEntry } from '../../library/catalog-files.js';
import { allowAddresses, readGlobalPreferences } from '../../machine/global-preferences.js';

type Entry = Pick<CatalogEntry, 'id' | 'source' | 'folder' | 'settings'>;

/** The addresses beyond public ones that catalogs may call. */
export interface AllowedAddresses {
  /**
   * What the settings of a catalog allow, where that counts. The file of a project may be anybody's who wrote in the
   * project, so of that what the person allowed on this machine too.
   */
  of(entry: Entry): readonly string[];
  /** What was allowed here to the catalog of a project, whatever its settings say now. */
  here(entry: Entry): readonly string[];
  /** What the settings allow and nobody has allowed here. */
  missing(entry: Entry): readonly string[];
  /** From now on these and no others are allowed here to the catalog of a project; or why that cannot be kept. */
  set(entry: Entry, addresses: readonly string[]): Result<unknown, string>;
}

/** Read anew each time: another process may have been told. */
export function openAllowedAddresses(configFolder: string, randomId: () => string): AllowedAddresses {
  const allowedHere = ({ id, folder }: Entry): readonly string[] => {
    const { allowedAddresses = {} } = readGlobalPreferences(configFolder, () => undefined);
    return own(own(allowedAddresses, projectOf(folder)) ?? {}, id) ?? [];
  };
  const split = (entry: Entry): { readonly counted: readonly string[]; readonly missing: readonly string[] } => {
    const { allow = [] } = entry.settings;
    if (entry.source === 'user' || allow.length === 0) return { counted: allow, missing: [] };
    const here = new Set(allowedHere(entry));
    return { counted: allow.filter((one) => here.has(one)), missing: allow.filter((one) => !here.has(one)) };
  };
  return {
    here: allowedHere,
    of: (entry) => split(entry).counted,
    missing: (entry) => split(entry).missing,
    set: (entry, addresses) =>
      allowAddresses(configFolder, { project: projectOf(entry.folder), catalog: entry.id, addresses }, randomId()),
  };
}

/** The data folder that holds it, as it is reached on this machine: a clone elsewhere is another project. */
function projectOf(catalogFolder: string): string {
  const project = path.dirname(path.dirname(catalogFolder));
  try {
    return realpathSync(project);
  } catch {
    return project;
  }
}
