import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { applyPatch } from './apply-patch.js';
import { jsonDifference } from './json-difference.js';
import { openDocument } from './live-document.js';

function becomes(before: JsonValue, after: JsonValue): JsonValue {
  const document = openDocument(before);
  if (!document.ok) throw new Error(document.error.message);
  const applied = applyPatch(document.value, jsonDifference(before, after));
  if (!applied.ok) throw new Error(applied.error.message);
  return document.value.value;
}

const issue = (id: number, more: JsonObject = {}): JsonObject => ({
  id,
  title: `A title of issue ${id}, which is long enough`,
  labels: ['open'],
  ...more,
});

describe('the difference of two documents', () => {
  it.each<[string, JsonValue, JsonValue, readonly string[]]>([
    ['equal ones', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['another kind', { a: 1 }, [1], ['replace ']],
    [
      'a member deep inside',
      { a: { b: { c: 1, d: 'x'.repeat(99) } } },
      { a: { b: { c: 2, d: 'x'.repeat(99) } } },
      ['replace /a/b/c'],
    ],
    [
      'what goes before what comes',
      { a: 'old value', c: 'x'.repeat(99) },
      { b: 'new', c: 'x'.repeat(99) },
      ['remove /a', 'add /b'],
    ],
    ['a part as a whole, where that is shorter', { a: { b: 1, c: 2, d: 3 } }, { a: { e: 4 } }, ['replace /a']],
    ['names with signs', { 'a/b': 1, 'm~n': 1, x: 0 }, { 'a/b': 2, 'm~n': 1, x: 0 }, ['replace /a~1b']],
    ['an element at the end', [1, 2, 3, 'x'.repeat(99)], [1, 2, 3, 'x'.repeat(99), 4], ['add /4']],
    ['elements at the front', [3, 4, 'x'.repeat(99)], [1, 2, 3, 4, 'x'.repeat(99)], ['add /0', 'add /1']],
    ['elements in the middle', [1, 2, 3, 4, 'x'.repeat(99)], [1, 4, 'x'.repeat(99)], ['remove /1', 'remove /1']],
    [
      'an element that changes',
      [issue(1), issue(2), issue(3)],
      [issue(1), issue(2, { open: false }), issue(3)],
      ['add /1/open'],
    ],
    [
      'elements by their id, however much of them changes',
      [issue(1), issue(2), issue(3), issue(4)],
      [issue(0), issue(2, { open: false }), issue(4, { title: 'Another' }), issue(5)],
      ['replace /0', 'add /1/open', 'remove /2', 'replace /2/title', 'add /3'],
    ],
    ['an element that is another one', [issue(1), issue(2)], [issue(1), issue(3)], ['replace /1']],
  ])('of %s', (_, before, after, expected) => {
    expect(jsonDifference(before, after).map(({ op, path }) => `${op} ${path}`)).toEqual(expected);
    expect(becomes(before, after)).toEqual(after);
  });

  it('has members that every object knows', () => {
    const before = JSON.parse(
      '{"__proto__":{"a":1},"x":"long enough to stay as it is, whatever else there is"}',
    ) as JsonValue;
    const after = JSON.parse(
      '{"__proto__":{"a":2},"constructor":1,"x":"long enough to stay as it is, whatever else there is"}',
    ) as JsonValue;
    expect(jsonDifference(before, after)).toEqual([
      { op: 'replace', path: '/__proto__/a', value: 2 },
      { op: 'add', path: '/constructor', value: 1 },
    ]);
  });

  it('is never more operations than a patch may have', () => {
    const many = (at: number): JsonValue =>
      Array.from({ length: 3000 }, (_, id) => issue(id, { at: id % 2 === 0 ? at : 0 }));
    const difference = jsonDifference({ list: many(1) }, { list: many(2) });
    expect(difference).toHaveLength(1);
    expect(difference.length).toBeLessThanOrEqual(limits.patchOperations);
  });

  test('many elements that are alike are compared within a bound', () => {
    const alike = Array.from({ length: 20_000 }, (_, at) => at % 3);
    const shifted = ['first', ...alike.slice(1, -1), 'last'];
    const before = [...alike, 'x'];
    const after = [...shifted.slice(1).toReversed(), 'y'];
    expect(becomes(before, after)).toEqual(after);
  });
});
