import { shownJson } from '../canonical-json.js';
import { closestName } from '../closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { own } from '../own.js';
import { err, ok, type Result } from '../result.js';
import { isArray, parsePointer } from './json-pointer.js';
import type { PatchProblem } from './patch-problem.js';

/** Operations done one after the other, all of them or none (RFC 6902). */
export type JsonPatch = readonly PatchOperation[];

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string };

/** What goes with each operation besides `path`. */
const needs = { add: 'value', replace: 'value', test: 'value', remove: undefined, move: 'from', copy: 'from' } as const;
const names = Object.keys(needs) as readonly (keyof typeof needs)[];

/** What a caller sent, as operations that have the right shape. Members that mean nothing are passed over, as RFC 6902 asks. */
export function readPatch(sent: JsonValue): Result<JsonPatch, PatchProblem> {
  if (!isArray(sent))
    return err({
      rule: 'shape',
      place: '',
      pointer: '',
      message: 'a patch is an array of operations',
      actual: shownJson(sent),
      action: 'send `[{ "op": "replace", "path": "/name", "value": "new" }]`, with your own path and value',
    });
  if (sent.length > limits.patchOperations)
    return err({
      rule: 'too_many',
      place: '',
      pointer: '',
      message: `a patch has at most ${limits.patchOperations} operations, and this one has ${sent.length}`,
      action: 'send several patches one after the other, or replace a larger part by one operation',
    });
  const operations: PatchOperation[] = [];
  for (const [index, one] of sent.entries()) {
    const operation = readOperation(one, index);
    if (!operation.ok) return operation;
    operations.push(operation.value);
  }
  return ok(operations);
}

function readOperation(sent: JsonValue, operation: number): Result<PatchOperation, PatchProblem> {
  const wrong = (field: string, message: string, action: string, found?: JsonValue): Result<never, PatchProblem> =>
    err({
      rule: 'shape',
      operation,
      place: field === '' ? `/${operation}` : `/${operation}/${field}`,
      pointer: '',
      message,
      action,
      ...(found !== undefined && { actual: shownJson(found) }),
    });
  if (!isJsonObject(sent))
    return wrong('', 'an operation is an object', 'give it `op`, `path` and what the operation takes', sent);
  const op = own(sent, 'op');
  const name = names.find((known) => known === op);
  if (name === undefined) {
    const meant = typeof op === 'string' ? closestName(op, names) : undefined;
    const what = op === undefined ? '`op` is missing' : `there is no such operation`;
    return wrong('op', what, `use ${meant === undefined ? `one of ${names.join(', ')}` : `\`${meant}\``}`, op);
  }
  for (const field of ['path', ...(needs[name] === 'from' ? (['from'] as const) : [])] as const) {
    const place = own(sent, field);
    if (typeof place !== 'string')
      return wrong(
        field,
        place === undefined ? `\`${field}\` is missing` : `\`${field}\` is not a JSON Pointer`,
        `give \`${name}\` a \`${field}\` such as \`/items/0/name\``,
        place,
      );
    const pointer = parsePointer(place);
    if (!pointer.ok) return wrong(field, pointer.error.message, pointer.error.action, place);
  }
  if (needs[name] === 'value' && own(sent, 'value') === undefined)
    return wrong('value', '`value` is missing', `give \`${name}\` a \`value\`; it may be null`);
  return ok(known(name, sent));
}

function known(op: keyof typeof needs, { path, from, value }: JsonObject): PatchOperation {
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { op, path: path as string, value: value as JsonValue };
    case 'remove':
      return { op, path: path as string };
    case 'move':
    case 'copy':
      return { op, from: from as string, path: path as string };
  }
}
