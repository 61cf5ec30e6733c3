import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json-value.js';
import { evaluateCondition } from './expression.js';
import { expressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';
import { simpleCondition } from './simple-condition.js';

function simple(source: string): string {
  const tree = expressionTree(source);
  if (!tree.ok) throw new Error(tree.error);
  return printExpression(simpleCondition(tree.value));
}

describe('simpleCondition', () => {
  it.each([
    ['true && context.a', 'context.a'],
    ['context.a == 1 && ("deep" == "deep" || context.b)', 'context.a == 1'],
    ['!("deep" in ["quick"]) && !context.a', '!context.a'],
    ['false || (true ? context.a : context.b)', 'context.a'],
    ['context.a && false', 'false'],
    ['(true && context.a) == context.b', '(true && context.a) == context.b'],
    ['5 && context.a', '5 && context.a'],
  ])('makes %s to %s', (source, shorter) => {
    expect(simple(source)).toBe(shorter);
  });

  it('means the same', () => {
    const leaf = fc.constantFrom(
      'true',
      'false',
      'context.a',
      'context.b',
      'has(context.a)',
      '"deep" == "deep"',
      '1 > 2',
      '"x" in ["x"]',
      '5',
      '"text"',
      'null',
      '1 / 0 == 1',
      'size([]) == 0',
      'context.b == "deep"',
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        { weight: 2, arbitrary: leaf },
        {
          weight: 4,
          arbitrary: fc
            .tuple(tie('condition'), fc.constantFrom('&&', '||', '=='), tie('condition'))
            .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
        },
        tie('condition').map((inner) => `!(${inner})`),
        fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
      ),
    }));
    const value = fc.constantFrom(true, false, 'deep', 5, null);
    const context = fc.oneof(fc.record({ a: value, b: value }), fc.record({ a: value }), fc.constant({}));
    const holds = (source: string, given: JsonObject): boolean | undefined => {
      const result = evaluateCondition(source, { inputs: {}, context: given, outputs: {}, names: {} });
      return result.ok ? result.value : undefined;
    };
    let shorter = 0;
    fc.assert(
      fc.property(condition, context, (source, given) => {
        const told = simple(source);
        shorter += told.length < source.length ? 1 : 0;
        expect({ source, told, holds: holds(told, given) }).toEqual({ source, told, holds: holds(source, given) });
      }),
      { numRuns: 1000 },
    );
    expect(shorter).toBeGreaterThan(100);
  });
});
