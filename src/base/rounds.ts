/** What a round has left: the words of its last step that said something, and the author's line of it. */
export interface RoundDone {
  readonly notes: string | undefined;
  readonly line: string | undefined;
}

/** The rounds of a loop in which steps were done. What they left is looked for when it is asked for. */
export interface Rounds {
  readonly size: number;
  readonly last: number;
  readonly has: (round: number) => boolean;
  readonly get: (round: number) => RoundDone | undefined;
}

/** The rounds of a loop by its path; none where nothing was done in it. */
export type RoundsAt = (path: string) => Rounds | undefined;

/** The same rounds and one more, or one of them with what it has left by now. */
export const withRound = (before: Rounds | undefined, round: number, left: () => RoundDone): Rounds => ({
  size: (before?.size ?? 0) + (before?.has(round) === true ? 0 : 1),
  last: Math.max(before?.last ?? 0, round),
  has: (number) => number === round || before?.has(number) === true,
  get: (number) => (number === round ? left() : before?.get(number)),
});
