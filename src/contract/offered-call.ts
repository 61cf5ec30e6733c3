import { hole, isHole } from '../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';

/** What is changed in a caller's own request before it is offered back. `undefined` takes the field out. */
export interface Mend {
  /** JSON pointer into the request. */
  readonly at: string;
  readonly to: JsonValue | undefined;
}

const longText = 300;
const manyElements = 20;
const wholeCall = 3000;

/** The caller's own request with what was wrong made right or made a hole. Long texts become holes too: they are the caller's to send again. */
export function offeredCall(tool: string, request: JsonObject, mends: readonly Mend[] = []): NextCall {
  let mended: JsonValue = request;
  for (const { at, to } of mends) mended = changed(mended, at.split('/').slice(1), to);
  const short = shortened(mended, '');
  const args = isJsonObject(short) ? short : {};
  if (JSON.stringify(args).length <= wholeCall) return { tool, arguments: args };
  // Too much even so: what names the work stays, the rest is the caller's to send again.
  return {
    tool,
    arguments: Object.fromEntries(
      Object.entries(args).map(([field, value]) => [
        field,
        typeof value === 'object' ? hole(`your ${field} again`) : value,
      ]),
    ),
  };
}

function changed(value: JsonValue, path: readonly string[], to: JsonValue | undefined): JsonValue {
  const [field, ...rest] = path;
  if (field === undefined) return to ?? value;
  if (Array.isArray(value)) return changedList(value as readonly JsonValue[], field, rest, to);
  const fields = new Map(Object.entries(isJsonObject(value) ? value : {}));
  const inner = rest.length === 0 ? to : changed(fields.get(field) ?? (rest[0] === '-' ? [] : {}), rest, to);
  if (inner === undefined) fields.delete(field);
  else fields.set(field, inner);
  return Object.fromEntries(fields);
}

function changedList(
  list: readonly JsonValue[],
  field: string,
  rest: readonly string[],
  to: JsonValue | undefined,
): JsonValue {
  const index = field === '-' ? list.length : Number(field);
  if (!Number.isInteger(index) || index > list.length) return list;
  const inner = rest.length === 0 ? to : changed(list[index] ?? {}, rest, to);
  return inner === undefined ? list.filter((_, at) => at !== index) : list.toSpliced(index, 1, inner);
}

function shortened(value: JsonValue, name: string): JsonValue {
  if (typeof value === 'string') return value.length <= longText || isHole(value) ? value : hole(`your ${name} again`);
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    return list.length > manyElements ? hole(`your ${name} again`) : list.map((element) => shortened(element, name));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field.slice(0, longText), shortened(inner, field.slice(0, 60))]),
  );
}
