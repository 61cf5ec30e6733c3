import { describe, expect, it, test } from 'vitest';
import type { JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { applyPatch } from './apply-patch.js';
import { type JsonPatch, readPatch } from './json-patch.js';
import { type LiveDocument, openDocument } from './live-document.js';
import type { PatchProblem } from './patch-problem.js';

function opened(value: JsonValue): LiveDocument {
  const document = openDocument(value);
  if (!document.ok) throw new Error(document.error.message);
  return document.value;
}

function problemOf(document: LiveDocument, patch: JsonPatch): PatchProblem {
  const before = JSON.stringify(document.value);
  const bytes = document.bytes;
  const applied = applyPatch(document, patch);
  if (applied.ok) throw new Error('the patch applies');
  expect(JSON.stringify(document.value)).toBe(before);
  expect(document.bytes).toBe(bytes);
  return applied.error;
}

const said = ({ message, action }: PatchProblem): string => `${message}: ${action}`;
const text = (length: number): string => 'x'.repeat(length);

describe('what is refused says where, why, what is there and what to do', () => {
  const document = { name: 'x', size: 3, none: null, items: [1, 2, 3], empty: [], map: { status: 'open' } };

  it.each<[JsonPatch[number], string, string]>([
    [
      { op: 'remove', path: '/map/statu' },
      '/map/statu',
      'there is no `/map/statu`; did you mean `/map/status`?: correct the path, or add `/map/statu` first',
    ],
    [
      { op: 'add', path: '/other/deep', value: 1 },
      '/other',
      'there is no `/other`: correct the path, or add `/other` first',
    ],
    [
      { op: 'add', path: '/name/first', value: 1 },
      '/name',
      '`/name/first` leads nowhere: `/name` is text, which has nothing inside: replace `/name` as a whole, or correct the path',
    ],
    [
      { op: 'replace', path: '/none/first', value: 1 },
      '/none',
      '`/none/first` leads nowhere: `/none` is null, which has nothing inside: replace `/none` as a whole, or correct the path',
    ],
    [
      { op: 'add', path: '/items/4', value: 1 },
      '/items/4',
      '`/items` has 3 elements, and 4 is past its end: use an index from 0 to 3, or `-` to append',
    ],
    [
      { op: 'remove', path: '/items/3' },
      '/items/3',
      '`/items` has 3 elements, and 3 is past its end: use an index from 0 to 2',
    ],
    [
      { op: 'replace', path: '/empty/0', value: 1 },
      '/empty/0',
      '`/empty` has 0 elements, and 0 is past its end: add an element first',
    ],
    [
      { op: 'replace', path: '/items/01', value: 1 },
      '/items/01',
      '`01` is no index, since it begins with 0: use an index from 0 to 2',
    ],
    [
      { op: 'add', path: '/items/length', value: 1 },
      '/items/length',
      '`/items` is an array, and `length` is no index: use an index from 0 to 3, or `-` to append',
    ],
    [
      { op: 'remove', path: '/items/-' },
      '/items/-',
      '`-` is the place behind the last element, where nothing is yet: use an index from 0 to 2 for an element that is there',
    ],
    [
      { op: 'remove', path: '' },
      '',
      'the document as a whole cannot be removed: replace it: `{ "op": "replace", "path": "", "value": {} }`',
    ],
    [
      { op: 'move', from: '/map', path: '/map/inner' },
      '/map/inner',
      '`/map` cannot be moved to `/map/inner`, which is inside of it: move it elsewhere, or use `copy`',
    ],
    [
      { op: 'test', path: '/size', value: 4 },
      '/size',
      '`/size` is not what the operation expects: read the document again, and send a patch that fits what is there now',
    ],
    [
      { op: 'copy', from: '/constructor', path: '/a' },
      '/constructor',
      'there is no `/constructor`: correct the path, or add `/constructor` first',
    ],
  ])('%j', (operation, pointer, words) => {
    const problem = problemOf(opened(document), [{ op: 'add', path: '/more', value: [] }, operation]);
    expect(said(problem)).toBe(words);
    expect(problem).toMatchObject({ operation: 1, pointer });
  });

  it('names the field that is wrong, and shows what stands there', () => {
    expect(problemOf(opened(document), [{ op: 'move', from: '/nam', path: '/a' }])).toMatchObject({
      place: '/0/from',
      rule: 'not_there',
      action: 'correct the path, or add `/nam` first',
    });
    expect(problemOf(opened(document), [{ op: 'test', path: '/items', value: [1] }])).toMatchObject({
      place: '/0/value',
      rule: 'test_failed',
      expected: '[1]',
      actual: '[1,2,3]',
    });
  });

  it.each<[JsonValue, string, string]>([
    [{ op: 'add' }, '', 'a patch is an array of operations'],
    [['add'], '/0', 'an operation is an object'],
    [[{ path: '/a' }], '/0/op', '`op` is missing'],
    [[{ op: 'spam', path: '/a' }], '/0/op', 'there is no such operation'],
    [[{ op: 'add', value: 1 }], '/0/path', '`path` is missing'],
    [[{ op: 'add', path: null, value: 1 }], '/0/path', '`path` is not a JSON Pointer'],
    [[{ op: 'add', path: '/a' }], '/0/value', '`value` is missing'],
    [[{ op: 'move', path: '/a' }], '/0/from', '`from` is missing'],
    [[{ op: 'copy', path: '/a', from: 'b' }], '/0/from', '`b` does not begin with `/`'],
    [[{ op: 'remove', path: '/a~2' }], '/0/path', '`/a~2` has `~2`, which stands for nothing'],
    [[{ constructor: 1, op: 'constructor', path: '' }], '/0/op', 'there is no such operation'],
  ])('%j is no patch', (sent, place, message) => {
    expect(readPatch(sent)).toMatchObject({ ok: false, error: { rule: 'shape', place, message } });
  });

  it('hints at an operation that was meant', () => {
    expect(readPatch([{ op: 'Replace', path: '/a', value: 1 }])).toMatchObject({ error: { action: 'use `replace`' } });
  });
});

describe('members that every object knows', () => {
  const parsed = (json: string): JsonValue => JSON.parse(json) as JsonValue;

  it('are data: added, read, copied, replaced and moved like others', () => {
    const document = opened({});
    const patch = readPatch(
      parsed(`[
        { "op": "add", "path": "/__proto__", "value": { "x": 1, "__proto__": { "polluted": true } } },
        { "op": "test", "path": "/__proto__/__proto__/polluted", "value": true },
        { "op": "copy", "from": "/__proto__", "path": "/constructor" },
        { "op": "replace", "path": "/constructor/__proto__", "value": 2 },
        { "op": "move", "from": "/constructor", "path": "/prototype" },
        { "op": "add", "path": "/toString", "value": null }
      ]`),
    );
    expect(patch.ok && applyPatch(document, patch.value).ok).toBe(true);
    expect(JSON.stringify(document.value)).toBe(
      '{"__proto__":{"x":1,"__proto__":{"polluted":true}},"prototype":{"x":1,"__proto__":2},"toString":null}',
    );
    expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(document.value)).toBe(Object.prototype);
  });

  it.each(['/__proto__', '/constructor/prototype', '/a/__proto__', '/hasOwnProperty'])(
    'are not there unless somebody put them there: %s',
    (path) => {
      for (const operation of [
        { op: 'replace', path, value: 1 },
        { op: 'remove', path },
        { op: 'copy', from: path, path: '/b' },
        { op: 'add', path: `${path}/polluted`, value: 1 },
      ] as const)
        expect(problemOf(opened({ a: {} }), [operation]).rule).toBe('not_there');
    },
  );
});

