import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { contextReads } from '../expression/context-reads.js';
import { evaluateCondition } from '../expression/expression.js';
import type { Finding } from '../source/finding.js';
import { bothHold, conditionExpression } from './workrail-conditions.js';

const found: Finding[] = [];
const expressionOf = (condition: JsonValue, names = {}): string | undefined => {
  found.length = 0;
  return conditionExpression(condition, { path: ['runCondition'], say: (finding) => void found.push(finding), names });
};
const holds = (condition: JsonValue, context: JsonObject, names: JsonObject = {}): boolean => {
  const expression = expressionOf(condition, Object.fromEntries(Object.keys(names).map((name) => [name, name])));
  if (expression === undefined) return true;
  const result = evaluateCondition(expression, { inputs: {}, context, outputs: {}, names });
  if (!result.ok) throw new Error(`${expression}: ${result.message}`);
  return result.value;
};

describe('conditionExpression', () => {
  it.each<[JsonValue, JsonObject, boolean]>([
    [{ var: 'size', equals: 'large' }, { size: ' Large ' }, true],
    [{ var: 'size', equals: 'large' }, {}, false],
    [{ var: 'size', not_equals: 'large' }, {}, true],
    [{ var: 'size', equals: null }, {}, true],
    [{ var: 'n', equals: 5 }, { n: '5' }, true],
    [{ var: 'n', equals: '5' }, { n: 5 }, true],
    [{ var: 'n', gt: 4 }, { n: '5' }, false],
    [{ var: 'n', gt: 4, lt: 6 }, { n: 5 }, true],
    [{ var: 'n', gt: 4, lt: 6 }, { n: 7 }, false],
    [{ var: 'n', lt: 0 }, {}, false],
    [{ var: 'on', equals: true }, { on: 'Yes' }, true],
    [{ var: 'on', equals: true }, { on: '1' }, true],
    [{ var: 'on', equals: true }, { on: 'no' }, false],
    [{ var: 'on', equals: false }, { on: 'no' }, true],
    [{ var: 'on', equals: false }, {}, false],
    [{ var: 'on' }, { on: 0 }, false],
    [{ var: 'on' }, { on: [] }, true],
    [{ var: 'on' }, {}, false],
    [{ var: 'tags', contains: 'API' }, { tags: ['ui', 'api-v2'] }, true],
    [{ var: 'tags', contains: 'ui,api' }, { tags: ['ui', 'api'] }, true],
    [{ var: 'tags', contains: '' }, {}, false],
    [{ var: 'name', startsWith: 'AB', endsWith: 'yz' }, { name: 'abc xyZ' }, true],
    [{ var: 'name', matches: '^a.c$' }, { name: 'ABC' }, true],
    [{ var: 'name', matches: '(?=a)' }, { name: 'ABC' }, false],
    [{ var: 'name', in: ['one', 'TWO', 3] }, { name: 'two' }, true],
    [{ var: 'name', in: ['one', 3] }, { name: '3' }, true],
    [{ var: 'name', in: 'one' }, { name: 'one' }, false],
    [{ and: [] }, {}, true],
    [{ or: [] }, {}, false],
    [{}, {}, true],
    [{ not: { var: 'x', equals: 1 } }, {}, true],
    [
      {
        and: [{ var: 'a', equals: 1 }],
        or: [
          { var: 'b', equals: 1 },
          { var: 'c', equals: 1 },
        ],
      },
      { a: 1, c: 1 },
      true,
    ],
    [
      {
        and: [{ var: 'a', equals: 1 }],
        or: [
          { var: 'b', equals: 1 },
          { var: 'c', equals: 1 },
        ],
      },
      { c: 1 },
      false,
    ],
    [{ var: 'a.b', equals: 'x' }, { a: { b: 'X' } }, true],
    [{ var: 'a.b', equals: 'x' }, { 'a.b': 'X', a: {} }, true],
    [{ var: 'text', equals: 'say "hi"\n\\ ${{ x }}' }, { text: 'Say "hi"\n\\ ${{ x }}' }, true],
    [{ var: 'n', equals: -1.5 }, { n: -1.5 }, true],
    [{ var: 'size', notEquals: 'large' }, { size: 'Large' }, false],
    [{ var: 'depth', greaterThanOrEqual: 0 }, { depth: 0 }, true],
    [{ var: 'depth', greaterThan: 0 }, { depth: 0 }, false],
    [{ var: 'depth', lessThanOrEqual: 3 }, { depth: 3 }, true],
    [{ var: 'depth', less_than: 3 }, { depth: 3 }, false],
    [{ var: 'size', EQ: 'large' }, { size: 'Large' }, true],
    [{ var: 'name', starts_with: 'a' }, { name: 'Abc' }, true],
    [{ var: 'a', exists: false }, {}, true],
    [{ var: 'a', exists: false }, { a: 0 }, false],
    [{ var: 'a', exists: true }, { a: 0 }, true],
    [{ var: 'context.a', equals: 1 }, { a: 1 }, true],
    [[{ var: 'a' }, { var: 'b' }], { a: 1 }, false],
    [[], {}, true],
    ['', {}, true],
    [true, {}, true],
    [false, {}, false],
    ['flag', { flag: true }, true],
  ])('%j with %j is %j', (condition, context, expected) => {
    expect(holds(condition, context)).toBe(expected);
  });

  it('reads the names of the loops around it', () => {
    expect(holds({ var: 'slice.risky', equals: true }, { slice: { risky: false } }, { slice: { risky: 'yes' } })).toBe(
      true,
    );
    expect(holds({ var: 'round', gte: 2 }, {}, { round: 2 })).toBe(true);
  });

  it('tells what it passes over, and what it cannot take', () => {
    expressionOf({ var: 'a', contain: 1 });
    expect(found).toMatchObject([
      {
        severity: 'warning',
        path: ['runCondition', 'contain'],
        message: expect.stringMatching(/did you mean `contains`\?$/u),
      },
    ]);
    expect(expressionOf({ equals: 1 })).toBeUndefined();
    expect(found).toMatchObject([{ severity: 'warning', path: ['runCondition', 'equals'] }]);
    expressionOf({ var: 'a', equals: ['x', 'y'] });
    expect(found).toMatchObject([
      { severity: 'warning', path: ['runCondition', 'equals'], message: expect.stringContaining('`in`') },
    ]);
    expressionOf({ var: 'a', matches: '(?=x)' });
    expect(found).toMatchObject([{ severity: 'warning', path: ['runCondition', 'matches'] }]);
    expressionOf({ and: [{ var: 'a', equals: 1 }, 5] });
    expect(found).toMatchObject([{ path: ['runCondition', 'and', 1] }]);
    expect(found[0]).not.toHaveProperty('severity');
    expressionOf({ var: 'a', equals: 'x'.repeat(40_000) });
    expect(found).toMatchObject([{ rule: 'condition', path: ['runCondition'] }]);
  });

  it('holds many terms', () => {
    const many = { or: Array.from({ length: 300 }, (_, at) => ({ var: `k${at}`, equals: at })) };
    expect(holds(many, { k299: '299' })).toBe(true);
    expect(holds(many, { k299: '298' })).toBe(false);
  });

  it('is understood by whoever asks which context keys it reads', () => {
    const expression = expressionOf({
      and: [
        { var: 'size', in: ['Small', 'Large'] },
        { var: 'score', gte: 3 },
        { var: 'ready', equals: true },
        { var: 'extra' },
      ],
    });
    expect(contextReads(expression!)).toEqual([
      { key: 'size', values: ['Small', 'Large'], type: 'string', guarded: true, lenient: true },
      { key: 'score', values: [3], type: 'number', guarded: true, lenient: true },
      { key: 'ready', values: [true], type: 'boolean', guarded: true, lenient: true },
      { key: 'extra', values: [], type: 'boolean', guarded: true, lenient: true },
    ]);
  });

  it('reads the key that a path begins with', () => {
    const expression = expressionOf({
      and: [
        { var: 'owner.name', equals: 'ann' },
        { var: 'owner', not_equals: null },
        { var: 'plan.steps.0', contains: 'x' },
      ],
    });
    expect(contextReads(expression!)).toEqual([
      { key: 'owner', values: [null], type: undefined, guarded: true, lenient: true },
      { key: 'plan', values: [], type: undefined, guarded: true, lenient: true },
    ]);
  });

  it('joins two', () => {
    expect(bothHold('a || b', 'c')).toBe('(a || b) && c');
    expect(bothHold(undefined, 'c')).toBe('c');
    expect(bothHold('c', undefined)).toBe('c');
  });
});

