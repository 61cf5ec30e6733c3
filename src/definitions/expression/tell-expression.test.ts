import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { expressionTree } from './expression-tree.js';
import { tellCondition, tellExpression, tellUnmet } from './tell-expression.js';
import { bothHold, conditionExpression } from '../workrail-json/workrail-conditions.js';

const expressionOf = (condition: JsonValue, names = {}): string =>
  conditionExpression(condition, { path: [], say: () => undefined, names }) ?? 'true';

describe('tellExpression', () => {
  it.each<[JsonValue, string]>([
    [{ var: 'size', in: ['Large', 'Medium'] }, 'size is one of Large, Medium'],
    [{ not: { var: 'size', in: ['Large', 'Medium'] } }, 'size is none of Large, Medium'],
    [{ var: 'size', not_equals: 'very large' }, 'size is not "very large"'],
    [{ var: 'size', equals: null }, 'size is not set'],
    [{ var: 'n', gte: 3, lt: -1.5 }, 'n is at least 3 and n is less than -1.5'],
    [{ var: 'ready' }, 'ready is set and not false'],
    [{ not: { var: 'ready' } }, 'ready is not set or false'],
    [
      {
        or: [
          { var: 'a.b', equals: true },
          { var: 'slice.name', contains: 'x y' },
        ],
      },
      'a.b is true or slice.name contains "x y"',
    ],
    [
      {
        and: [
          { var: 'a', equals: 1 },
          {
            not: {
              and: [
                { var: 'b', equals: 2 },
                { var: 'c', matches: '^a+$' },
              ],
            },
          },
        ],
      },
      'a is 1 and not (b is 2 and c matches "^a+$")',
    ],
    [
      {
        and: [
          {
            or: [
              { var: 'a', equals: 1 },
              { var: 'b', equals: 2 },
            ],
          },
          { var: 'round', gt: 2 },
        ],
      },
      '(a is 1 or b is 2) and round is more than 2',
    ],
    [
      { and: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ var: name, equals: 'x' })) },
      'a is x and b is x and c is x and d is x and e is x and f is x',
    ],
  ])('says %j as %s', (condition, told) => {
    expect(tellExpression(expressionOf(condition, { slice: 'slice', round: 'round' }))).toBe(told);
    expect(tellUnmet(expressionOf(condition, { slice: 'slice', round: 'round' }))).toBe(`this does not hold: ${told}`);
  });

  it('leaves our own language, and what is no expression, as its author wrote it', () => {
    for (const source of [
      'context.size == "Large"',
      '!(context.a  &&  context.b)',
      'has(context.a) ? context.a : [1]',
      'context.a &&',
      '"wr_get(context)" == inputs.a',
    ])
      expect(tellExpression(source)).toBe(source);
    expect(tellUnmet('context.ready')).toBe('context.ready is false');
  });

  it('leaves out what a call has settled', () => {
    expect(tellExpression('true && context.size == "Large"')).toBe('context.size == "Large"');
    expect(tellUnmet('"deep" == "deep" && context.ready')).toBe('context.ready is false');
    expect(tellUnmet('"deep" == "quick" && context.ready')).toBe('"deep" == "quick" && context.ready is false');
    expect(tellCondition('"deep" == "deep"')).toBeUndefined();
    expect(tellCondition('context.ready && true')).toBe('context.ready');
    expect(tellExpression('true && wr_equals(wr_get(context, "size"), "Large")')).toBe('size is Large');
  });

  it('names the list of a loop that may be missing', () => {
    expect(tellExpression('has(context.things) ? context.things : []')).toBe('context.things');
    expect(tellExpression('has(context.turns) ? context.turns : 0')).toBe('context.turns');
  });

  it('never shows how a condition is asked', () => {
    const name = fc.constantFrom('size', 'a.b', 'item.x', 'round');
    const operator = fc.constantFrom(
      'equals',
      'not_equals',
      'gt',
      'gte',
      'lt',
      'lte',
      'contains',
      'startsWith',
      'endsWith',
      'matches',
      'in',
    );
    const operand = fc.oneof(
      fc.constantFrom<JsonValue>('x', '', 'two words', '${{ a }}', null, true, -1.5, 1e21, {}, { a: ['b'] }),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
    );
    const { condition } = fc.letrec<{ condition: JsonObject }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 2 },
        fc
          .tuple(name, fc.dictionary(operator, operand, { maxKeys: 2 }))
          .map(([variable, operators]) => ({ var: variable, ...operators })),
        fc
          .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { maxLength: 5 }))
          .map(([key, parts]) => ({ [key]: parts })),
        tie('condition').map((inner) => ({ not: inner })),
      ),
    }));
    fc.assert(
      fc.property(condition, condition, (a, b) => {
        const both = bothHold(
          expressionOf(a, { item: 'item', round: 'round' }),
          expressionOf(b, { item: 'item', round: 'round' }),
        );
        fc.pre(both !== undefined && expressionTree(both).ok);
        expect(tellExpression(both!)).not.toMatch(both!.includes('wr_') ? /wr_|&&|\|\||!/u : /wr_/u);
      }),
    );
  });
});
