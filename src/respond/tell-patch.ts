import { firstWords } from '../base/byte-budget.js';
import type { JsonObject } from '../base/json-value.js';

const valueBytes = 40;
const keysTold = 8;

/** The keys of a patch, each with how its value begins. */
export function tellPatch(patch: JsonObject): readonly string[] {
  const entries = Object.entries(patch);
  const context = entries
    .slice(0, keysTold)
    .map(
      ([key, value]) =>
        `${firstWords(key, valueBytes)}${value === null ? ' deleted' : ` = ${firstWords(JSON.stringify(value), valueBytes)}`}`,
    );
  return entries.length > keysTold ? [...context, `and ${entries.length - keysTold} more`] : context;
}
