import type { RunGraph } from '../../contract/http-api.js';
import { groupsAround } from './group-words.js';
import type { TrackLayout } from './lay-tracks.js';

/** A stretch of one track on which all steps belong to one group or one round of a loop. */
export interface Band {
  /** Index into the groups of the run. */
  readonly group: number;
  /** How many bands it lies inside of. */
  readonly level: number;
  readonly lane: number;
  readonly first: number;
  readonly from: number;
  to: number;
  /** Rows from the first to the last, and the lane that they reach to on the right: the next one in those rows, or Infinity. */
  readonly parts: { readonly from: number; to: number; readonly right: number }[];
}

/** Bands are seen down to this level; deeper ones are told on hover and in the list. */
const deepest = 3;

/** Groups and rounds as bands behind the tracks, outer ones before inner ones. Time and space are linear in the nodes. */
export function layBands(
  graph: Pick<RunGraph, 'run' | 'steps' | 'groups' | 'ahead' | 'aheadBeside'>,
  { nodes, row, lane, heir, inRow }: TrackLayout,
): readonly Band[] {
  const bands: Band[] = [];
  const beside = new Float64Array(nodes.length).fill(Infinity);
  for (const side of inRow)
    for (const [at, node] of side.entries()) beside[node] = lane[side[at + 1] ?? -1] ?? Infinity;
  const around: (readonly Band[])[] = [];
  for (const [index, node] of nodes.entries()) {
    const above = node.up !== undefined && heir[node.up] === index ? (around[node.up] ?? []) : [];
    const here: Band[] = [];
    const [at, right] = [row[index] ?? 0, beside[index] ?? Infinity];
    for (const [level, group] of groupsAround(graph, node).slice(0, deepest).entries()) {
      let band = above[level];
      if (band?.group !== group) {
        band = { group, level, lane: lane[index] ?? 0, first: index, from: at, to: at, parts: [] };
        bands.push(band);
      }
      band.to = at;
      const part = band.parts.at(-1);
      if (part?.right === right) part.to = at;
      else band.parts.push({ from: at, to: at, right });
      here.push(band);
    }
    around.push(here);
  }
  return bands;
}
