import { laneGap, rowGap, xOf, yOf } from './camera.js';
import type { Band } from './lay-bands.js';
import { isHidden, type MapScene, placesInView } from './map-scene.js';

/** Rows any closer than this, in pixels, have no bands. */
const leastRow = 9;
/** How far a band reaches left of its track, and by how much one inside of it is smaller. */
const [reach, inset] = [19, 4];
/** Parts of one band overlap by this much, so that no line shows between them. */
const seam = 0.5;

/** How far right the outermost band goes, where the next track to the right is in this lane. */
const edgeOf = ({ camera, size }: MapScene, right: number): number =>
  (right === Infinity ? size.width : Math.min(size.width, xOf(camera, right) - reach)) - 4;

/** Where the caption of a band ends. */
export const captionEnd = (scene: MapScene, right: number, level: number): number =>
  edgeOf(scene, right) - level * inset - 8;

/** The bands that can be seen, outer ones before inner ones. */
export function bandsInView(scene: MapScene): readonly Band[] {
  const gaps = { row: rowGap(scene.camera), lane: laneGap(scene.camera.zoom) };
  // Between tracks that are close together a band is no band.
  if (gaps.row < leastRow || (scene.layout.lanes > 1 && gaps.lane < 3 * reach)) return [];
  const { firstRow, lastRow } = placesInView(scene, gaps);
  return scene.bands.filter(({ from, to, first }) => from <= lastRow && to >= firstRow && !isHidden(scene, first));
}

/** Groups and rounds as quiet bands behind the tracks. */
export function paintBands(context: CanvasRenderingContext2D, scene: MapScene, bands: readonly Band[]): void {
  const { camera, size, colours } = scene;
  const gap = rowGap(camera);
  const levels: Path2D[] = [];
  for (const band of bands) {
    const { lane, from, parts, level } = band;
    const left = xOf(camera, lane) - reach + level * inset;
    if (left > size.width) continue;
    const last = lastRowOf(scene, band);
    const space = Math.min(2 + level * 1.5, gap / 8);
    const path = (levels[level] ??= new Path2D());
    for (const part of parts) {
      if (part.from > last) break;
      const end = edgeOf(scene, part.right) - level * inset;
      const [isFirst, isLast] = [part.from === from, part.to >= last];
      const top = Math.max(-20, yOf(camera, part.from) - gap / 2 + (isFirst ? space : -seam));
      const bottom = Math.min(size.height + 20, yOf(camera, Math.min(last, part.to)) + gap / 2 - (isLast ? space : 0));
      if (bottom < top || end - left < 2 * reach) continue;
      const [above, below] = [isFirst ? 4 : 0, isLast ? 4 : 0];
      path.roundRect(left, top, end - left, bottom - top, [above, above, below, below]);
    }
  }
  context.fillStyle = colours.band;
  for (const path of levels) context.fill(path);
}

/** Of a run that is shown as it was, only what had been done by then. */
function lastRowOf(scene: MapScene, { first, from, to }: Band): number {
  if (scene.until === undefined) return to;
  let row = from;
  for (let node = scene.layout.heir[first] ?? -1; row < to && node >= 0 && !isHidden(scene, node); row += 1)
    node = scene.layout.heir[node] ?? -1;
  return row;
}

/** Beside which node each band is named: where it begins, or the first of its rows that can be seen. */
export function captionsAt(scene: MapScene, bands: readonly Band[]): ReadonlyMap<number, readonly Band[]> {
  const { camera, layout } = scene;
  const top = Math.ceil((10 - camera.y) / rowGap(camera));
  const captions = new Map<number, Band[]>();
  for (const band of bands) {
    const { lane, first, from, to } = band;
    const row = Math.min(to, Math.max(from, top));
    const node = row === from ? first : layout.inRow[row]?.find((one) => layout.lane[one] === lane);
    if (node === undefined || isHidden(scene, node)) continue;
    const there = captions.get(node);
    if (there === undefined) captions.set(node, [band]);
    else there.push(band);
  }
  return captions;
}
