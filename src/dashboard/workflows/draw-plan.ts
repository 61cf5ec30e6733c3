import type { PlanRow } from './plan-tracks.js';

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
  readonly stops: readonly (Pick<PlanRow, 'index' | 'kind'> & { readonly x: number; readonly y: number })[];
  /** Where a loop's track leads back up. */
  readonly arrows: readonly { readonly x: number; readonly y: number }[];
  /** Steps that come from one routine. */
  readonly groups: readonly { readonly y: number; readonly height: number; readonly x: number }[];
  readonly end: { readonly x: number; readonly y: number };
}

const rowHeight = 46;
const laneWidth = 30;
const first = 24;
/** A loop comes back to its line below its last step. */
const closing = 18;
const sidingWidth = 19;

const laneX = (lane: number): number => first + lane * laneWidth;
export const stopX = ({ lane, conditional, kind }: Pick<PlanRow, 'lane' | 'conditional' | 'kind'>): number =>
  laneX(lane) + (conditional && isDone(kind) ? sidingWidth : 0);

/** A step that is done itself, and holds no others. */
const isDone = (kind: PlanRow['kind']): boolean => kind !== 'loop' && kind !== 'group';

interface Loop {
  readonly row: PlanRow;
  readonly from: number;
  readonly to: number;
}

/** A workflow's steps as tracks: a line through all of it, a siding for what is done only sometimes, a loop of track for what is done again. */
export function drawPlan(rows: readonly PlanRow[]): PlanDrawing {
  const tops: number[] = [];
  let height = 0;
  for (const { closing: ends } of rows) {
    tops.push(height);
    height += rowHeight + ends * closing;
  }
  const middle = (index: number): number => (tops[index] ?? 0) + rowHeight / 2;
  const bottom = height + 6;
  const loops = loopsOf(rows, middle);
  const sidings = rows.filter(({ kind, conditional }) => isDone(kind) && conditional);
  return {
    height: bottom + 8,
    tops,
    tracks: [
      ...straight(loops, 0, 4, bottom),
      ...loops.flatMap(({ row: { lane }, from, to }): readonly Track[] => [
        { path: wayOut(lane, from), kind: 'main' },
        ...straight(loops, lane + 1, from + 26, to - 20),
        { path: wayBack(lane, to), kind: 'main' },
        { path: `M${laneX(lane)} ${from}V${to}`, kind: 'side' },
      ]),
      ...sidings.map(({ lane, index }): Track => ({ path: sidingPath(lane, middle(index)), kind: 'side' })),
    ],
    stops: rows.map((row) => ({ x: stopX(row), y: middle(row.index), index: row.index, kind: row.kind })),
    arrows: loops.map(({ row, from, to }) => ({ x: laneX(row.lane), y: (from + to) / 2 })),
    groups: rows
      .filter(({ kind, last, index }) => kind === 'group' && last > index)
      .map(({ lane, last, index }) => {
        const y = tops[index] ?? 0;
        return { x: laneX(lane) - 14, y, height: middle(last) + rowHeight / 2 - y };
      }),
    end: { x: laneX(0), y: bottom },
  };
}

/** Where each loop leaves its line and comes back; of those that end together the inner one first. */
function loopsOf(rows: readonly PlanRow[], middle: (index: number) => number): readonly Loop[] {
  const back = new Map<number, number>();
  const loops = rows.toReversed().flatMap((row): readonly Loop[] => {
    if (row.kind !== 'loop' || row.last <= row.index) return [];
    const taken = (back.get(row.last) ?? 0) + 1;
    back.set(row.last, taken);
    return [{ row, from: middle(row.index), to: middle(row.last) + rowHeight / 2 + closing * taken - 6 }];
  });
  return loops.toReversed();
}

/** A line from one place to another, without the pieces on which loops lead back. */
function straight(loops: readonly Loop[], lane: number, from: number, to: number): readonly Track[] {
  const tracks: Track[] = [];
  let at = from;
  for (const loop of loops) {
    if (loop.row.lane !== lane || loop.from < from || loop.to > to) continue;
    tracks.push({ path: `M${laneX(lane)} ${at}V${loop.from}`, kind: 'main' });
    at = loop.to;
  }
  return [...tracks, { path: `M${laneX(lane)} ${at}V${to}`, kind: 'main' }];
}

function wayOut(lane: number, from: number): string {
  const [x, out] = [laneX(lane), laneX(lane + 1)];
  return `M${x} ${from}C${x} ${from + 16} ${out} ${from + 8} ${out} ${from + 26}`;
}

function wayBack(lane: number, to: number): string {
  const [x, out] = [laneX(lane), laneX(lane + 1)];
  return `M${out} ${to - 20}C${out} ${to - 4} ${x} ${to - 14} ${x} ${to}`;
}

function sidingPath(lane: number, y: number): string {
  const [x, out] = [laneX(lane), laneX(lane) + sidingWidth];
  return `M${x} ${y - 22}C${x} ${y - 11} ${out} ${y - 18} ${out} ${y - 7}V${y + 7}C${out} ${y + 18} ${x} ${y + 11} ${x} ${y + 22}`;
}
