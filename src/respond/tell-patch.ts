import { firstWords } from '../base/byte-budget.js';
import { plural } from '../base/plural.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';

const valueBytes = 40;
const keysTold = 8;

/** The keys of a patch, each with how its value begins; of a list that grew what came to it. */
export function tellPatch(patch: JsonObject, added: JsonObject = {}): readonly string[] {
  const entries = [
    ...Object.entries(patch).map(([key, value]) => [key, value === null ? ' deleted' : ` = ${shortValue(value)}`]),
    ...Object.entries(added).map(([key, value]) => [key, ` + ${shortValue(value)}`]),
  ];
  const context = entries.slice(0, keysTold).map(([key = '', value]) => `${firstWords(key, valueBytes)}${value}`);
  return entries.length > keysTold ? [...context, `and ${entries.length - keysTold} more`] : context;
}

/** Of a long list its first entries tell nothing of what has just come to it. */
function shortValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return Array.isArray(value) && text.length > valueBytes
    ? plural(value.length, 'entry', 'entries')
    : firstWords(text, valueBytes);
}
