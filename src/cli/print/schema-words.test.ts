import { expect, it } from 'vitest';
import { schemaWords } from './schema-words.js';

it('tells the fields of a schema, the inner ones below theirs', () => {
  const schema = {
    type: 'object',
    required: ['kind', 'level', 'places'],
    properties: {
      kind: { const: 'team.risk' },
      level: { enum: ['low', 'high'], description: 'How bad' },
      places: {
        type: 'array',
        maxItems: 5,
        items: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', minLength: 1, maxLength: 500 }, line: { type: 'integer', minimum: 1 } },
        },
      },
      sure: { anyOf: [{ type: 'boolean' }, { type: 'number' }] },
      more: {},
    },
  };
  expect(schemaWords(schema, '  ').split('\n')).toEqual([
    '',
    '  - level (required): "low" or "high" (How bad)',
    '  - places (required): a list, at most 5 elements, each an object',
    '    - file (required): text, at most 500 characters',
    '    - line: a whole number, at least 1',
    '  - sure: true or false or a number',
    '  - more: any value',
  ]);
});
