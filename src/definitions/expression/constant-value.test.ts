import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { constantValue } from './constant-value.js';
import { evaluate } from './expression.js';

describe('constantValue', () => {
  it.each<[string, JsonValue | undefined]>([
    ['false', false],
    ['1 > 2', false],
    ['[1, 2].exists(x, x > 1)', true],
    ['context.a == 1 && false', false],
    ['true || context.a', true],
    ['!(context.a || true)', false],
    ['1 > 2 ? context.a : "b"', 'b'],
    ['[]', []],
    ['context.a', undefined],
    ['context.a && true', undefined],
    ['has(context.a)', undefined],
    ['context.a ? true : true', undefined],
    ['1 +', undefined],
    ['1 / 0 == 1', undefined],
  ])('of %s is %j', (source, value) => {
    expect(constantValue(source)).toEqual(value);
  });

  it('is what comes of it whatever the context holds', () => {
    const leaf = fc.constantFrom(
      'true',
      'false',
      'context.a',
      'context.b > 1',
      'has(context.a)',
      '1 > 2',
      '"x" == "x"',
    );
    const source = fc.letrec<{ all: string }>((tie) => ({
      all: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.tuple(tie('all'), fc.constantFrom('&&', '||', '=='), tie('all')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
        tie('all').map((a) => `!(${a})`),
        fc.tuple(tie('all'), tie('all'), tie('all')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
      ),
    })).all;
    const context = fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.oneof(fc.boolean(), fc.integer({ max: 3 }), fc.string()),
    );
    let constants = 0;
    fc.assert(
      fc.property(source, context, (text, values) => {
        const constant = constantValue(text);
        if (constant === undefined) return;
        constants += 1;
        expect(evaluate(text, { inputs: {}, context: values, outputs: {}, names: {} })).toEqual({
          ok: true,
          value: constant,
        });
      }),
      { numRuns: 500 },
    );
    expect(constants).toBeGreaterThan(50);
  });
});
