import { createHash } from 'node:crypto';

/** Numbers that look random and follow from words alone: the same words, the same numbers. */
export function diceOf(...words) {
  let state = createHash('sha256').update(words.join(' ')).digest().readUInt32LE(0);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (sides) => Math.floor(next() * sides);
  return {
    below,
    oneOf: (values) => values[below(values.length)],
    chance: (share) => next() < share,
    shuffled: (values) => {
      const left = [...values];
      return values.map(() => left.splice(below(left.length), 1)[0]);
    },
    /** A few of them, in their order. */
    some: (values, count) => {
      if (values.length <= count) return [...values];
      const left = values.map((_, index) => index);
      const taken = Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]);
      return taken.toSorted((a, b) => a - b).map((index) => values[index]);
    },
  };
}
