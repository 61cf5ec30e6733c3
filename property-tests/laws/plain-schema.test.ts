import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { contractPacks } from '../../src/definitions/contracts/contract-packs.js';
import { plainTest } from '../../src/definitions/contracts/plain-schema.js';
import { patience, runs } from '../worlds/runs-of-law.js';

// Plain schemas are judged without the validator. Whatever is judged so, the validator would judge alike, and would take as a schema.

const ajv = new Ajv2020({
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
});

/** What the validator says; undefined where it does not take the schema. It falls over an object that has a `toString` of its own. */
function byValidator(schema: JsonObject, values: readonly JsonValue[]): readonly (boolean | undefined)[] | undefined {
  const validate = without(() => ajv.compile(schema));
  ajv.removeSchema(schema);
  return validate && values.map((value) => without(() => validate(value)));
}

function without<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const names = fc.constantFrom('a', 'b', 'kind', '2', 'é', 'length', 'constructor', '__proto__', 'toString');
const texts = fc.constantFrom('', 'a', 'ab', 'low', '😀', 'é', '12', 'a\nb');
const numbers = fc.constantFrom(0, -0, 1, 2, 3, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER + 2);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    texts,
    numbers,
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Now and then an operand that is wrong for its keyword. */
const nearly = <T extends JsonValue>(right: fc.Arbitrary<T>): fc.Arbitrary<JsonValue> =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: value });
const count = nearly(
  fc.oneof({ weight: 10, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1.5) }),
);
const bound = nearly(numbers);
const types = fc.constantFrom('null', 'boolean', 'string', 'number', 'integer', 'array', 'object');
const { schema } = fc.letrec<{ schema: JsonObject; inner: JsonValue }>((tie) => {
  const keyword = (name: string, operand: fc.Arbitrary<JsonValue>): fc.Arbitrary<readonly [string, JsonValue]> =>
    operand.map((one) => [name, one] as const);
  const schemas = nearly(fc.array(tie('inner'), { maxLength: 2 }));
  const properties = keyword(
    'properties',
    nearly(fc.dictionary(names, tie('inner'), { maxKeys: 3, noNullPrototype: true })),
  );
  const type = keyword(
    'type',
    nearly(
      fc.oneof({ weight: 3, arbitrary: types }, { weight: 1, arbitrary: fc.uniqueArray(types, { maxLength: 3 }) }),
    ),
  );
  const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) =>
    keyword(name, count),
  );
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => keyword(name, bound));
  const others = fc.oneof(
    keyword(
      'required',
      nearly(
        fc.oneof(
          { weight: 6, arbitrary: fc.array(names, { maxLength: 2 }) },
          { weight: 1, arbitrary: fc.constant(['a', 'a']) },
        ),
      ),
    ),
    keyword('additionalProperties', nearly(tie('inner'))),
    keyword('items', nearly(tie('inner'))),
    keyword('enum', nearly(fc.array(value, { maxLength: 3 }))),
    keyword('const', value),
    keyword('uniqueItems', nearly(fc.boolean())),
    keyword('pattern', nearly(fc.constantFrom('^a', 'b$', '[0-9]+', '^.{2,}$'))),
    ...['allOf', 'anyOf', 'oneOf'].map((name) => keyword(name, schemas)),
    keyword('not', nearly(tie('inner'))),
    ...['title', 'description'].map((name) => keyword(name, nearly(texts))),
    keyword('default', value),
    keyword('examples', nearly(fc.array(value, { maxLength: 1 }))),
  );
  const strange = fc.constantFrom<readonly [string, JsonValue]>(
    ['format', 'email'],
    ['$ref', '#'],
    ['$id', 'x'],
    ['nonsense', 1],
  );
  const any = fc.oneof(
    { weight: 10, arbitrary: type },
    { weight: 10, arbitrary: properties },
    { weight: 6, arbitrary: fc.oneof(...counts) },
    { weight: 4, arbitrary: fc.oneof(...bounds) },
    { weight: 20, arbitrary: others },
    { weight: 1, arbitrary: strange },
  );
  return {
    inner: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('schema')),
    schema: fc
      .uniqueArray(any, { maxLength: 4, selector: ([name]) => name })
      .map((keywords) => Object.fromEntries(keywords)),
  };
});

/** Each schema meets these, and some more that chance brings. */
const usual: readonly JsonValue[] = [
  null,
  true,
  0,
  1,
  2,
  3,
  -1,
  1.5,
  1e21,
  '',
  'a',
  'ab',
  'b',
  '12',
  '😀',
  '😀😀',
  [],
  [1],
  [1, 1],
  [{ a: 1 }, { a: 1 }],
  ['a', 'b', 'c'],
  {},
  { a: 1 },
  { a: 'a', b: 'b' },
  { a: {}, b: [], kind: 'low' },
];

it('judges as the validator does', { timeout: patience }, () => {
  const told = { plain: 0, passed: 0, failed: 0, all: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { maxLength: 4 }), (some, more) => {
      const values = [...usual, ...more];
      const test = plainTest(some);
      told.all += 1;
      if (test === undefined) return;
      const judged = values.map(test);
      told.plain += 1;
      told.passed += judged.filter((passes) => passes).length;
      told.failed += judged.filter((passes) => !passes).length;
      const validated = byValidator(some, values);
      expect({ some, values, validated }).toEqual({
        some,
        values,
        validated: judged.map((passes, at) =>
          validated?.[at] === undefined && validated !== undefined ? undefined : passes,
        ),
      });
    }),
    runs(700),
  );
  expect(Math.min(told.plain, told.passed, told.failed)).toBeGreaterThan(told.all / 4);
});

it('judges the contracts that are brought along', () => {
  for (const [name, { schema: own, example }] of contractPacks)
    expect([name, plainTest(own)?.(example) ?? 'by the validator']).toEqual([
      name,
      expect.toBeOneOf([true, 'by the validator']),
    ]);
});
