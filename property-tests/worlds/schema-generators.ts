import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';

/** Names that every plain object knows, with those that a schema and a value share. */
const namesOfObjects: readonly string[] = [...Object.getOwnPropertyNames(Object.prototype)];
const field = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.constantFrom(...namesOfObjects));

const scalar = fc.constantFrom<JsonValue>(null, true, 0, 1, 7, '', 'a', 'aab', 'constructor');
const { value } = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(field, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const type = fc.constantFrom<JsonValue>('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', [
  'object',
  'array',
]);
const partNames = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'] as const;
const reference = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...partNames).map((name) => `#/$defs/${name}`) },
  fc.constantFrom('#', '#/$defs/%70%30', '#/$defs/p1/items', '#/$defs/none', '#n', 'constructor', '#/const'),
);

const { schema } = fc.letrec<{ readonly schema: JsonValue }>((tie) => {
  const one = tie('schema');
  const list = fc.array(one, { minLength: 1, maxLength: 4 });
  const map = fc.dictionary(field, one, { maxKeys: 3 });
  const keyword = fc.oneof(
    { weight: 3, arbitrary: fc.record({ $ref: reference }) },
    fc.record({ $dynamicRef: fc.constantFrom('#n', '#m', '#constructor') }),
    fc.record({ $dynamicAnchor: fc.constantFrom('n', 'm') }),
    fc.record({ type }),
    fc.record({ const: scalar }),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.constantFrom<JsonObject>({ uniqueItems: true }, { minLength: 1 }, { minProperties: 1 }, { maxItems: 2 }),
    fc.record({ pattern: fc.constantFrom('^a', '(a*)*b', '[ab]*a[ab]{20}') }),
    fc.record({ required: fc.uniqueArray(field, { maxLength: 3 }) }),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => list.map((all) => ({ [name]: all }))),
    ...['not', 'items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedProperties'].map((name) =>
      one.map((inner) => ({ [name]: inner })),
    ),
    fc.tuple(one, one, one).map(([a, b, c]) => ({ if: a, then: b, else: c })),
    { weight: 3, arbitrary: map.map((properties) => ({ properties })) },
    map.map((dependentSchemas) => ({ dependentSchemas })),
    one.map((inner) => ({ patternProperties: { '^[ab]': inner } })),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.boolean(),
      fc.array(keyword, { maxLength: 3 }).map((keywords) => Object.assign({}, ...keywords) as JsonObject),
    ),
  };
});

const parts = fc
  .tuple(...partNames.map(() => schema))
  .map((all) => Object.fromEntries(partNames.map((name, at) => [name, all[at]!])));

/** A schema whose parts refer to each other as they like. */
export const anySchema: fc.Arbitrary<JsonObject> = fc
  .tuple(schema, parts)
  .map(([root, $defs]) => ({ ...(typeof root === 'boolean' ? { not: root } : (root as JsonObject)), $defs }));

/** References that multiply: by some keyword, at the same value or on the way into it, some of them round. */
export const multiplyingSchema: fc.Arbitrary<JsonObject> = fc
  .record({
    length: fc.integer({ min: 1, max: 60 }),
    times: fc.integer({ min: 1, max: 4 }),
    keyword: fc.constantFrom('allOf', 'anyOf', 'oneOf'),
    through: fc.constantFrom<readonly string[]>([], ['a'], ['a', 'constructor'], ['items']),
    round: fc.boolean(),
  })
  .map(({ length, times, keyword, through, round }) => {
    const around = (inner: JsonObject): JsonObject =>
      through.reduceRight<JsonObject>(
        (held, name) => (name === 'items' ? { items: held } : { properties: { [name]: held } }),
        inner,
      );
    const branches = (next: JsonObject): JsonObject => ({
      [keyword]: Array.from({ length: times }, (_, at) => ({ ...around(next), title: `${at}` })),
    });
    const $defs: Record<string, JsonObject> = {};
    for (let at = 0; at < length; at += 1) $defs[`d${at}`] = branches({ $ref: `#/$defs/d${at + 1}` });
    $defs[`d${length}`] = round ? branches({ $ref: '#/$defs/d0' }) : { type: 'number' };
    return { $ref: '#/$defs/d0', $defs };
  });

/** Values that are met by the above: small and mixed, deep, or wide. */
export const anyArtifact: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.dictionary(field, value, { maxKeys: 4 }),
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.constantFrom<readonly string[]>(['a'], ['a', 'constructor'], ['items']))
    .map(([depth, way]) => {
      let inner: JsonValue = 'x';
      for (let at = 0; at < depth; at += 1)
        inner = way.reduceRight<JsonValue>((held, name) => (name === 'items' ? [held] : { [name]: held }), inner);
      return { a: inner, items: inner } as JsonObject;
    }),
  fc.tuple(fc.integer({ min: 1, max: 3000 }), value).map(([length, one]) => ({ a: Array.from({ length }, () => one) })),
);
