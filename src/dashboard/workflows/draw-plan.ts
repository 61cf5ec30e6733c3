import type { PlanRow, TrackPlan } from './plan-tracks.js';

/** A piece of track as the path of an SVG, and which way it is gone. */
export interface Track {
  readonly path: string;
  /** `main`: on the way through; `side`: round again, or past a step that is not done. */
  readonly kind: 'main' | 'side';
}

export interface PlanDrawing {
  readonly height: number;
  /** The top of each row. */
  readonly tops: readonly number[];
  readonly tracks: readonly Track[];
  readonly stops: readonly { readonly x: number; readonly y: number; readonly index: number; readonly kind: PlanRow['kind'] }[];
  /** Where a loop's track leads back up. */
  readonly arrows: readonly { readonly x: number; readonly y: number }[];
  /** Steps that come from one routine. */
  readonly groups: readonly { readonly y: number; readonly height: number; readonly x: number }[];
  readonly end: { readonly x: number; readonly y: number };
}

export const rowHeight = 46;
const laneWidth = 26;
const first = 24;
/** A loop comes back to its line below its last step. */
const closing = 18;
const sidingWidth = 13;

export const laneX = (lane: number): number => first + lane * laneWidth;
export const stopX = ({ lane, conditional, kind }: Pick<PlanRow, 'lane' | 'conditional' | 'kind'>): number => laneX(lane) + (conditional && kind === 'prompt' ? sidingWidth : 0);

/** A workflow's steps as tracks: a line through all of it, a siding for what is done only sometimes, a loop of track for what is done again. */
export function drawPlan({ rows }: TrackPlan): PlanDrawing {
  const tops: number[] = [];
  let height = 0;
  for (const { closing: ends } of rows) {
    tops.push(height);
    height += rowHeight + ends * closing;
  }
  const middle = (index: number): number => (tops[index] ?? 0) + rowHeight / 2;
  const bottom = height + 6;
  const tracks: Track[] = [{ path: `M${laneX(0)} 4V${bottom}`, kind: 'main' }];
  const arrows: PlanDrawing['arrows'][number][] = [];
  const groups: PlanDrawing['groups'][number][] = [];
  /** How many loops have come back already below each row. */
  const back = new Map<number, number>();
  for (const row of rows.toReversed()) {
    const y = middle(row.index);
    if (row.kind === 'group' && row.last > row.index) groups.push({ y: tops[row.index] ?? 0, height: middle(row.last) + rowHeight / 2 - (tops[row.index] ?? 0), x: laneX(row.lane) - 14 });
    if (row.kind === 'loop' && row.last > row.index) {
      const taken = back.get(row.last) ?? 0;
      back.set(row.last, taken + 1);
      const to = middle(row.last) + rowHeight / 2 + closing * ((rows[row.last]?.closing ?? 1) - taken) - 6;
      tracks.push({ path: loopPath(row.lane, y, to), kind: 'main' });
      tracks.push({ path: `M${laneX(row.lane)} ${y}V${to}`, kind: 'side' });
      arrows.push({ x: laneX(row.lane), y: (y + to) / 2 });
    }
    if (row.kind === 'prompt' && row.conditional) tracks.push({ path: sidingPath(row.lane, y), kind: 'side' });
  }
  return {
    height: bottom + 8,
    tops,
    tracks,
    stops: rows.map((row) => ({ x: stopX(row), y: middle(row.index), index: row.index, kind: row.kind })),
    arrows,
    groups,
    end: { x: laneX(0), y: bottom },
  };
}

/** Out to the next track, down along what is inside, and back. */
function loopPath(lane: number, from: number, to: number): string {
  const [x, out] = [laneX(lane), laneX(lane + 1)];
  return `M${x} ${from}C${x} ${from + 16} ${out} ${from + 8} ${out} ${from + 26}V${to - 20}C${out} ${to - 4} ${x} ${to - 14} ${x} ${to}`;
}

function sidingPath(lane: number, y: number): string {
  const [x, out] = [laneX(lane), laneX(lane) + sidingWidth];
  return `M${x} ${y - 20}C${x} ${y - 10} ${out} ${y - 16} ${out} ${y - 6}V${y + 6}C${out} ${y + 16} ${x} ${y + 10} ${x} ${y + 20}`;
}
