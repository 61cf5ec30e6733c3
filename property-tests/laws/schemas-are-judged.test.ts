import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { limits } from '../../src/base/limits.js';
import { checkArtifact } from '../../src/definitions/contracts/output-contract.js';
import { schemaProblem } from '../../src/definitions/contracts/schema-judge.js';
import { linearPattern } from '../../src/definitions/expression/linear-pattern.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { anyArtifact, anySchema, multiplyingSchema } from '../worlds/schema-generators.js';

const contract = (schema: JsonObject): Parameters<typeof checkArtifact>[0] => ({
  kind: 't.k',
  required: true,
  schema,
  example: {},
});

/** Counts what a judgement looks at, apart from its own count, and ends one that goes on for ever. */
function watched(artifact: JsonObject): { readonly artifact: JsonObject; readonly looks: () => number } {
  let looks = 0;
  const look = <T>(found: T): T => {
    looks += 1;
    if (looks > 2 * limits.judgingWork) throw new Error('judging does not end');
    return found;
  };
  const known = new WeakMap<object, object>();
  const watch = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const made =
      known.get(value) ??
      new Proxy(value, {
        get: (target, name) => look(watch(Reflect.get(target, name))),
        has: (target, name) => look(Reflect.has(target, name)),
        ownKeys: (target) => look(Reflect.ownKeys(target)),
        getOwnPropertyDescriptor: (target, name) => look(Reflect.getOwnPropertyDescriptor(target, name)),
      });
    known.set(value, made);
    return made;
  };
  return { artifact: watch(artifact) as JsonObject, looks: () => looks };
}

/** The validator as it comes, without bounds: for what is small. */
function plainVerdict(schema: JsonObject, artifact: JsonObject): boolean | undefined {
  const plain = (source: string): { test: (text: string) => boolean } => {
    const pattern = linearPattern(source);
    if (!pattern.ok) throw new Error(pattern.error);
    return pattern.value;
  };
  try {
    const ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      ownProperties: true,
      inlineRefs: false,
      logger: false,
      code: { regExp: Object.assign(plain, { code: 'plain' }) },
    });
    return ajv.compile(schema)(artifact);
  } catch {
    return undefined;
  }
}

const isSmall = (value: JsonValue): boolean => JSON.stringify(value).length < 200;

test(
  'every schema is refused with its place, or judges every artifact within a bound, as the validator would without one',
  () => {
    const seen = { refused: 0, judged: 0, compared: 0, tooMuch: 0 };
    fc.assert(
      fc.property(anySchema, fc.array(anyArtifact, { minLength: 1, maxLength: 3 }), (schema, artifacts) => {
        const problem = schemaProblem(schema);
        if (problem !== undefined) {
          seen.refused += 1;
          expect(problem.pointer === '' || problem.pointer.startsWith('/')).toBe(true);
        }
        for (const one of artifacts) {
          const { artifact } = watched(one);
          const problems = checkArtifact(contract(schema), artifact);
          if (problem !== undefined) continue;
          seen.judged += 1;
          if (problems[0]?.message.includes('too much work') === true) {
            seen.tooMuch += 1;
            continue;
          }
          // The plain one takes the names of plain objects for fields that were looked at.
          const text = JSON.stringify(schema);
          if (!isSmall(one) || text.includes('unevaluated') || text.includes('dynamic')) continue;
          const plain = plainVerdict(schema, one);
          if (plain === undefined) continue;
          seen.compared += 1;
          expect(problems.length === 0).toBe(plain);
        }
      }),
      runs(300),
    );
    console.log(seen);
    expect(Math.min(seen.refused, seen.judged, seen.compared)).toBeGreaterThan(0);
  },
  patience,
);

test(
  'references that multiply, at one value or on the way into it, end as well',
  () => {
    const seen = { refused: 0, judged: 0, tooMuch: 0 };
    fc.assert(
      fc.property(multiplyingSchema, anyArtifact, (schema, one) => {
        const problem = schemaProblem(schema);
        const { artifact, looks } = watched(one);
        const [first] = checkArtifact(contract(schema), artifact);
        expect(looks()).toBeLessThan(2 * limits.judgingWork);
        if (problem !== undefined) seen.refused += 1;
        else if (first?.message.includes('too much work') === true) seen.tooMuch += 1;
        else seen.judged += 1;
      }),
      runs(100),
    );
    console.log(seen);
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.judged).toBeGreaterThan(0);
  },
  patience,
);

test('two hundred errors at one large value do not write it out two hundred times', () => {
  const { artifact, looks } = watched({ a: Array.from({ length: 3000 }, () => [[{ b: 7 }, 0], ['constructor']]) });
  const wrong: JsonObject = { type: 'number' };
  const refused = checkArtifact(
    contract({ properties: { a: { allOf: Array.from({ length: 300 }, () => wrong) } } }),
    artifact,
  );
  expect(refused).toHaveLength(limits.violations);
  expect(looks()).toBeLessThan(2000);
});
