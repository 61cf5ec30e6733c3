/** How many runs have a colour of their own before the first comes again: `--lane-1` and on. `--lane-0` is the session's. */
export const laneColours = 6;

/** The token of a lane, the session's own where there is no run. */
export const laneColour = (lane: number | undefined): string =>
  `--lane-${lane === undefined ? 0 : (lane % laneColours) + 1}`;

/** The colours of that many runs, the session's first, for a canvas. */
export function readLaneColours(element: Element, runs: number): readonly string[] {
  const style = getComputedStyle(element);
  return Array.from({ length: runs + 1 }, (_, index) =>
    style.getPropertyValue(laneColour(index === 0 ? undefined : index - 1)).trim(),
  );
}
