import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import { parseSource } from './source-document.js';

const problems = (text: string, file = 'x.json') => {
  const document = parseSource(text, file);
  return document.ok ? [] : document.error;
};

describe('a file that is called .json', () => {
  it.each<[string, string, number, number, string]>([
    ['a missing comma', '{\n  "id": "a"\n  "name": "b"\n}', 3, 3, 'comma is missing'],
    ['a missing comma in a list', '{"steps": [{} {}]}', 1, 15, 'comma is missing'],
    ['two colons', '{"agentRole"::"R"}', 1, 14, 'one `:` too many'],
    ['two commas', '{"a": 1,, "b": 2}', 1, 9, 'key in double quotes'],
    ['no colon', '{"a" 1}', 1, 6, '`:` is missing'],
    ['single quotes', "{'a': 1}", 1, 2, 'only knows double quotes'],
    ['a key without quotes', '{a: 1}', 1, 2, 'double quotes'],
    ['a text without quotes', '{"a": yes}', 1, 7, 'double quotes'],
    ['a text that never ends', '{"a": "b\n}', 1, 7, '"'],
    ['a line break in a text', '{"a": "b\nc"}', 1, 7, '\\n'],
    ['an object that never ends', '{"a": {"b": 1}', 1, 15, '`}` is missing'],
    ['a list that never ends', '{"a": [1', 1, 9, '`]` is missing'],
    ['something after the end', '{"a": 1}\n}', 2, 1, 'ends before this'],
    ['a wrong escape', '{"a": "\\d"}', 1, 7, '\\\\'],
    ['a plus', '{"a": +1}', 1, 7, 'double quotes'],
    ['YAML', 'workflow: team.x\nsteps: []\n', 1, 1, 'JSON'],
  ])('says where %s is, and what to write', (_, text, line, column, said) => {
    const [first, ...rest] = problems(text);
    expect(first).toMatchObject({ rule: 'json', severity: 'error', line, column });
    expect(first?.message).toContain(said);
    expect(rest).toEqual([]);
  });

  it('says each comma that is missing', () => {
    expect(problems('{"a": 1\n"b": 2\n"c": 3}').map(({ line, expected }) => [line, expected])).toEqual([
      [2, ','],
      [3, ','],
    ]);
  });

  it('may have comments and commas too many, and is nothing but a value', () => {
    expect(parseSource('// why\n{"a": [1, 2,], /* so */}\n', 'x.json')).toMatchObject({
      ok: true,
      value: { value: { a: [1, 2] } },
    });
    expect(parseSource('{"a": 1, "a": 2}', 'x.json')).toMatchObject({ value: { doubts: [{ rule: 'duplicate_key' }] } });
    // White space that YAML would refuse.
    for (const value of ['true', '5', '"x"', '[1]', '{}']) expect(problems(`\t${value}`)).toEqual([]);
    expect(parseSource('workflow: team.x', 'x.yaml').ok).toBe(true);
    expect(parseSource('{a: yes}', 'x.yaml').ok).toBe(true);
  });

  it('is JSON with comments, or is refused with its place', () => {
    const sign = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', '1', ' ', '\n', '//', '-', 'true', '\t');
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 30 }).map((signs) => signs.join('')),
        (text) => {
          for (const { rule, line, message } of problems(text)) {
            expect([typeof line, message]).toEqual(['number', expect.stringMatching(/\S/u)]);
            expect(['json', 'duplicate_key', 'depth', 'type']).toContain(rule);
          }
        },
      ),
    );
  });

  it('takes time in step with its length, and no depth that it cannot bear', async () => {
    expect(problems('['.repeat(200_000))).toMatchObject([{ rule: 'depth' }]);
    await expectTimeInStep((size) => problems(`{${'"a": 1\n'.repeat(size)}`), 20_000);
  });
});
