import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import type { JsonObject } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import { jsonWithComments } from './json-with-comments.js';
import { parseSource } from './source-document.js';

describe('jsonWithComments', () => {
  it.each([
    ['// first\n{"a": 1} // last', '        \n{"a": 1}        '],
    ['{"a": /* one\n two */ 1}', '{"a":       \n        1}'],
    ['{"a": [1, 2, ], }', '{"a": [1, 2  ]  }'],
    [
      '{"a": "// no /* comment */ here,]", /* 🚀 */ "b": 1, // x\n}',
      '{"a": "// no /* comment */ here,]",          "b": 1      \n}',
    ],
  ])('blanks what is not JSON in %j', (text, bare) => {
    expect(jsonWithComments(text)).toBe(bare);
    expect(bare).toHaveLength(text.length);
  });

  it.each(['{"a": 1}', 'a: 1 // b', '{"a": 1 /* open}', '{a: 1} // b', '# a\n{"a": 1}', '', '{"a": "x" // "}'])(
    'leaves %j to who can say what is wrong with it',
    (text) => {
      expect(jsonWithComments(text)).toBeUndefined();
    },
  );

  it.each(['/*', '//', '"', ',', '"\\', '/* *', ', /**/ '])('takes time in step with the text: %s', async (piece) => {
    await expectTimeInStep((size) => jsonWithComments(`{${piece.repeat(size)}`), 200_000);
  });
});

it('a file is what it is without its comments, each value in its place', () => {
  const objects = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,5}$/u),
    fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(objects, fc.constantFrom('// "not": {', '/* a, [ } */'), (object, comment) => {
      const lines = JSON.stringify(object, null, '\t').split('\n');
      const plain = parseSource(lines.join('\n'), 'x');
      const told = parseSource(lines.map((line) => `${line} ${comment}`).join('\n'), 'x');
      if (!plain.ok || !told.ok) throw new Error(JSON.stringify([plain, told]));
      expect(told.value.value).toEqual(plain.value.value);
      for (const key of Object.keys(object)) expect(told.value.place([key])).toEqual(plain.value.place([key]));
    }),
  );
});

it('tells what is wrong in such a file where it stands', () => {
  const text =
    '// the team\'s own\n{\n\t"id": "team.x", // ours\n\t"name": "X", "description": "d",\n\t"steps": [{ "id": "a", "prompt": "p", "runCondition": 5 }], /* more to come */\n}\n';
  expect(compileSource(text, 'x.json')).toMatchObject({
    ok: false,
    id: 'team.x',
    violations: [{ rule: 'condition', line: 5, pointer: '/steps/0/runCondition' }],
  });
  const good: JsonObject = {
    id: 'team.x',
    name: 'X',
    description: 'd',
    steps: [{ id: 'a', prompt: 'See http://x.y/* and // that.' }],
  };
  expect(compileSource(`/* ours */ ${JSON.stringify(good)}`, 'x.json')).toMatchObject({
    ok: true,
    workflow: { steps: [{ prompt: 'See http://x.y/* and // that.' }] },
  });
});
