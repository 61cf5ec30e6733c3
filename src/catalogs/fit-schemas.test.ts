import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { fitSchemas } from './fit-schemas.js';

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const answer = (status: string, schema: JsonValue): JsonObject => ({
  status,
  description: 'D',
  content: [{ type: 'application/json', schema }],
});
const text = (description = ''): JsonObject => ({ type: 'string', description });
const definitions: JsonObject = {
  error: { type: 'object', properties: { message: text('m'.repeat(100)) } },
  thing: {
    type: 'object',
    description: 'd'.repeat(300),
    required: ['name'],
    properties: {
      name: text('n'.repeat(100)),
      owner: { type: 'object', properties: { login: text('l'.repeat(100)) } },
      parts: { type: 'array', items: ref('part') },
    },
  },
  part: { type: 'object', properties: { id: text('p'.repeat(100)) } },
};
const schemas = { request: [], answers: [answer('404', ref('error')), answer('200', ref('thing'))], definitions };

describe('the schemas of a command', () => {
  it('are told whole where there is room, the right answer first', () => {
    const { answers, definitions: told, shortened, leftOut } = fitSchemas(schemas, 100_000);
    expect(answers.map(({ status }) => status)).toEqual(['200', '404']);
    expect(told).toEqual(definitions);
    expect([...shortened, ...leftOut]).toEqual([]);
  });

  it('lose errors before the right answer, and depths before fields', () => {
    const first = fitSchemas(schemas, 1500);
    expect(first.shortened).toEqual(['thing']);
    expect(first.definitions['thing']).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        owner: { type: 'object' },
        parts: { type: 'array', items: ref('part') },
      },
    });
    const second = fitSchemas(schemas, 500);
    expect(second.definitions).toEqual({ thing: { type: 'object', description: 'Its fields: name, owner, parts' } });
    expect(second.answers[1]).toEqual({ status: '404', description: 'D' });
    expect(fitSchemas(schemas, 0)).toMatchObject({ answers: [{ status: '200' }, { status: '404' }], definitions: {} });
  });

  it('never take more room than there is, but for the list of answers', () => {
    const bare = JSON.stringify(schemas.answers.map(({ content: _content, ...rest }) => rest)).length;
    fc.assert(
      fc.property(fc.nat(4000), (room) => {
        const { answers, definitions: told } = fitSchemas(schemas, room);
        expect(JSON.stringify(answers).length + JSON.stringify(told).length).toBeLessThanOrEqual(
          bare + room / 2 + 20 * Object.keys(told).length + 40,
        );
      }),
    );
  });
});
