import { own } from '../base/own.js';
import type { JsonValue } from '../base/json-value.js';
import type { Method, OperationParameter, OperationShape } from '../definitions/compiled/operation-shape.js';
import type { Operation } from './openapi-catalog.js';
import { addNames } from './operation-index.js';
import { serverUrl } from './server-url.js';

/** What a workflow keeps of an operation: what a request of it takes, and nothing of what it answers. */
export function operationShapeOf(
  { method, path, safety, parameters, body, definitions, ownServers, servers }: Operation,
  { catalogHash, idempotencyHeader }: Pick<OperationShape, 'catalogHash' | 'idempotencyHeader'>,
): OperationShape {
  const bodies = (body?.content ?? []).map(({ type, schema, encoding }) => ({
    contentType: type,
    required: body?.required ?? false,
    ...(schema !== undefined && { schema }),
    ...(encoding !== undefined && { encoding }),
  }));
  const names = new Set<string>();
  for (const { schema } of [...parameters, ...bodies]) addNames(schema, names);
  const used: [string, JsonValue][] = [];
  for (const name of names) {
    const schema = own(definitions, name);
    if (schema === undefined) continue;
    used.push([name, schema]);
    addNames(schema, names);
  }
  const url = ownServers && servers[0] !== undefined ? serverUrl(servers[0]) : undefined;
  const baseUrl = url?.ok === true ? url.value : undefined;
  return {
    catalogHash,
    method: method as Method,
    path,
    ...(baseUrl !== undefined && { baseUrl }),
    safety,
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
    parameters: parameters.map(
      ({
        name,
        in: place,
        required,
        schema,
        style,
        explode,
        allowReserved,
        segments,
        contentType,
      }): OperationParameter => ({
        name,
        in: place,
        required,
        ...(schema !== undefined && { schema }),
        style,
        explode,
        ...(allowReserved && { allowReserved }),
        ...(segments === true && { segments }),
        ...(contentType !== undefined && { contentType }),
      }),
    ),
    bodies,
    ...(used.length > 0 && { definitions: Object.fromEntries(used) }),
  };
}
