import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { mapReferences } from './map-references.js';
import type { OpenapiCatalog, Operation } from './openapi-catalog.js';
import type { Provider } from './provider-of.js';

/** A document taken apart, so that one operation is had without reading the others. Schemas are in it once each. */
export interface OperationIndex {
  readonly catalog: OpenapiCatalog;
  /** As JSON, in the order of the catalog, without the schemas that they refer to. */
  readonly operations: readonly string[];
  /** The schemas that operations and other schemas refer to, as JSON. */
  readonly definitions: readonly (readonly [name: string, json: string])[];
  /** Those that offer choices, by the ids of their operations. */
  readonly providers: { readonly [operation: string]: Provider };
}

/** An operation with the schemas it refers to, the nearest first, as many of them as there is room for. */
export function operationFrom(json: string, definition: (name: string) => string | undefined): Operation {
  const operation = JSON.parse(json) as Operation;
  const definitions: [string, JsonValue][] = [];
  const leftOut: string[] = [];
  let room: number = limits.apiSchemas;
  const names = new Set<string>();
  for (const { schema } of operation.parameters) addNames(schema, names);
  for (const { schema } of operation.body?.content ?? []) addNames(schema, names);
  for (const { headers, content } of operation.answers)
    for (const { schema } of [...headers, ...content]) addNames(schema, names);
  // What is looked at may name more, which comes to the end of the set.
  for (const name of names) {
    const text = definition(name);
    if (text === undefined) continue;
    if (room <= 0 || definitions.length >= limits.apiDefinitions || text.length > room) {
      leftOut.push(name);
      continue;
    }
    room -= text.length;
    const schema = JSON.parse(text) as JsonValue;
    definitions.push([name, schema]);
    addNames(schema, names);
  }
  return { ...operation, definitions: Object.fromEntries(definitions), leftOut };
}

const prefix = '#/$defs/';

/** The definitions that a schema refers to. */
export function addNames(schema: JsonValue | undefined, names: Set<string>): void {
  mapReferences({ value: schema, file: '', path: [] }, ({ value }) => {
    if (typeof value === 'string' && value.startsWith(prefix)) names.add(value.slice(prefix.length));
    return undefined;
  });
}
