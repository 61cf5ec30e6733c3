import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteLength, cutToBytes, firstWords } from '../../src/base/byte-budget.js';
import type { EventSum, GapId } from '../../src/base/ids.js';
import { limits } from '../../src/base/limits.js';
import { type Entry, rememberedIn } from '../../src/sessions/entry.js';
import { type Recap, recapOf, type RecapPage } from '../../src/sessions/recap.js';
import { brokenText, isWhole, notesText, oddText } from '../worlds/nasty-text.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** What a text is once it has been through UTF-8, as everything is that leaves this program. */
const asWritten = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

describe('law 10: cuts', () => {
  test('cutToBytes gives the longest prefix of whole characters within the budget', () => {
    fc.assert(
      fc.property(brokenText(60), fc.nat(200), (text, budget) => {
        const cut = cutToBytes(text, budget);
        expect(byteLength(cut)).toBeLessThanOrEqual(budget);
        expect(asWritten(text).startsWith(asWritten(cut))).toBe(true);
        const next = Array.from(asWritten(text).slice(asWritten(cut).length))[0];
        if (next !== undefined) expect(byteLength(asWritten(cut) + next)).toBeGreaterThan(budget);
        if (isWhole(text)) expect(isWhole(cut)).toBe(true);
      }),
      runs(2000),
    );
  });

  test('a cut text is valid UTF-8, also where the text was none', () => {
    fc.assert(
      fc.property(brokenText(60), fc.nat(100), (text, budget) => {
        fc.pre(byteLength(text) > budget);
        expect(isWhole(cutToBytes(text, budget))).toBe(true);
      }),
      runs(1000),
    );
  });

  test('firstWords is one line within its budget, and says when it is cut', () => {
    fc.assert(
      fc.property(oddText(60), fc.integer({ min: 4, max: 200 }), (text, budget) => {
        const words = firstWords(text, budget);
        const folded = text.replace(/\s+/gu, ' ').trim();
        expect(byteLength(words)).toBeLessThanOrEqual(budget);
        expect(words).not.toMatch(/[\n\r\t]/u);
        expect(isWhole(words)).toBe(true);
        if (byteLength(folded) <= budget) expect(words).toBe(folded);
        else {
          expect(words.endsWith('…')).toBe(true);
          expect(folded.startsWith(words.slice(0, -1).trimEnd())).toBe(true);
        }
      }),
      runs(2000),
    );
  });
});

interface Drawn {
  readonly notes: string | undefined;
  readonly kinds: readonly string[];
  readonly gaps: number;
  readonly title: string;
  readonly kind: Entry['kind'];
}

let made = 0;
function entryOf({ notes, kinds, gaps, title, kind }: Drawn): Entry {
  made += 1;
  return {
    sum: made.toString(16).padStart(16, '0') as EventSum,
    kind,
    path: 'loop@1/step',
    title,
    output: {
      ...(notes !== undefined && { notes }),
      ...(kinds.length > 0 && { artifacts: kinds.map((of) => ({ kind: of })) }),
    },
    gaps: Array.from({ length: gaps }, (_, at) => ({
      id: `gap_0000000${at}` as GapId,
      category: 'limit',
      reason: 'r',
      detail: 'd',
      severity: 'info',
    })),
  };
}

const entries: fc.Arbitrary<readonly Entry[]> = fc.array(
  fc
    .record({
      notes: fc.option(fc.oneof({ weight: 4, arbitrary: notesText }, { weight: 1, arbitrary: brokenText(60) }), {
        nil: undefined,
      }),
      kinds: fc.array(oddText(5), { maxLength: 3 }),
      gaps: fc.nat(3),
      title: oddText(5),
      kind: fc.constantFrom('step' as const, 'checkpoint' as const, 'late' as const),
    })
    .map(entryOf),
  { maxLength: 12 },
);

