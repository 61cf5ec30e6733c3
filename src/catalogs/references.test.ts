import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json-value.js';
import { err, ok } from '../base/result.js';
import { openReferences } from './references.js';

const files: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['api/shared.json', { Pet: { type: 'object' }, next: { $ref: 'api.json#/a' } }],
  ['common/error.json', { type: 'string' }],
  ['api/with space.json', { x: 1 }],
]);

const main = {
  a: { $ref: '#/b' },
  b: { $ref: '#/c~1d/%7Bid%7D' },
  'c/d': { '{id}': { found: true } },
  list: [{ one: 1 }],
  'a~b': 5,
  '100%': 6,
  loop: { $ref: '#/back' },
  back: { $ref: '#/loop' },
  no: { $ref: 5 },
};
const asked: string[] = [];
const references = openReferences({ value: main, file: 'api/api.json', path: [] }, (path) => {
  asked.push(path);
  const value = files.get(path);
  return value === undefined ? err(`there is no file ${path}`) : ok(value);
});
const find = (reference: string) => references.find(reference, 'api/api.json');
const follow = (reference: unknown) =>
  references.follow({ value: { $ref: reference }, file: 'api/api.json', path: [] });

describe('a reference', () => {
  it.each<[string, JsonValue]>([
    ['#/c~1d/%7Bid%7D', { found: true }],
    ['#/list/0/one', 1],
    ['#/a~0b', 5],
    ['#/100%', 6],
    ['shared.json#/Pet', { type: 'object' }],
    ['./shared.json#/Pet', { type: 'object' }],
    ['../common/error.json', { type: 'string' }],
    ['with%20space.json#/x', 1],
    ['api.json#/list/0/one', 1],
  ])('%s leads to what stands there', (reference, value) => {
    expect(find(reference)).toMatchObject({ ok: true, value: { value } });
  });

  it('is followed past others, through files, to the end', () => {
    expect(follow('shared.json#/next')).toMatchObject({
      ok: true,
      value: { value: { found: true }, file: 'api/api.json', path: ['c/d', '{id}'] },
    });
  });

  it.each([
    ['../../secret.json', 'outside the document’s folder'],
    ['/etc/passwd', 'outside the document’s folder'],
    ['file:///etc/passwd', 'outside the document’s folder'],
    ['https://example.com/a.json', 'outside the document’s folder'],
    ['//example.com/a.json', 'outside the document’s folder'],
    ['..%2F..%2Fsecret.json', 'outside the document’s folder'],
    ['..\\..\\secret.json', 'outside the document’s folder'],
    ['C:/secret.json', 'outside the document’s folder'],
    ['shared.json?x=1', '`?`'],
  ])('%s is not followed', (reference, said) => {
    const before = asked.length;
    expect(find(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
    expect(asked).toHaveLength(before);
  });

  it.each([
    ['#/lits', 'did you mean `list`'],
    ['#/list/01', 'does not exist'],
    ['#/list/length', 'does not exist'],
    ['#/constructor', 'does not exist'],
    ['#/__proto__', 'does not exist'],
    ['#anchor', 'not a JSON pointer'],
    ['gone.json', 'there is no file api/gone.json'],
  ])('%s does not exist', (reference, said) => {
    expect(find(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
  });

  it.each([
    ['#/loop', 'too many references'],
    ['#/no', 'is a text'],
  ])('%s is told where it goes wrong', (reference, said) => {
    expect(follow(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
  });
});
