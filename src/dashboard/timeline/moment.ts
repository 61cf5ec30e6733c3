import type { Timeline } from '../../contract/http-api.js';

type Marks = Timeline['marks'];

/** The mark that an address names: the last one not after that place in the order; the end where it names none. */
export function indexOfMoment(marks: Marks, seq: number | undefined): number {
  if (seq === undefined) return marks.length - 1;
  const index = marks.findLastIndex((mark) => mark.seq <= seq);
  return Math.max(0, index);
}

/** Where each mark stands between start and end, from 0 to 1: one after the other, or by its time. Where a clock went back, time stands still. */
export function placesOf(marks: readonly Pick<Marks[number], 'at'>[], byTime: boolean): readonly number[] {
  let newest = 0;
  const times = marks.map(({ at }) => (newest = Math.max(newest, at)));
  const first = times[0] ?? 0;
  const long = newest - first;
  if (byTime && long > 0) return times.map((at) => (at - first) / long);
  return marks.map((_, index) => (marks.length < 2 ? 0 : index / (marks.length - 1)));
}

/** The mark that stands nearest to a place; of several there the last. */
export function nearestTo(places: readonly number[], place: number): number {
  let nearest = 0;
  for (const [index, one] of places.entries())
    if (Math.abs(one - place) <= Math.abs((places[nearest] ?? 0) - place)) nearest = index;
  return nearest;
}

/** Nothing happened for longer than this, in milliseconds: it is shown as a pause. */
const pause = 30 * 60_000;

/** Where somebody came back to the work after a while: the mark that comes next, and how long it had been. */
export function pausesIn(marks: Marks): readonly { readonly index: number; readonly for: number }[] {
  return marks.flatMap((mark, index) => {
    const before = marks[index - 1];
    const gone = before === undefined ? 0 : mark.at - before.at;
    return gone > pause ? [{ index, for: gone }] : [];
  });
}
