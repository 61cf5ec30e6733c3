import type { JsonValue } from '../base/json-value.js';
import type { CatalogSettings } from './catalog-settings.js';

/** The secrets that the settings of a catalog read. */
export const secretsNamed = ({ auth, headers }: CatalogSettings): readonly string[] =>
  secretsIn([auth ?? null, headers ?? null]);

/** The secrets that the texts of a value read. */
export const secretsIn = (value: JsonValue): readonly string[] => [
  ...new Set([...JSON.stringify(value).matchAll(/\$\{\{\s*secrets\.(\w+)\s*\}\}/gu)].map(([, name]) => name!)),
];
