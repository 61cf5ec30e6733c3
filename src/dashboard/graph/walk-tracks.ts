import type { TrackLayout } from './lay-tracks.js';
import { isAhead } from './map-nodes.js';

export type Direction = 'up' | 'down' | 'left' | 'right' | 'start' | 'end';

/** Where an arrow key leads: along the track, across to the next one, to its ends. The same node where it leads nowhere. */
export function walkTracks(layout: TrackLayout, from: number, direction: Direction): number {
  const { nodes, heir, children, row, inRow } = layout;
  const besides = inRow[row[from] ?? 0] ?? [];
  switch (direction) {
    case 'up':
      return nodes[from]?.up ?? from;
    case 'down':
      return after(layout, from) ?? from;
    case 'start':
      return furthest(from, (node) => nodes[node]?.up);
    case 'end':
      return furthest(from, (node) => afterDone(layout, node));
    case 'right':
      return children[from]?.find((child) => child !== heir[from]) ?? beside(besides, from, 1);
    case 'left': {
      const next = beside(besides, from, -1);
      return next === from ? (nodes[from]?.up ?? from) : next;
    }
  }
}

function after({ heir }: TrackLayout, node: number): number | undefined {
  const next = heir[node] ?? -1;
  return next < 0 ? undefined : next;
}

/** Its end is where work stands, not where it is going. */
function afterDone(layout: TrackLayout, node: number): number | undefined {
  const next = after(layout, node);
  return next === undefined || isAhead(layout.nodes[next]) ? undefined : next;
}

function furthest(from: number, step: (node: number) => number | undefined): number {
  let at = from;
  for (let next = step(at); next !== undefined; next = step(at)) at = next;
  return at;
}

function beside(inRow: readonly number[], from: number, step: number): number {
  return inRow[inRow.indexOf(from) + step] ?? from;
}

/** The nodes on the way from the start to a node, itself with them. */
export function wayTo({ nodes }: Pick<TrackLayout, 'nodes'>, to: number | undefined): ReadonlySet<number> {
  const way = new Set<number>();
  for (let at = to; at !== undefined && !way.has(at); at = nodes[at]?.up) way.add(at);
  return way;
}
