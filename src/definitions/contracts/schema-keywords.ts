import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';

/** To what a schema below a keyword is applied: the same value, what is inside of it, or nothing unless it is referred to. */
type Applied = 'same' | 'inside' | 'nothing';
type Form = 'one' | 'list' | 'named';

/** Every keyword that holds schemas, in either draft. */
const holders: ReadonlyMap<string, { readonly applied: Applied; readonly forms: readonly Form[] }> = new Map(
  Object.entries({
    $defs: { applied: 'nothing', forms: ['named'] },
    definitions: { applied: 'nothing', forms: ['named'] },
    contentSchema: { applied: 'nothing', forms: ['one'] },
    allOf: { applied: 'same', forms: ['list'] },
    anyOf: { applied: 'same', forms: ['list'] },
    oneOf: { applied: 'same', forms: ['list'] },
    not: { applied: 'same', forms: ['one'] },
    if: { applied: 'same', forms: ['one'] },
    then: { applied: 'same', forms: ['one'] },
    else: { applied: 'same', forms: ['one'] },
    dependentSchemas: { applied: 'same', forms: ['named'] },
    dependencies: { applied: 'same', forms: ['named'] },
    properties: { applied: 'inside', forms: ['named'] },
    patternProperties: { applied: 'inside', forms: ['named'] },
    additionalProperties: { applied: 'inside', forms: ['one'] },
    unevaluatedProperties: { applied: 'inside', forms: ['one'] },
    propertyNames: { applied: 'inside', forms: ['one'] },
    items: { applied: 'inside', forms: ['one', 'list'] },
    prefixItems: { applied: 'inside', forms: ['list'] },
    additionalItems: { applied: 'inside', forms: ['one'] },
    unevaluatedItems: { applied: 'inside', forms: ['one'] },
    contains: { applied: 'inside', forms: ['one'] },
  }),
);

/** Keywords that say something by themselves; a schema without any and without others inside judges nothing. */
const judging: ReadonlySet<string> = new Set(
  (
    '$ref $dynamicRef $recursiveRef $dynamicAnchor $recursiveAnchor type nullable const enum maximum minimum exclusiveMaximum ' +
    'exclusiveMinimum multipleOf maxLength minLength pattern maxProperties minProperties required dependentRequired ' +
    'maxItems minItems uniqueItems maxContains minContains'
  ).split(' '),
);

/** Schemas below it are applied to nothing by themselves. */
export const heldApart = (keyword: string): boolean => holders.get(keyword)?.applied === 'nothing';

/** Keywords that say something to a reader, or name something. */
const saying: readonly string[] = (
  '$schema $id $anchor $comment $vocabulary title description default examples deprecated readOnly writeOnly format ' +
  'contentEncoding contentMediaType'
).split(' ');

export const knownKeywords: ReadonlySet<string> = new Set([...judging, ...holders.keys(), ...saying]);

export interface HeldSchema {
  readonly keyword: string;
  readonly applied: Applied;
  /** Below the schema that holds it. */
  readonly pointer: readonly string[];
  readonly schema: JsonValue;
}

/** The schemas that stand directly in a schema. What is no schema there is left to the schema of schemas. */
export function schemasIn(schema: JsonObject): readonly HeldSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly HeldSchema[] => {
    const holder = holders.get(keyword);
    if (holder === undefined) return [];
    const { applied, forms } = holder;
    const at = (key: string | number, inner: JsonValue): readonly HeldSchema[] =>
      isSchema(inner) ? [{ keyword, applied, pointer: [keyword, String(key)], schema: inner }] : [];
    if (Array.isArray(value))
      return forms.includes('list') ? (value as readonly JsonValue[]).flatMap((one, index) => at(index, one)) : [];
    if (forms.includes('named'))
      return isJsonObject(value) ? Object.entries(value).flatMap(([key, inner]) => at(key, inner)) : [];
    return forms.includes('one') && isSchema(value) ? [{ keyword, applied, pointer: [keyword], schema: value }] : [];
  });
}

const isSchema = (value: JsonValue): boolean => typeof value === 'boolean' || isJsonObject(value);

export const judgesAnything = (schema: JsonObject): boolean =>
  Object.keys(schema).some((keyword) => judging.has(keyword) || holders.has(keyword));

/** The same schema with each of the schemas that stand directly in it changed. */
export function mapSchemasIn(schema: JsonObject, change: (inner: JsonValue) => JsonValue): JsonObject {
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, JsonValue] => {
    const forms = holders.get(keyword)?.forms ?? [];
    const changed = (inner: JsonValue): JsonValue => (isSchema(inner) ? change(inner) : inner);
    if (Array.isArray(value))
      return [keyword, forms.includes('list') ? (value as readonly JsonValue[]).map(changed) : value];
    if (forms.includes('named') && isJsonObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]))];
    return [keyword, forms.includes('one') ? changed(value) : value];
  });
  return Object.fromEntries(entries);
}
