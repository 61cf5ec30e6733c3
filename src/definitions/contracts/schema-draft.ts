import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { heldApart, mapSchemasIn } from './schema-keywords.js';

export type SchemaDraft = '7' | '2019-09' | '2020-12';

const addresses: ReadonlyMap<string, SchemaDraft> = new Map([
  ['json-schema.org/draft-07/schema', '7'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** Undefined for one that is not known, and for what is no address. */
export function namedDraft($schema: JsonValue): SchemaDraft | undefined {
  if (typeof $schema !== 'string') return undefined;
  return addresses.get($schema.replace(/^https?:\/\//u, '').replace(/#$/u, ''));
}

/** The draft by which a schema is judged: 2020-12 where it names none that is known. */
export const draftOf = ({ $schema = null }: JsonObject): SchemaDraft => namedDraft($schema) ?? '2020-12';

/** What counts of a schema: in draft 7 nothing does that stands beside a reference, its name included. */
export function whatCounts(schema: JsonObject): JsonObject {
  return draftOf(schema) === '7' ? withoutSiblings(schema) : schema;
}

function withoutSiblings(schema: JsonObject): JsonObject {
  const inside = mapSchemasIn(schema, (inner) => (isJsonObject(inner) ? withoutSiblings(inner) : inner));
  if (typeof schema['$ref'] !== 'string') return inside;
  return Object.fromEntries(Object.entries(inside).filter(([keyword]) => keyword === '$ref' || heldApart(keyword)));
}
