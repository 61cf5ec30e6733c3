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
    ['../../secret.json', 'out of the folder'],
    ['/etc/passwd', 'out of the folder'],
    ['file:///etc/passwd', 'out of the folder'],
    ['https://example.com/a.json', 'out of the folder'],
    ['//example.com/a.json', 'out of the folder'],
    ['..%2F..%2Fsecret.json', 'out of the folder'],
    ['..\\..\\secret.json', 'out of the folder'],
    ['C:/secret.json', 'out of the folder'],
    ['shared.json?x=1', '`?`'],
  ])('%s is not followed', (reference, said) => {
    const before = asked.length;
    expect(find(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
    expect(asked).toHaveLength(before);
  });

  it.each([
    ['#/lits', 'did you mean `list`'],
    ['#/list/01', 'leads nowhere'],
    ['#/list/length', 'leads nowhere'],
    ['#/constructor', 'leads nowhere'],
    ['#/__proto__', 'leads nowhere'],
    ['#anchor', 'no JSON pointer'],
    ['gone.json', 'there is no file api/gone.json'],
  ])('%s leads nowhere', (reference, said) => {
    expect(find(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
  });

  it.each([
    ['#/loop', 'to no end'],
    ['#/no', 'is a text'],
  ])('%s is told where it goes wrong', (reference, said) => {
    expect(follow(reference)).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
  });
});
