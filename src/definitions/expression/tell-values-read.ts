import { byteLength } from '../../base/byte-budget.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { plural } from '../../base/plural.js';
import { contextReads } from './context-reads.js';

const keysTold = 4;
/** In bytes, as JSON. */
const longestValue = 60;

/** What the keys held that a condition asks about, behind the condition: ` (size was "small")`; nothing where none is set. */
export function tellValuesRead(condition: string, context: JsonObject): string {
  const held = contextReads(condition).flatMap(({ key }) => {
    const value = own(context, key);
    return value === undefined ? [] : [`${key} was ${tellValue(value)}`];
  });
  if (held.length === 0) return '';
  const more = held.length - keysTold;
  return ` (${held.slice(0, keysTold).join(', ')}${more > 0 ? `, and ${more} more` : ''})`;
}

/** Whole or not at all. */
function tellValue(value: JsonValue): string {
  const json = JSON.stringify(value);
  if (byteLength(json) <= longestValue) return json;
  if (Array.isArray(value)) return `a list of ${plural(value.length, 'entry', 'entries')}`;
  return typeof value === 'string' ? `a text of ${plural([...value].length, 'character')}` : 'an object';
}
