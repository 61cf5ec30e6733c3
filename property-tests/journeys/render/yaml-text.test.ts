import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonValue } from '../../../src/base/json-value.js';
import { yamlText } from '../../../src/render/yaml-text.js';
import { brokenText, isWhole } from '../../worlds/nasty-text.js';
import { runs } from '../../worlds/runs-of-law.js';

const text = fc.oneof(
  fc.string(),
  brokenText(20).filter(isWhole),
  fc
    .array(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\n\n', ': ', '#', ' #', '-', "'", '|'), maxLength: 12 }))
    .map(String),
  fc.constantFrom(
    '',
    '~',
    'null',
    'No',
    'y',
    '1.10',
    '0x1f',
    '${{ inputs.a }}',
    'a: b',
    'a:',
    '- a',
    '<<',
    '=',
    '.nan',
    '2001-01-01',
  ),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

it('whatever is written as YAML is read as the same', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(parse(yamlText(given), { maxAliasCount: 0 })).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    runs(2000),
  );
});

it('is what a person would write', () => {
  const step = {
    id: 'get',
    run: 'github repos/get',
    with: { owner: '${{ inputs.owner }}', 'query.per-page': 20, since: '2026-01-01' },
    body: { tags: [], lines: ['a b', { c: null }], text: 'One.\n\nTwo: three.' },
  };
  expect(yamlText({ steps: [step] })).toBe(`steps:
  - id: get
    run: github repos/get
    with:
      owner: \${{ inputs.owner }}
      query.per-page: 20
      since: "2026-01-01"
    body:
      tags: []
      lines:
        - a b
        - c: null
      text: |-
        One.

        Two: three.`);
});
