import type { CatalogSettings } from './catalog-settings.js';

/** The secrets that the settings of a catalog read. */
export const secretsNamed = (settings: CatalogSettings): readonly string[] => [
  ...new Set(
    [...JSON.stringify([settings.auth, settings.headers]).matchAll(/\$\{\{\s*secrets\.(\w+)\s*\}\}/gu)].map(
      ([, name]) => name!,
    ),
  ),
];
