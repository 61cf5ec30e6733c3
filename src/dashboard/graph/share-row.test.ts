import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RowAsked, shareRow } from './share-row.js';

const width = fc.integer({ min: 1, max: 300 });
const asked: fc.Arbitrary<RowAsked> = fc.record({
  room: fc.integer({ min: 24, max: 1200 }),
  title: width,
  marks: fc.array(width, { maxLength: 6 }),
  captions: fc.array(width, { maxLength: 3 }).map((widths) => widths.toSorted((a, b) => b - a)),
  more: fc.integer({ min: 10, max: 40 }),
});

const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0);

describe('the room of a row', () => {
  it('is never given out twice', () => {
    fc.assert(
      fc.property(asked, (row) => {
        const { title, marks, caption } = shareRow(row);
        const left = marks < row.marks.length ? row.more : 0;
        const named = caption === undefined ? 0 : row.captions[caption]!;
        const taken = sum(row.marks.slice(0, marks)) + left + named;
        expect(Math.min(title, row.title) + taken).toBeLessThanOrEqual(row.room);
      }),
    );
  });

  it('is all shown where there is room for all', () => {
    fc.assert(
      fc.property(asked, (row) => {
        const room = row.title + sum(row.marks) + (row.captions[0] ?? 0) + 200;
        const shared = shareRow({ ...row, room });
        expect(shared.title).toBeGreaterThanOrEqual(row.title);
        expect(shared.marks).toBe(row.marks.length);
        expect(shared.caption).toBe(row.captions.length === 0 ? undefined : 0);
      }),
    );
  });

  it('goes to the title first, and keeps a place to say how much is left out', () => {
    const row = { title: 150, marks: [60, 60, 60], captions: [], more: 25 };
    expect(shareRow({ ...row, room: 330 })).toEqual({ title: 150, marks: 3, caption: undefined });
    expect(shareRow({ ...row, room: 300 })).toEqual({ title: 155, marks: 2, caption: undefined });
    expect(shareRow({ ...row, room: 240 })).toEqual({ title: 155, marks: 1, caption: undefined });
    expect(shareRow({ ...row, room: 180 })).toEqual({ title: 155, marks: 0, caption: undefined });
  });

  it('has the shorter caption before a mark is left out, and a caption before all marks', () => {
    const row = { title: 150, marks: [60, 60], captions: [200, 80], more: 25 };
    expect(shareRow({ ...row, room: 500 })).toMatchObject({ marks: 2, caption: 0 });
    expect(shareRow({ ...row, room: 380 })).toMatchObject({ marks: 2, caption: 1 });
    expect(shareRow({ ...row, room: 450 })).toMatchObject({ marks: 2, caption: 1 });
    expect(shareRow({ ...row, room: 280 })).toMatchObject({ marks: 0, caption: 1 });
    expect(shareRow({ ...row, room: 220 })).toMatchObject({ caption: undefined });
  });
});
