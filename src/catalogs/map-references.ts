import type { JsonValue } from '../base/json-value.js';
import { isObject, type Spot } from './document-reporter.js';

/** What takes the place of a reference; undefined where it leads nowhere and is left out. */
export type Renamed = (reference: Spot) => string | undefined;

type Role = 'schema' | 'list' | 'either' | 'named' | 'mapping';

/** The keywords that hold schemas. In all others, such as `enum` or `example`, a `$ref` is a name like any other. */
const roles: ReadonlyMap<string, Role> = new Map([
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, 'list'] as const),
  ...[
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'additionalProperties',
    'additionalItems',
    'unevaluatedItems',
    'unevaluatedProperties',
    'contentSchema',
  ].map((name) => [name, 'schema'] as const),
  ['items', 'either'],
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'].map(
    (name) => [name, 'named'] as const,
  ),
  ['discriminator', 'mapping'],
]);

/** A copy of a schema with its references renamed. What is no schema in it stays as it is. */
export function mapReferences(at: Spot, rename: Renamed): JsonValue {
  if (!isObject(at.value)) return at.value as JsonValue;
  const made: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(at.value)) {
    const spot = { value, file: at.file, path: [...at.path, name] };
    if (name === '$ref') {
      const renamed = typeof value === 'string' ? rename(spot) : undefined;
      if (renamed !== undefined) made.push([name, renamed]);
    } else made.push([name, mapMember(roles.get(name), spot, rename)]);
  }
  return Object.fromEntries(made);
}

function mapMember(role: Role | undefined, at: Spot, rename: Renamed): JsonValue {
  switch (role) {
    case undefined:
      return at.value as JsonValue;
    case 'schema':
      return mapReferences(at, rename);
    case 'list':
      return mapList(at, rename);
    case 'either':
      return Array.isArray(at.value) ? mapList(at, rename) : mapReferences(at, rename);
    case 'named':
      return mapNamed(at, rename);
    case 'mapping':
      return mapDiscriminator(at, rename);
  }
}

function mapList(at: Spot, rename: Renamed): JsonValue {
  if (!Array.isArray(at.value)) return at.value as JsonValue;
  return (at.value as readonly unknown[]).map((value, index) =>
    mapReferences({ value, file: at.file, path: [...at.path, index] }, rename),
  );
}

function mapNamed(at: Spot, rename: Renamed): JsonValue {
  if (!isObject(at.value)) return at.value as JsonValue;
  return Object.fromEntries(
    Object.entries(at.value).map(([name, value]) => [
      name,
      mapReferences({ value, file: at.file, path: [...at.path, name] }, rename),
    ]),
  );
}

/** What a discriminator maps to is a reference where it looks like one, and else the name of a schema. */
function mapDiscriminator(at: Spot, rename: Renamed): JsonValue {
  if (!isObject(at.value) || !isObject(at.value['mapping'])) return at.value as JsonValue;
  const mapping = Object.entries(at.value['mapping']).map(([name, value]): [string, JsonValue] => {
    if (typeof value !== 'string' || !value.includes('#/')) return [name, value as JsonValue];
    const path = [...at.path, 'mapping', name];
    return [name, rename({ value, file: at.file, path }) ?? value];
  });
  return { ...(at.value as { [name: string]: JsonValue }), mapping: Object.fromEntries(mapping) };
}
