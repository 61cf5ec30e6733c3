import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { contextReads } from '../expression/context-reads.js';
import { evaluateCondition } from '../expression/expression.js';
import { memoize } from '../expression/memoize.js';

/**
 * An example of a key with which the user's agreement is asked for, wherever it hangs on the key: whoever hands back
 * what is shown must not thereby pass by the person who is to agree.
 */
export function askingExample(agreements: ReadonlySet<string>, key: string): JsonValue | undefined {
  for (const source of agreements) {
    const value = own(askingContext(source), key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Values with which a condition holds: each by itself where it can, else beside the first that come to mind of the others. */
const askingContext: (source: string) => JsonObject = memoize((source) => {
  const holds = (context: JsonObject): boolean => {
    const result = evaluateCondition(source, { inputs: {}, context, outputs: {}, names: {} });
    return !result.ok || result.value;
  };
  const reads = contextReads(source).map(({ key, values }) => ({ key, values: likely(values) }));
  const first = Object.fromEntries(reads.map(({ key, values }) => [key, values[0]!]));
  return Object.fromEntries(
    reads.flatMap(({ key, values }): readonly (readonly [string, JsonValue])[] => {
      const value =
        values.find((one) => holds({ [key]: one })) ?? values.find((one) => holds({ ...first, [key]: one }));
      return value === undefined ? [] : [[key, value]];
    }),
  );
});

const otherwise = '…';

/** What it is compared with, and what is not that. */
function likely(compared: readonly JsonValue[]): readonly JsonValue[] {
  const values = compared.filter((value) => value !== null);
  const beside = values.flatMap((value): readonly JsonValue[] =>
    typeof value === 'number' ? [value + 1, value - 1] : typeof value === 'boolean' ? [!value] : [],
  );
  const other = values.length === 0 ? [true] : values.every((value) => typeof value === 'string') ? [otherwise] : [];
  return [...new Set([...values, ...beside, ...other])];
}
