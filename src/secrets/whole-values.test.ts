import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOf, envelopes, eventKinds } from '../../property-tests/worlds/event-generators.js';
import type { JsonValue } from '../base/json-value.js';
import { decodeLine, encodeLine } from '../events/line-codec.js';
import { redactEvent } from './redact-event.js';
import { withoutValues } from './whole-values.js';

describe('a value is taken out of a text', () => {
  it.each([
    ['cafe', 'cafe', '*'],
    ['cafe', 'The cafe, and “cafe”.', 'The *, and “*”.'],
    ['cafe', 'cafeteria decafe cafe-latte cafe_1 café', 'cafeteria decafe cafe-latte cafe_1 café'],
    ['cafe', '{"q":"cafe"}', '{"q":"*"}'],
    ['cafe', '/issues?q=cafe&p=1', '/issues?q=*&p=1'],
    ['cafe', '/issues?q=the%20cafe%2Ca', '/issues?q=the%20*%2Ca'],
    ['cafe', String.raw`one\ncafe\t.`, String.raw`one\n*\t.`],
    ['two words', '/issues?q=two%20words&r=two+words', '/issues?q=*&r=*'],
    ['say "no"', String.raw`{"q":"say \"no\""}`, '{"q":"*"}'],
    ['482913', '482913 and 4829130, 1482913, 482913.5, 3.482913', '* and 4829130, 1482913, 482913.5, 3.482913'],
    ['2024', 'b20240f0, 2024-05-01, in 2024.', 'b20240f0, 2024-05-01, in *.'],
    ['(x)', 'f(x)', 'f*'],
    ['a'.repeat(600), `/q?a=${'a'.repeat(600)} ${'a'.repeat(601)}`, `/q?a=* ${'a'.repeat(601)}`],
  ])('where it stands as a whole: %s in %s', (value, text, left) => {
    expect(withoutValues([value], '*')(text)).toBe(left);
  });

  it('the longest first', () => {
    expect(withoutValues(['acme', 'acme corp'], '*')('acme corp and acme')).toBe('* and *');
  });
});

const lineOf = (...written: Parameters<typeof encodeLine>): Buffer =>
  Buffer.from(encodeLine(...written).line.slice(0, -1));

function* leavesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* leavesOf(one);
}

describe('an event without values', () => {
  it.each(eventKinds)('%s is still one, and keeps what the engine goes by', (kind) => {
    fc.assert(
      fc.property(draftOf(kind), envelopes, fc.array(fc.nat(), { maxLength: 4 }), (draft, envelope, picks) => {
        const leaves = [...leavesOf(draft.data)].filter(({ length }) => length >= 4);
        const values = picks.flatMap((pick) => leaves[pick % Math.max(1, leaves.length)] ?? []);
        const read = decodeLine(lineOf(draft, envelope));
        if (!read.ok) throw new Error('the event was no event');
        const without = redactEvent(read.value, { values });
        if (without === undefined) return;
        const again = decodeLine(lineOf(without.draft, envelope));
        expect(again.ok).toBe(true);
        const kept = (data: unknown): unknown => {
          const { call, digest, home, plan, method, catalog, command, parent, attempt } = data as Record<
            string,
            JsonValue
          >;
          return { call, digest, home, plan, method, catalog, command, parent, attempt };
        };
        expect(kept(without.draft.data)).toEqual(kept(draft.data));
      }),
      { numRuns: 60 },
    );
  });
});
