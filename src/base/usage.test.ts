import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json-value.js';
import { addUsage, costWords, readUsage, tellUsage, sumTold, usageBrief, usageOf, usageWords } from './usage.js';

const usage = (said: JsonObject): JsonObject => ({ kind: 'wr.usage', ...said });

describe('usage', () => {
  it('is read from an artifact of its kind, and from nothing else', () => {
    expect(readUsage(usage({ model: 'm', inputTokens: 3, costUsd: 0.1 }))).toEqual({
      reports: 1,
      models: ['m'],
      inputTokens: 3,
      costMicros: 100_000,
    });
    expect(readUsage({ kind: 'team.usage', inputTokens: 3 })).toBeUndefined();
  });

  it.each<JsonObject>([
    { inputTokens: -1 },
    { inputTokens: 1.5 },
    { inputTokens: '3' },
    { inputTokens: null },
    { outputTokens: 1e13 },
    { costUsd: -0.1 },
    { costUsd: 1e7 },
    { costUsd: '0.1' },
    { model: '' },
    { model: 'm'.repeat(201) },
    { model: 7 },
    { input_tokens: 3 },
    { constructor: 1 },
  ])('counts for nothing where it is malformed: %j', (said) => {
    expect(readUsage(usage(said))).toBeUndefined();
  });

  it('sums costs as decimals', () => {
    const sum = usageOf([usage({ costUsd: 0.1 }), usage({ costUsd: 0.2 })]);
    expect(tellUsage(sum!)).toEqual({ reports: 2, models: [], costUsd: 0.3 });
    const cents = Array.from({ length: 1000 }, () => usage({ costUsd: 0.000_007 }));
    expect(tellUsage(usageOf(cents)!).costUsd).toBe(0.007);
  });

  it('leaves out what nobody told, and says nothing where nobody said anything', () => {
    expect(usageOf([usage({ inputTokens: 0 }), usage({ outputTokens: 4 })])).toEqual({
      reports: 2,
      models: [],
      inputTokens: 0,
      outputTokens: 4,
    });
    expect(usageOf([{ kind: 'other' }, usage({ inputTokens: -1 })])).toBeUndefined();
  });

  it('stays a number that holds exactly, however much comes together', () => {
    const most = usage({ costUsd: 1e6, inputTokens: 1e12 });
    const sum = usageOf(Array.from({ length: 10_000 }, () => most));
    expect(sum).toMatchObject({ costMicros: Number.MAX_SAFE_INTEGER, inputTokens: Number.MAX_SAFE_INTEGER });
  });

  it('is the same sum in whatever order and in whatever parts', () => {
    const one = fc.record(
      {
        model: fc.constantFrom('a', 'b', ...Array.from({ length: 30 }, (_, at) => `m${at}`)),
        inputTokens: fc.nat({ max: 1e12 }),
        costUsd: fc.double({ min: 0, max: 1e6, noNaN: true }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), fc.nat(), (all, cut) => {
        const artifacts = all.map((said) => usage({ ...said }));
        const at = cut % (all.length + 1);
        const whole = usageOf(artifacts);
        expect(usageOf(artifacts.toReversed())).toEqual(whole);
        expect(addUsage(usageOf(artifacts.slice(at)), usageOf(artifacts.slice(0, at)))).toEqual(whole);
        const told = [artifacts.slice(0, at), artifacts.slice(at)].map((part) => {
          const sum = usageOf(part);
          return sum && tellUsage(sum);
        });
        expect(sumTold(told)).toEqual(whole && tellUsage(whole));
      }),
    );
  });

  it('is told in a line', () => {
    const told = { reports: 2, models: ['m'], inputTokens: 18_400, cacheReadTokens: 0, costUsd: 0.0875 };
    expect(usageWords(told)).toBe('$0.0875 · tokens: 18,400 in, 0 read from cache · m');
    expect(usageBrief(told)).toBe('$0.0875');
    expect(usageBrief({ reports: 1, models: [], inputTokens: 1200, outputTokens: 34 })).toBe('1,234 tokens');
    expect(usageBrief({ reports: 1, models: ['m'] })).toBeUndefined();
    expect([0, 0.3, 1.239, 1234.5, 0.000_007, 0.05].map(costWords)).toEqual([
      '$0.00',
      '$0.30',
      '$1.24',
      '$1,234.50',
      '$0.000007',
      '$0.05',
    ]);
  });
});
