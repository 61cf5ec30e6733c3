/** When something was by what its record says, and by this clock now. */
export type KnownTimes = (at: string, now: number) => number;

/**
 * Clocks are set back, and other machines have their own: nothing was later than now. What is said to have been counts
 * from when it was first seen, so that whoever waits from then on waits no longer than was meant.
 */
export function knownTimes(): KnownTimes {
  const seen = new Map<string, number>();
  return (at, now) => {
    const time = seen.get(at) ?? Date.parse(at);
    if (time <= now) return time;
    seen.set(at, now);
    return now;
  };
}
