import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { filledValue } from './filled-value.js';

const scope = { inputs: { org: 'acme', count: 3, tags: ['a', 'b'] }, context: {}, outputs: {}, names: {} };

it('a text that is one hole keeps the kind of its value, any other becomes a text', () => {
  const value: JsonValue = {
    a: '${{ inputs.count }}',
    b: ['${{ inputs.tags }}', 'x ${{ inputs.count }} y'],
    c: 4,
    d: null,
  };
  expect(filledValue(value, scope)).toEqual({
    value: { a: 3, b: [['a', 'b'], 'x 3 y'], c: 4, d: null },
    problems: [],
  });
});

it('says which holes have no value, and leaves them', () => {
  const { value, problems } = filledValue({ a: '${{ inputs.none }}', b: 'in ${{ inputs.org }}' }, scope);
  expect(value).toEqual({ a: '${{ inputs.none }}', b: 'in acme' });
  expect(problems).toMatchObject([{ expression: 'inputs.none' }]);
});

it('leaves holes that are not ours as whoever asks writes them', () => {
  const kept = (source: string): string | undefined => (source.startsWith('secrets.') ? `<${source}>` : undefined);
  expect(filledValue('Bearer ${{ secrets.TOKEN }}', scope, kept)).toEqual({
    value: 'Bearer <secrets.TOKEN>',
    problems: [],
  });
});

it('changes nothing without holes', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).filter((one) => !JSON.stringify(one).includes('${{'));
  fc.assert(
    fc.property(value, (one) => {
      expect(filledValue(JSON.parse(JSON.stringify(one)) as JsonValue, scope)).toEqual({
        value: JSON.parse(JSON.stringify(one)) as JsonValue,
        problems: [],
      });
    }),
  );
});
