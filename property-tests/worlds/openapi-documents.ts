import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';
import type { Operation } from '../../src/catalogs/openapi-catalog.js';

/** Names that mean something in a document, and those that mean something to objects. */
const names = fc.constantFrom(
  ...`openapi swagger info title version paths /a /a/{b} get post parameters requestBody responses content schema $ref in
  name required style explode properties items allOf additionalProperties 200 default application/json components schemas
  Pet Node servers url variables security securitySchemes securityDefinitions type oauth2 flows flow host basePath schemes
  consumes produces collectionFormat operationId tags definitions headers encoding discriminator mapping __proto__
  constructor toString x-a`.split(/\s+/u),
  '/\udc00',
);
const meant =
  '3.0.3 3.1.0 2.0 #/components/schemas/Pet #/components/schemas/Node #/paths/~1a # a.json ../x #/x path query body formData b array object form deepObject multi'.split(
    ' ',
  );
const scalars = fc.oneof(
  fc.constantFrom<JsonValue[]>(...meant, '\ud800', true, 2, 3.1),
  fc.jsonValue({ maxDepth: 0 }) as fc.Arbitrary<JsonValue>,
);

/** Whatever may be handed in as a document: mostly something that looks like one. */
export const anyDocument: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(names, tie('value')), { maxLength: 6 })
    .map((members) => Object.fromEntries(members) as JsonObject),
})).value;

const skeletonNames = ['Pet', 'Node', 'List', 'a~b/c'];

const referenceTo = (name: string): JsonObject => ({
  $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
});

/** Schemas that refer to each other and to themselves, with the traps: a property, an example and a choice called `$ref`. */
const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...skeletonNames).map(referenceTo),
    fc.constantFrom<JsonObject[]>({ type: 'string' }, { enum: [{ $ref: '#/nowhere' }] }, { example: { $ref: 5 } }, {}),
    fc
      .dictionary(fc.constantFrom('a', 'b', '$ref', 'constructor'), tie('schema'), {
        maxKeys: 3,
        noNullPrototype: true,
      })
      .map((properties): JsonObject => ({ type: 'object', properties })),
    tie('schema').map((items): JsonObject => ({ type: 'array', items })),
    fc.array(tie('schema'), { maxLength: 3 }).map((allOf): JsonObject => ({ allOf })),
    tie('schema').map((additionalProperties): JsonObject => ({ additionalProperties, description: 'x' })),
  ),
})).schema;

/** A right document of one operation, whose schemas are drawn. */
export const documentOfSchemas: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.array(schema, { minLength: 4, maxLength: 4 }), schema, schema, schema)
  .map(([named, parameter, body, answer]) => ({
    openapi: '3.1.0',
    info: { title: 'Drawn', version: '1' },
    paths: {
      '/x': {
        post: {
          operationId: 'x',
          parameters: [{ name: 'p', in: 'query', schema: parameter }],
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { 200: { description: '', content: { 'application/json': { schema: answer } } } },
        },
      },
    },
    components: { schemas: Object.fromEntries(skeletonNames.map((name, at) => [name, named[at]!])) },
  }));

const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const single = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']);

/** A schema with every reference replaced by what it leads to, so many deep; naive on purpose. */
export function expanded(
  value: JsonValue,
  find: (reference: string) => JsonValue | undefined,
  depth: number,
): JsonValue {
  if (!isJsonObject(value)) return value;
  const reference = Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
  if (typeof reference === 'string') {
    const there = find(reference);
    if (there === undefined) return 'nowhere';
    return depth === 0 ? 'deeper' : expanded(there, find, depth - 1);
  }
  const inner = (one: JsonValue): JsonValue => expanded(one, find, depth);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, JsonValue] => {
      if (named.has(key) && isJsonObject(member))
        return [key, Object.fromEntries(Object.entries(member).map(([name, one]) => [name, inner(one)]))];
      if (lists.has(key) && Array.isArray(member)) return [key, member.map(inner)];
      return [key, single.has(key) ? inner(member) : member];
    }),
  );
}

/** What a pointer leads to; naive on purpose. */
export const pointed = (root: JsonValue, reference: string): JsonValue | undefined =>
  decodeURIComponent(reference.slice(1))
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonValue | undefined>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as JsonObject)[step] : undefined,
      root,
    );

/** An operation whose definitions are named by when each is first referred to, so that two that differ in names alone are equal. */
export function withPlainNames(operation: Operation): JsonValue {
  const names = new Map<string, string>();
  const renamed = (name: string): string => {
    const known = names.get(name) ?? `d${names.size}`;
    names.set(name, known);
    return known;
  };
  const plain = (value: unknown): JsonValue =>
    JSON.parse(
      JSON.stringify(value, (_, one: unknown) =>
        typeof one === 'string' && one.startsWith('#/$defs/') ? `#/$defs/${renamed(one.slice(8))}` : one,
      ),
    ) as JsonValue;
  const { definitions, leftOut } = operation;
  const first = plain({ ...operation, definitions: {}, leftOut: [], warnings: [] });
  // What is looked at may name more, which comes to the end of the map.
  const inOrder: [string, JsonValue][] = [];
  for (const [name, to] of names) if (Object.hasOwn(definitions, name)) inOrder.push([to, plain(definitions[name])]);
  return { operation: first, definitions: Object.fromEntries(inOrder), leftOut: leftOut.map(renamed) };
}
