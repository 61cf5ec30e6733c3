import { describe, expect, it } from 'vitest';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { checkArtifact } from './output-contract.js';
import { schemaProblem } from './schema-judge.js';

const contract = (schema: OutputContract['schema']): OutputContract => ({
  kind: 't.k',
  required: true,
  schema,
  example: { kind: 't.k' },
});

describe('checkArtifact', () => {
  it('says all that is wrong in plain words', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['level', 'count'],
      properties: {
        kind: { const: 't.k' },
        level: { enum: ['low', 'high'] },
        count: { type: 'integer', minimum: 1 },
        name: { type: 'string', pattern: '^a' },
      },
    };
    expect(checkArtifact(contract(schema), { kind: 't.k', level: 'low', count: 1 })).toEqual([]);
    expect(checkArtifact(contract(schema), { kind: 't.x', level: 'mid', name: 'b', more: 1 })).toEqual([
      { pointer: '/count', message: 'expected `count`, which is missing' },
      { pointer: '/more', message: "`more` is not one of the contract's fields", stray: true },
      { pointer: '/kind', message: 'expected "t.k", got "t.x"' },
      { pointer: '/level', message: 'expected "low" or "high", got "mid"' },
      { pointer: '/name', message: 'expected text that matches `^a`, got "b"' },
    ]);
  });

  it('cannot be made to hang by a pattern', () => {
    const slow = contract({ properties: { x: { type: 'string', pattern: '^(a+)+$' } } });
    expect(checkArtifact(slow, { x: `${'a'.repeat(20_000)}b` })).toHaveLength(1);
    expect(schemaProblem({ properties: { x: { pattern: '(?=a)' } } })).toMatchObject({
      message: expect.stringContaining('linear time'),
    });
  });

  it.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty'])('compares objects with a field `%s`', (name) => {
    const same = { [name]: { y: 1 } };
    const schema = { properties: { x: { const: same }, y: { enum: [1, same] }, z: { uniqueItems: true } } };
    const copy = structuredClone(same);
    expect(checkArtifact(contract(schema), { x: copy, y: copy, z: [copy, 1] })).toEqual([]);
    const other = { [name]: 1 };
    expect(
      checkArtifact(contract(schema), { x: other, y: other, z: [copy, 1, same] }).map(({ pointer }) => pointer),
    ).toEqual(['/x', '/y', '/z']);
  });

  describe('a choice whose alternatives judge nothing', () => {
    const schema = {
      oneOf: [{ patternProperties: { '^[ab]': false }, oneOf: [{ $ref: '#/$defs/p5' }, false] }],
      $defs: { p5: { properties: { a: false } } },
    };
    const artifact = { kind: 't.k', a: 'x', items: {} };

    it('judges where nothing asks for it', () => {
      expect(checkArtifact(contract(schema), artifact)[0]).toMatchObject({ pointer: '/a' });
      expect(checkArtifact(contract(schema), { kind: 't.k' })).toEqual([]);
    });

    it('says that it cannot, where something does', () => {
      const problems = checkArtifact(contract({ ...schema, unevaluatedProperties: false }), artifact);
      expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('say it without them')]);
    });
  });

  it('knows both drafts, and no outside', () => {
    expect(schemaProblem({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' })).toBeUndefined();
    expect(
      schemaProblem({ $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{}] }),
    ).toBeUndefined();
    expect(schemaProblem({ $ref: 'https://example.com/other.json' })).toBeDefined();
    expect(schemaProblem({ $id: 'https://json-schema.org/draft/2020-12/schema' })).toBeDefined();
    expect(schemaProblem({ type: 'objet' })).toBeDefined();
  });
});
