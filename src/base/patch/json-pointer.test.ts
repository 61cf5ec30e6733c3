import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonValue } from '../json-value.js';
import { parsePointer, pointersTouch, pointerTo, valueAt } from './json-pointer.js';

const keysOf = (text: string): readonly string[] => {
  const pointer = parsePointer(text);
  if (!pointer.ok) throw new Error(pointer.error.message);
  return pointer.value;
};

describe('a pointer', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['/', ['']],
    ['/a/b', ['a', 'b']],
    ['/a~1b/m~0n', ['a/b', 'm~n']],
    ['/~01', ['~1']],
    ['/a//b', ['a', '', 'b']],
    ['/__proto__/constructor', ['__proto__', 'constructor']],
  ])('%s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(pointerTo(keys)).toBe(text);
  });

  it.each<[string, string, string]>([
    ['a/b', '`a/b` does not begin with `/`', 'write `/a/b`, or an empty text for the whole document'],
    ['#/a', '`#/a` does not begin with `/`', 'write `/a`, or an empty text for the whole document'],
    ['/a/~2b', '`/a/~2b` has `~2`, which stands for nothing', 'write `~0` for a `~` in a name, and `~1` for a `/`'],
    ['/~', '`/~` has `~`, which stands for nothing', 'write `~0` for a `~` in a name, and `~1` for a `/`'],
  ])('%s is refused', (text, message, action) => {
    expect(parsePointer(text)).toEqual({ ok: false, error: { message, action } });
  });

  test('any names make a pointer that is read as these names', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01', '-', '0', '__proto__'));
    fc.assert(
      fc.property(fc.array(name), (keys) => {
        expect(keysOf(pointerTo(keys))).toEqual(keys);
      }),
    );
  });
});

describe('the value at a pointer', () => {
  // As RFC 6901 has them.
  const document = JSON.parse(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8,"__proto__":{"x":9}}',
  ) as JsonValue;

  it.each<[string, JsonValue | undefined]>([
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/__proto__/x', 9],
    ['/foo/2', undefined],
    ['/foo/-', undefined],
    ['/foo/00', undefined],
    ['/foo/-1', undefined],
    ['/foo/1e0', undefined],
    ['/foo/length', undefined],
    ['/foo/0/0', undefined],
    ['/foo/0/length', undefined],
    ['/constructor', undefined],
    ['/toString/length', undefined],
    ['/none/more', undefined],
  ])('%s', (pointer, value) => {
    expect(valueAt(document, keysOf(pointer))).toEqual(value);
  });

  it('is the whole document for an empty one', () => {
    expect(valueAt(document, [])).toBe(document);
  });
});

describe('two pointers', () => {
  const document = { list: [{ a: 1 }, { a: 2 }], map: { 0: { a: 1 }, 1: { a: 2 } } };

  it.each<[string, string, boolean]>([
    ['', '/map/0', true],
    ['/map', '/map/0/a', true],
    ['/map/0', '/map/0', true],
    ['/map/0', '/map/1', false],
    ['/map/0/a', '/map/0/b', false],
    ['/map', '/mapped', false],
    ['/list', '/map', false],
    ['/list/0', '/list/1', true],
    ['/list/0/a', '/list/1/a', true],
    ['/list/0/a', '/list/0/b', false],
    ['/list/-', '/list/-', false],
    ['/list/-', '/list/0', false],
    ['/list/-', '/list', true],
    ['/none/0', '/none/1', false],
    ['/none/0', '/none', true],
    ['/map/-', '/map/-', true],
  ])('%s and %s touch: %s', (one, other, touch) => {
    expect(pointersTouch(document, keysOf(one), keysOf(other))).toBe(touch);
    expect(pointersTouch(document, keysOf(other), keysOf(one))).toBe(touch);
  });
});
