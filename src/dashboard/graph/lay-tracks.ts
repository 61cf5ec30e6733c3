import type { MapNode } from './map-nodes.js';

/** Where everything of a run lies: a row for each step from the start, a lane for each stretch of track. Indexes are those of the run's nodes. */
export interface TrackLayout {
  readonly nodes: readonly MapNode[];
  readonly row: Int32Array;
  readonly lane: Int32Array;
  /** The child that goes straight on; -1 at a tip. */
  readonly heir: Int32Array;
  readonly children: readonly (readonly number[])[];
  readonly rows: number;
  readonly lanes: number;
  /** Nodes of each row, from left to right. */
  readonly inRow: readonly (readonly number[])[];
  readonly indexOf: ReadonlyMap<string, number>;
}

/**
 * Branches part to the right of the line they leave, the lowest nearest to it, so that no track crosses another.
 * Time and space are linear in the nodes. What went straight on before goes straight on still: `before` is the layout that somebody looks at.
 */
export function layTracks(nodes: readonly MapNode[], tips: readonly string[], before?: TrackLayout): TrackLayout {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const children: number[][] = nodes.map(() => []);
  const row = new Int32Array(nodes.length);
  for (const [index, { up }] of nodes.entries()) {
    if (up === undefined) continue;
    children[up]?.push(index);
    row[index] = (row[up] ?? 0) + 1;
  }
  const heir = heirsOf(nodes, children, tips, indexOf, before);
  const rows = row.reduce((most, one) => Math.max(most, one + 1), 0);
  const lane = lanesOf(nodes, children, heir, row, rows);
  const inRow: number[][] = Array.from({ length: rows }, () => []);
  for (let index = 0; index < nodes.length; index += 1) inRow[row[index] ?? 0]?.push(index);
  for (const row of inRow) row.sort((a, b) => (lane[a] ?? 0) - (lane[b] ?? 0));
  return {
    nodes,
    row,
    lane,
    heir,
    children,
    rows,
    lanes: lane.reduce((most, one) => Math.max(most, one + 1), 0),
    inRow,
    indexOf,
  };
}

/** A line runs on towards the tip that the run names first, the preferred one; unless it went another way when somebody looked last. */
function heirsOf(
  nodes: readonly MapNode[],
  children: readonly (readonly number[])[],
  tips: readonly string[],
  indexOf: ReadonlyMap<string, number>,
  before: TrackLayout | undefined,
): Int32Array {
  const rank = new Int32Array(nodes.length).fill(nodes.length);
  for (const [place, tip] of tips.entries()) {
    const index = indexOf.get(tip);
    if (index !== undefined) rank[index] = place;
  }
  const heir = new Int32Array(nodes.length).fill(-1);
  // Parents stand before children, so that from the end every child is known.
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    let best = -1;
    for (const child of children[index] ?? []) if (best < 0 || (rank[child] ?? 0) < (rank[best] ?? 0)) best = child;
    if (best >= 0) rank[index] = Math.min(rank[index] ?? 0, rank[best] ?? 0);
    heir[index] = heirBefore(nodes[index], before, indexOf) ?? best;
  }
  return heir;
}

function heirBefore(
  node: MapNode | undefined,
  before: TrackLayout | undefined,
  indexOf: ReadonlyMap<string, number>,
): number | undefined {
  const was = node === undefined ? undefined : before?.indexOf.get(node.id);
  const then = was === undefined ? undefined : before?.nodes[before.heir[was] ?? -1];
  return then === undefined ? undefined : indexOf.get(then.id);
}

function lanesOf(
  nodes: readonly MapNode[],
  children: readonly (readonly number[])[],
  heir: Int32Array,
  row: Int32Array,
  rows: number,
): Int32Array {
  const lane = new Int32Array(nodes.length);
  /** The first lane to the right of everything, in each row. */
  const free = new Int32Array(rows);
  const starts = nodes.flatMap(({ up }, index) => (up === undefined ? [index] : []));
  const open = starts.toReversed();
  for (let first = open.pop(); first !== undefined; first = open.pop()) {
    let leftmost = 0;
    for (let node = first; node >= 0; node = heir[node] ?? -1) leftmost = Math.max(leftmost, free[row[node] ?? 0] ?? 0);
    for (let node = first; node >= 0; node = heir[node] ?? -1) {
      lane[node] = leftmost;
      free[row[node] ?? 0] = leftmost + 1;
      // What is put last is laid first: the lowest branch, and of one switch the oldest.
      for (const child of (children[node] ?? []).toReversed()) if (child !== heir[node]) open.push(child);
    }
  }
  return lane;
}
