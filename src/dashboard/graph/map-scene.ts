import type { RunGraph } from '../../contract/http-api.js';
import { type Camera, laneGap, type Size, xOf } from './camera.js';
import type { Band } from './lay-bands.js';
import type { TrackLayout } from './lay-tracks.js';
import type { MapColours } from './map-colours.js';

/** All that one picture of the map is painted from. */
export interface MapScene {
  readonly graph: RunGraph;
  readonly layout: TrackLayout;
  readonly bands: readonly Band[];
  readonly camera: Camera;
  readonly size: Size;
  readonly colours: MapColours;
  /** Indexes of nodes. */
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  readonly lit: ReadonlySet<number>;
  /** The map has the keyboard. */
  readonly focused: boolean;
  /** Shown as it was: nodes made later are left out. */
  readonly until: number | undefined;
  /** Just come: node and how much of its welcome is left, from 1 to 0. */
  readonly fresh: ReadonlyMap<number, number>;
}

/** What is in view, with a row and a lane to spare. */
export function placesInView(
  { layout, camera, size }: Pick<MapScene, 'layout' | 'camera' | 'size'>,
  gaps: { readonly row: number; readonly lane: number },
) {
  return {
    firstRow: Math.max(0, Math.floor(-camera.y / gaps.row) - 1),
    lastRow: Math.min(layout.rows - 1, Math.ceil((size.height - camera.y) / gaps.row) + 1),
    firstLane: Math.floor(-camera.x / gaps.lane) - 2,
    lastLane: Math.ceil((size.width - camera.x) / gaps.lane) + 1,
  };
}

/** Made later than the moment that is shown. */
export const isHidden = ({ until, layout }: Pick<MapScene, 'until' | 'layout'>, node: number): boolean =>
  until !== undefined && (layout.nodes[node]?.seq ?? 0) > until;

/** Where the words of a node begin, right of its stop. */
export const wordsBeside = 18;

/** Words with less room than this before the edge of the map, in pixels, go on behind it, as they do when the map is moved. */
const leastRoom = 72;

/** How far the words of a node may go: to the next track in its row, or to the edge of the map. */
export function wordsRoom(
  { layout, camera, size }: Pick<MapScene, 'layout' | 'camera' | 'size'>,
  { node, right }: { readonly node: number; readonly right: number },
): number {
  const lane = layout.lane[node] ?? 0;
  const gap = laneGap(camera.zoom);
  if (right !== Infinity) return (right - lane) * gap - wordsBeside - 14;
  const toEdge = size.width - xOf(camera, lane) - wordsBeside - 8;
  return toEdge >= leastRoom ? toEdge : Math.max(toEdge, gap - wordsBeside - 14);
}