/** The format's conditions said once more, in the plainest way, with all operators having to hold. */
function naive(condition: JsonObject, context: JsonObject): boolean {
  const { var: variable, and, or, not, ...operators } = condition;
  const results: boolean[] = [];
  if (and !== undefined) results.push((and as JsonObject[]).every((part) => naive(part, context)));
  if (or !== undefined) results.push((or as JsonObject[]).some((part) => naive(part, context)));
  if (not !== undefined) results.push(!naive(not as JsonObject, context));
  if (typeof variable === 'string') {
    const value = context[variable] ?? null;
    for (const [operator, operand] of Object.entries(operators)) results.push(naiveOperator(operator, value, operand));
    if (results.length === 0) results.push(Boolean(value));
  }
  return results.every(Boolean);
}

function naiveOperator(operator: string, value: JsonValue, operand: JsonValue): boolean {
  const numbers = typeof value === 'number' && typeof operand === 'number';
  const text = String(value as string).toLowerCase();
  const part = String(operand as string).toLowerCase();
  switch (operator) {
    case 'equals':
      return naiveEqual(value, operand);
    case 'not_equals':
      return !naiveEqual(value, operand);
    case 'gt':
      return numbers && value > operand;
    case 'gte':
      return numbers && value >= operand;
    case 'lt':
      return numbers && value < operand;
    case 'lte':
      return numbers && value <= operand;
    case 'contains':
      return value !== null && text.includes(part);
    case 'startsWith':
      return value !== null && text.startsWith(part);
    case 'endsWith':
      return value !== null && text.endsWith(part);
    case 'matches':
      return value !== null && new RegExp(operand as string, 'iu').test(String(value as string));
    case 'in':
      return (operand as JsonValue[]).some((one) => naiveEqual(value, one));
    default:
      throw new Error(operator);
  }
}

function naiveEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [truth, other] = typeof a === 'boolean' ? [a, b] : [b, a];
    if (typeof other === 'boolean') return truth === other;
    const word = typeof other === 'string' || typeof other === 'number' ? String(other).trim().toLowerCase() : '';
    return (truth ? ['true', 'yes', '1'] : ['false', 'no', '0']).includes(word);
  }
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if ((typeof a === 'string' || typeof a === 'number') && (typeof b === 'string' || typeof b === 'number')) {
    if (typeof a === 'string' && typeof b === 'string') return a.trim().toLowerCase() === b.trim().toLowerCase();
    return String(a).trim() !== '' && String(b).trim() !== '' && Number(a) === Number(b);
  }
  return JSON.stringify(a) === JSON.stringify(b);
}

const scalar = fc.constantFrom<JsonValue>(
  'Small',
  ' small ',
  'LARGE',
  'large',
  'Yes',
  'no',
  'true',
  '1',
  '5',
  ' 5',
  '5.0',
  'x',
  '',
  null,
  true,
  false,
  0,
  1,
  5,
  -3,
  2.5,
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.array(fc.constantFrom<JsonValue>('small', 'X', 5, true), { maxLength: 3 }),
);
const key = fc.constantFrom('a', 'b', 'c');
const operators = fc.record(
  {
    equals: scalar,
    not_equals: scalar,
    gt: scalar,
    gte: scalar,
    lt: scalar,
    lte: scalar,
    contains: fc.constantFrom('small', 'A', '5', ',', ''),
    startsWith: fc.constantFrom('s', 'L', ' '),
    endsWith: fc.constantFrom('l', 'E', '5'),
    matches: fc.constantFrom('^s', 'L$', '[0-9]+', 'a.g'),
    in: fc.array(scalar, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const { condition } = fc.letrec<{ condition: JsonObject }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(key, operators).map(([name, some]): JsonObject => ({ var: name, ...some })),
    fc.record(
      {
        and: fc.array(tie('condition'), { maxLength: 3 }),
        or: fc.array(tie('condition'), { maxLength: 3 }),
        not: tie('condition'),
      },
      { requiredKeys: [] },
    ),
    fc
      .tuple(key, operators, tie('condition'))
      .map(([name, some, other]): JsonObject => ({ var: name, ...some, not: other })),
  ),
}));

it('agrees with the plainest reading, over random conditions and contexts', () => {
  fc.assert(
    fc.property(condition, fc.dictionary(key, value, { maxKeys: 3 }), (some, context) => {
      const expression = expressionOf(some);
      // Too large a condition is told, and never asked.
      fc.pre(!found.some(({ rule, severity }) => rule === 'condition' && severity === undefined));
      expect(expression === undefined || holds(some, context)).toBe(naive(some, context));
    }),
    { numRuns: 1000 },
  );
});
