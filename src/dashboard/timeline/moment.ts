import type { Timeline } from '../../contract/http-api.js';

type Marks = Timeline['marks'];

/** The mark that an address names: the last one not after that place in the order; the end where it names none. */
export function indexOfMoment(marks: Marks, seq: number | undefined): number {
  if (seq === undefined) return marks.length - 1;
  const index = marks.findLastIndex((mark) => mark.seq <= seq);
  return Math.max(0, index);
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

const units = [
  { name: 'day', ms: 24 * 60 * 60_000 },
  { name: 'h', ms: 60 * 60_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** How long something took, in one unit. */
export function durationWords(ms: number): string {
  const unit = units.find((one) => ms >= one.ms) ?? { name: 's', ms: 1000 };
  const count = Math.max(0, Math.round(ms / unit.ms));
  return unit.name === 'day' ? `${count} ${count === 1 ? 'day' : 'days'}` : `${count} ${unit.name}`;
}
