import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isKeyAt, jsonStrings } from './json-strings.js';

it('finds the strings and the keys that a parser finds', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('\\', '"', '\\"', ': {', '\\\\'));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), fc.constantFrom('', ' ', '\n\t'), (pairs, space) => {
      const json = `{${pairs.map(([key, value]) => `${JSON.stringify(key)}${space}:${JSON.stringify(value)}`).join()}}`;
      const found = [...jsonStrings(json)];
      expect(found.map(({ start, end }) => JSON.parse(json.slice(start, end)) as string)).toEqual(pairs.flat());
      expect(found.map(({ end }) => isKeyAt(json, end))).toEqual(pairs.flatMap(() => [true, false]));
    }),
  );
});

it('finds a string of many letters or many backslashes', () => {
  for (const letters of ['x'.repeat(10_000_000), '\\\\'.repeat(5_000_000)])
    expect([...jsonStrings(`{"a":"${letters}"}`)]).toHaveLength(2);
});
