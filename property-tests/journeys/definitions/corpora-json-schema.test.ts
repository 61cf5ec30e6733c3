import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { judgeValue, schemaDoubt, schemaProblem } from '../../../src/definitions/contracts/schema-judge.js';
import { filesOf } from '../../worlds/corpora.js';

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

/** Why a schema of the suite may be refused, by what is said; docs/state.md lists the same. */
const reasons: readonly (readonly [why: string, said: RegExp])[] = [
  ['dynamic references', /^`\$(?:dynamic|recursive)Ref` is not supported/u],
  ['unevaluated', /^`unevaluated(?:Properties|Items)` is not supported/u],
  ['__proto__', /^`__proto__` cannot be the name of a field/u],
  ['remote references', /is outside of this schema, and nothing is fetched/u],
  ['another dialect', /is no draft of JSON Schema that is known here/u],
];

const ofDraft = (draft: string): readonly (Group & { readonly file: string })[] =>
  filesOf('json-schema-suite')
    .filter((file) => file.includes(`/tests/${draft}/`) && !file.includes('/optional/') && file.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(file, 'utf8')) as readonly Group[]).map((group) => ({ ...group, file: basename(file) })),
    );

/** A schema that is `true` or `false`, as an object that says the same; draft 7 is what the folder is of. */
function asObject(schema: JsonValue, draft: string): JsonObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const $schema = draft === 'draft7' ? 'http://json-schema.org/draft-07/schema#' : undefined;
  return { ...($schema !== undefined && { $schema }), ...(schema as JsonObject) };
}

/** What the validator does otherwise than the suite asks, by schemas that are taken of files and pins of before alone. */
const otherwise: readonly string[] = [
  'unevaluatedItems with nested items: with no additional items',
  'unevaluatedItems with nested items: with invalid additional item',
  'unevaluatedItems depends on adjacent contains: contains passes, second item is not evaluated',
  'unevaluatedItems depends on multiple nested contains: 7 not evaluated, fails unevaluatedItems',
  'unevaluatedProperties with if/then/else, then not defined: when if is true and has no unevaluated properties',
  'unevaluatedProperties with if/then/else, then not defined: when if is false and has unevaluated properties',
];

it('what could be asked for once is judged as it was', () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { description, schema, tests } of ofDraft('draft2020-12')) {
    const given = asObject(schema, '');
    if (schemaProblem(given) !== undefined || schemaDoubt(given) === undefined) continue;
    for (const test of tests) {
      tried += 1;
      const verdict = judgeValue(given, test.data);
      if ((verdict.kind === 'judged' && verdict.problems.length === 0) !== test.valid)
        wrong.push(`${description}: ${test.description}`);
    }
  }
  expect(wrong).toEqual(otherwise);
  expect(tried).toBeGreaterThan(100);
});

describe.each([
  { draft: 'draft7', least: { groups: 240, right: 890 }, refused: ['__proto__', 'remote references'] },
  {
    draft: 'draft2020-12',
    least: { groups: 300, right: 1000 },
    refused: ['__proto__', 'another dialect', 'dynamic references', 'remote references', 'unevaluated'],
  },
])('$draft', ({ draft, least, refused }) => {
  const groups = ofDraft(draft);

  it('was tried', () => {
    expect(groups.length).toBeGreaterThan(least.groups);
  });

  it('judges every value as the suite says, by every schema that it takes; what it refuses is listed', () => {
    const wrong: string[] = [];
    const met = new Set<string>();
    let right = 0;
    for (const { file, description, schema: given, tests } of groups) {
      const schema = asObject(given, draft);
      const problem = schemaProblem(schema) ?? schemaDoubt(schema);
      if (problem !== undefined) {
        const why = reasons.find(([, said]) => said.test(problem.message))?.[0];
        if (why === undefined) wrong.push(`${file}: ${description}: refused: ${problem.message}`);
        else met.add(why);
        continue;
      }
      for (const test of tests) {
        const verdict = judgeValue(schema, test.data);
        if (verdict.kind === 'judged' && (verdict.problems.length === 0) === test.valid) right += 1;
        else wrong.push(`${file}: ${description}: ${test.description}: ${JSON.stringify(verdict)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(least.right);
    expect([...met].toSorted()).toEqual(refused);
  });
});