describe('law 10: recaps', () => {
  test('a recap holds the newest entries that fit, oldest first, and says what is left out', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1000, max: limits.recap }), (newestFirst, budget) => {
        const recap = recapOf(rememberedIn(newestFirst), budget);
        const size = recap.entries.reduce((sum, entry) => sum + byteLength(JSON.stringify(entry)), 0);
        expect(size).toBeLessThanOrEqual(budget);
        expect(recap.sums).toEqual(newestFirst.slice(0, recap.entries.length).map(({ sum }) => sum));
        expect(recap.entries.map(({ title, kind }) => ({ title, kind }))).toEqual(
          newestFirst
            .slice(0, recap.entries.length)
            .map(({ title, kind }) => ({ title, kind }))
            .toReversed(),
        );
        expect(recap.omitted).toBe(newestFirst.length - recap.entries.length);
        if (newestFirst.length > 0) expect(recap.entries.length).toBeGreaterThan(0);
        const whole = recap.entries.every(({ cut }) => cut === undefined);
        expect(recap.older !== undefined).toBe(recap.omitted > 0 || !whole);
        if (newestFirst.every(({ output }) => isWhole(output.notes ?? '')))
          for (const entry of recap.entries) expect(isWhole(entry.notes ?? '')).toBe(true);
        // Nothing was cut that would have fitted, and nothing left out that would have.
        if (recap.entries.length > 1) expect(whole).toBe(true);
      }),
      runs(300),
    );
  });

  test('the first notes of a run stay when older ones are left out, within the same budget', () => {
    let pinned = 0;
    fc.assert(
      fc.property(entries, fc.integer({ min: 1000, max: limits.recap }), (newestFirst, budget) => {
        const entry = newestFirst.at(-1);
        if (entry === undefined) return;
        const plain = recapOf(rememberedIn(newestFirst), budget);
        const recap = recapOf({ ...rememberedIn(newestFirst), first: () => entry }, budget);
        const told = [...recap.entries, ...(recap.first === undefined ? [] : [recap.first])];
        expect(told.reduce((sum, one) => sum + byteLength(JSON.stringify(one)), 0)).toBeLessThanOrEqual(budget);
        // Told once, and missing nowhere.
        const [newest] = plain.entries.slice(-1);
        const room = newest?.cut === undefined ? budget - byteLength(JSON.stringify(newest)) : budget;
        if (room >= 250) expect(recap.first === undefined).toBe(recap.sums.includes(entry.sum));
        // What is newest is not cut for it.
        if (newest?.cut === undefined) expect(recap.entries.at(-1)).toEqual(newest);
        if (plain.older === undefined) expect(recap).toEqual(plain);
        if (recap.first === undefined) return;
        pinned += 1;
        const before = newestFirst.length - recap.entries.length;
        expect(recap.omitted).toBe(before - Number(recap.first.cut === undefined));
        expect(asWritten(entry.output.notes ?? '').startsWith(asWritten(recap.first.notes ?? ''))).toBe(true);
      }),
      runs(300),
    );
    expect(pinned).toBeGreaterThan(10);
  });

  test('a page that is cut still shows something', () => {
    const notes = `\u{1F600}${'"'.repeat(10_000)}`;
    const recap = recapOf(
      rememberedIn([entryOf({ notes, kinds: [], gaps: 0, title: 'Quotes', kind: 'step' })]),
      limits.recap,
    );
    expect(recap.older?.from).toBeGreaterThan(0);
  });

  test(
    'paging shows every byte of every note exactly once, page after page that is worth its call',
    () => {
      fc.assert(
        fc.property(entries, fc.integer({ min: 1000, max: limits.recap }), (newestFirst, budget) => {
          const { shown } = readThrough(newestFirst, budget);
          expect([...shown.keys()]).toEqual(newestFirst.map(({ sum }) => sum));
          for (const { sum, output } of newestFirst) expect(shown.get(sum)).toBe(asWritten(output.notes ?? ''));
        }),
        runs(200),
      );
    },
    patience,
  );

  test.each(['x', '"', '\n', '\u0001', 'ß', '漢', '\u{1F600}', '\u{1F600}"\u0001'])(
    'notes of %j, as long as notes may be, page through whole',
    (characters) => {
      const notes = characters.repeat(Math.floor(limits.notes / byteLength(characters)));
      const { shown, pages } = readThrough(
        [entryOf({ notes, kinds: [], gaps: 0, title: 'Long', kind: 'step' })],
        limits.recap,
      );
      expect([...shown.values()].join('') === notes).toBe(true);
      expect(pages).toBeLessThanOrEqual(2 + byteLength(JSON.stringify(notes)) / (limits.recap / 2));
    },
  );
});

/** Follows `older` to the end. A page that cuts a note fills at least half of its budget, or reading back takes for ever. */
function readThrough(
  newestFirst: readonly Entry[],
  budget: number,
): { readonly shown: ReadonlyMap<EventSum, string>; readonly pages: number } {
  const shown = new Map<EventSum, string>();
  let pages = 0;
  let page: RecapPage | undefined = { skip: 0, from: 0 };
  while (page !== undefined) {
    pages += 1;
    const recap: Recap = recapOf(rememberedIn(newestFirst), budget, page);
    const newest = recap.entries.toReversed();
    recap.sums.forEach((sum, at) => shown.set(sum, (shown.get(sum) ?? '') + asWritten(newest[at]?.notes ?? '')));
    for (const entry of recap.entries) {
      const bytes = byteLength(JSON.stringify(entry));
      expect(bytes).toBeLessThanOrEqual(budget);
      if ((entry.cut?.after ?? 0) > 0)
        expect(bytes, 'a page that cuts is at least half full').toBeGreaterThanOrEqual(budget / 2);
    }
    page = recap.older;
  }
  return { shown, pages };
}
