import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { parsePointer, valueAt } from '../../base/patch/json-pointer.js';
import { sameJson } from '../../base/patch/same-json.js';
import { compareDocuments, countChanges, type Part } from './compare-documents.js';

const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.nat(3), fc.constantFrom('a', 'b', '__proto__')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'id', 'a/b', '__proto__'), tie('value'), { noNullPrototype: true }),
  ),
}));

function* all(part: Part): Iterable<Part> {
  yield part;
  for (const inner of part.parts ?? []) yield* all(inner);
}
const at = (document: JsonValue, pointer: string): JsonValue | undefined => {
  const parsed = parsePointer(pointer);
  return parsed.ok ? valueAt(document, parsed.value) : undefined;
};

describe('two documents as one', () => {
  it('say of each part what became of it, and nothing differs that is the same', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const whole = compareDocuments(before, after);
        expect(whole.change === 'same').toBe(sameJson(before, after));
        for (const part of all(whole)) {
          const here = at(part.change === 'removed' ? before : after, part.pointer);
          expect(here).toEqual(part.value);
          if (part.change === 'changed') expect(part.before).not.toEqual(part.value);
          if (part.change === 'within') expect(part.parts?.some(({ change }) => change !== 'same')).toBe(true);
        }
      }),
    );
  });

  it('have every part of both documents in them', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        for (const { change, value, before: old, parts } of all(compareDocuments(before, after))) {
          if (change !== 'within' || parts === undefined) continue;
          const shown = parts.filter((part) => part.change !== 'removed');
          expect(shown.map((part) => part.value)).toEqual(Object.values(value as object));
          expect(old).toBeUndefined();
        }
      }),
    );
  });

  it('follow elements by their id, and show what was removed where it stood', () => {
    const whole = compareDocuments(
      { tasks: [{ id: 1, done: false }, { id: 2 }, { id: 3 }], note: 'x', end: 1 },
      { tasks: [{ id: 0 }, { id: 1, done: true }, { id: 3 }], end: 1 },
    );
    expect(whole.parts?.map(({ key, change }) => [key, change])).toEqual([
      ['tasks', 'within'],
      ['note', 'removed'],
      ['end', 'same'],
    ]);
    expect(whole.parts?.[0]?.parts?.map(({ pointer, change }) => [pointer, change])).toEqual([
      ['/tasks/0', 'added'],
      ['/tasks/1', 'within'],
      ['/tasks/1', 'removed'],
      ['/tasks/2', 'same'],
    ]);
    expect(countChanges(whole)).toEqual({ added: 1, changed: 1, removed: 2 });
  });

  it('differ in nothing where there is no first one', () => {
    expect(countChanges(compareDocuments(undefined, { a: [1] }))).toEqual({ added: 0, changed: 0, removed: 0 });
  });
});