describe('bounds', () => {
  it('count the document after each operation, to the byte', () => {
    const rest = JSON.stringify({ a: '' }).length;
    const document = opened({});
    const full = { op: 'add', path: '/a', value: text(limits.sharedDocument - rest) } as const;
    const applied = applyPatch(document, [full]);
    expect(applied.ok && document.bytes).toBe(limits.sharedDocument);
    expect(
      problemOf(document, [
        { op: 'add', path: '/b', value: 1 },
        { op: 'remove', path: '/b' },
      ]),
    ).toMatchObject({
      rule: 'too_large',
      operation: 0,
      place: '/0/value',
      message: 'the document would have 1,000,006 bytes, of at most 1,000,000',
    });
    expect(problemOf(opened({}), [{ ...full, value: `${full.value}x` }]).rule).toBe('too_large');
    expect(openDocument({ a: full.value }).ok).toBe(true);
    expect(openDocument({ a: `${full.value}x` })).toMatchObject({ ok: false, error: { rule: 'too_large' } });
  });

  test('copies that double the document end at the operation that passes the bound', () => {
    const document = opened({ items: [1, 2, 3, 4] });
    const patch = Array.from({ length: 22 }, (_, at) => ({ op: 'copy', from: '', path: `/copy${at}` }) as const);
    const problem = problemOf(document, patch);
    expect(problem).toMatchObject({ rule: 'too_large', place: '/15/path' });
  });

  test('what is copied, moved deeper and taken out is counted together', () => {
    const document = opened({ big: Array.from({ length: 100 }, () => text(4000)), small: {} });
    const rounds = (count: number): JsonPatch =>
      Array.from({ length: count }, () => [
        { op: 'copy', from: '/big', path: '/other' } as const,
        { op: 'remove', path: '/other' } as const,
      ]).flat();
    expect(applyPatch(document, rounds(20)).ok).toBe(true);
    expect(problemOf(document, rounds(30))).toMatchObject({ rule: 'too_much_work', operation: 49 });
    const moves = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0
        ? ({ op: 'move', from: '/big', path: '/small/big' } as const)
        : ({ op: 'move', from: '/small/big', path: '/big' } as const),
    );
    expect(applyPatch(document, moves.slice(0, 40)).ok).toBe(true);
    expect(problemOf(document, [...moves, ...moves]).rule).toBe('too_much_work');
  });

  it('end the nesting where it is too deep', () => {
    const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)]);
    const document = opened(nested(limits.callerDepth - 1));
    const inmost = '/0'.repeat(limits.callerDepth - 1);
    expect(applyPatch(document, [{ op: 'replace', path: inmost, value: [] }]).ok).toBe(true);
    expect(problemOf(document, [{ op: 'add', path: `${inmost}/-`, value: [] }]).rule).toBe('too_deep');
    expect(problemOf(document, [{ op: 'add', path: '/-', value: nested(limits.callerDepth) }]).rule).toBe('too_deep');
    expect(problemOf(document, [{ op: 'copy', from: '/0', path: '/0/0/0' }]).rule).toBe('too_deep');
    expect(openDocument(nested(limits.callerDepth)).ok).toBe(true);
    expect(openDocument(nested(limits.callerDepth + 1))).toMatchObject({ ok: false, error: { rule: 'too_deep' } });
    expect(openDocument(nested(5000))).toMatchObject({ ok: false, error: { rule: 'too_deep' } });
    expect(problemOf(opened({}), [{ op: 'add', path: '/a', value: nested(5000) }]).rule).toBe('too_deep');
  });

  it('let a thousand operations pass, and no more', () => {
    const patch = (count: number): JsonValue =>
      Array.from({ length: count }, () => ({ op: 'test', path: '', value: 1 }));
    expect(readPatch(patch(limits.patchOperations)).ok).toBe(true);
    expect(readPatch(patch(limits.patchOperations + 1))).toMatchObject({ ok: false, error: { rule: 'too_many' } });
  });

  it('do not hold what is replayed, and its tests are passed over', () => {
    const document = opened({ a: text(600_000) });
    const patch: JsonPatch = [
      { op: 'test', path: '/a', value: 'redacted since' },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'remove', path: '/a' },
    ];
    expect(problemOf(document, patch.slice(1)).rule).toBe('too_large');
    expect(applyPatch(document, patch, { replay: true }).ok).toBe(true);
    expect(Object.keys(document.value as object)).toEqual(['b']);
  });
});

