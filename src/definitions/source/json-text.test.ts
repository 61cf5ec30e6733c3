import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { readJsonText } from './json-text.js';
import { parseSource } from './source-document.js';

describe('readJsonText', () => {
  it.each([
    '{"a": 1, "a": 2}',
    '{"a": {"b": 1, "b\\u0020": 2, "b": 3}}',
    '{"__proto__": 1}',
    '{"a": 1e999}',
    'a: 1',
    '{a: 1}',
    '{"a": "x": 1}',
    '',
  ])('leaves %s to the slower reader, which says what is wrong', (text) => {
    expect(readJsonText(text)).toBeUndefined();
  });

  it('reads what the slower reader reads, and finds the same places', () => {
    const objects = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    );
    fc.assert(
      fc.property(objects, (object) => {
        const text = JSON.stringify(object, null, 1);
        const plain = JSON.parse(text) as JsonValue;
        expect(readJsonText(text)).toEqual(plain);
        const [fast, slow] = [parseSource(text, 'x'), parseSource(`# not plain JSON\n${text}`, 'x')];
        expect(fast.ok && slow.ok && slow.value.value).toEqual(plain);
        for (const key of Object.keys(object)) {
          const [there, here] = [slow.ok && slow.value.place([key]), fast.ok && fast.value.place([key])];
          expect(there && { ...there, line: there.line! - 1 }).toEqual(here);
        }
      }),
    );
  });
});

it.each([
  '{"workflow": "team.x", "title": "a\\ud83d"}',
  '{"workflow": "team.x", "\\udc00b": 1}',
  'workflow: team.x\ntitle: "\\ud83d"',
])('refuses half a character: %s', (text) => {
  expect(parseSource(text, 'x')).toMatchObject({
    ok: false,
    error: [{ rule: 'text', line: 1, message: expect.stringMatching(/\\u(?:d83d|dc00)/u) }],
  });
  expect(parseSource('{"title": "\\ud83d\\ude00"}', 'x')).toMatchObject({ ok: true });
});