describe('an applied patch', () => {
  it('shares nothing with what was sent, nor two places with each other', () => {
    const value = { inner: [1] };
    const document = opened({});
    applyPatch(document, [
      { op: 'add', path: '/a', value },
      { op: 'add', path: '/b', value },
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/a/inner/-', value: 2 },
      { op: 'add', path: '/c/inner/0', value: 3 },
    ]);
    expect(document.value).toEqual({ a: { inner: [1, 2] }, b: { inner: [1] }, c: { inner: [3, 1] } });
    expect(value).toEqual({ inner: [1] });
  });

  it.each<[JsonPatch, boolean]>([
    [[], false],
    [[{ op: 'test', path: '/b', value: { c: 1, d: 2 } }], false],
    [[{ op: 'replace', path: '/b', value: { d: 2, c: 1 } }], false],
    [[{ op: 'add', path: '/a', value: 1 }], false],
    [[{ op: 'move', from: '/a', path: '/a' }], false],
    [[{ op: 'copy', from: '/a', path: '/b/c' }], false],
    [[{ op: 'replace', path: '', value: { a: 1, b: { c: 1, d: 2 } } }], false],
    [[{ op: 'replace', path: '/a', value: 2 }], true],
    [[{ op: 'remove', path: '/a' }], true],
  ])('%j changes something: %s', (patch, changed) => {
    const document = opened({ a: 1, b: { c: 1, d: 2 } });
    expect(applyPatch(document, patch)).toMatchObject({ ok: true, value: { changed } });
  });

  it('gives members back their order when it is undone', () => {
    const document = opened({ a: 1, b: 2, c: { x: 1, y: 2, z: 3 }, d: 4 });
    const before = JSON.stringify(document.value);
    const applied = applyPatch(document, [
      { op: 'remove', path: '/a' },
      { op: 'move', from: '/c/x', path: '/c/w' },
      { op: 'remove', path: '/b' },
      { op: 'add', path: '/a', value: 5 },
      { op: 'move', from: '/c', path: '' },
      { op: 'remove', path: '/y' },
    ]);
    expect(JSON.stringify(document.value)).toBe('{"z":3,"w":1}');
    if (applied.ok) applied.value.undo();
    expect(JSON.stringify(document.value)).toBe(before);
  });
});
