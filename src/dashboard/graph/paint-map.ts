import { hasWords, laneGap, type Point, rowGap, xOf, yOf } from './camera.js';
import { isAhead } from './map-nodes.js';
import { isHidden, type MapScene, placesInView } from './map-scene.js';
import { bandsInView, captionsAt, paintBands } from './paint-bands.js';
import { paintStop } from './paint-stop.js';
import { paintWords } from './paint-words.js';

/** Lines from node to node, of one kind each, so that a whole map is a handful of strokes. */
interface Lines {
  readonly side: Path2D;
  readonly main: Path2D;
  readonly lit: Path2D;
  readonly lost: Path2D;
  readonly ahead: Path2D;
}

/** Paints what is in view; what is not costs nothing. Answers with how wide the words of each node are that has any. */
export function paintMap(context: CanvasRenderingContext2D, scene: MapScene): ReadonlyMap<number, number> {
  const { camera, size, layout } = scene;
  const gaps = { row: rowGap(camera), lane: laneGap(camera.zoom) };
  const { firstRow, lastRow, firstLane, lastLane } = placesInView(scene, gaps);
  context.clearRect(0, 0, size.width, size.height);
  const lines: Lines = {
    side: new Path2D(),
    main: new Path2D(),
    lit: new Path2D(),
    lost: new Path2D(),
    ahead: new Path2D(),
  };
  const shown: number[] = [];
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (const node of layout.inRow[row] ?? []) {
      if (isHidden(scene, node)) continue;
      addLine(scene, lines, node, gaps);
      const lane = layout.lane[node] ?? 0;
      if (lane >= firstLane && lane <= lastLane) shown.push(node);
    }
  }
  const words = hasWords(camera);
  const bands = bandsInView(scene);
  paintBands(context, scene, bands);
  paintTracks(context, scene, lines, words);
  for (const node of shown) paintStop(context, scene, node, gaps.row);
  const widths = new Map<number, number>();
  if (!words) return widths;
  const captions = captionsAt(scene, bands);
  for (const node of shown) widths.set(node, paintWords(context, scene, node, captions.get(node) ?? []));
  return widths;
}

function addLine({ layout, camera, lit }: MapScene, lines: Lines, node: number, gaps: { readonly row: number }): void {
  const { nodes, lane, row } = layout;
  const [x, y] = [xOf(camera, lane[node] ?? 0), yOf(camera, row[node] ?? 0)];
  const up = nodes[node]?.up;
  if (up === undefined) {
    if (nodes[node]?.partial !== true) return;
    lines.lost.moveTo(x, y - gaps.row);
    lines.lost.lineTo(x, y);
    return;
  }
  const from = xOf(camera, lane[up] ?? 0);
  const top = y - gaps.row;
  const kind = isAhead(nodes[node]) ? lines.ahead : nodes[node]?.onWay === true ? lines.main : lines.side;
  for (const path of lit.has(node) ? [kind, lines.lit] : [kind]) {
    path.moveTo(from, top);
    if (from === x) path.lineTo(x, y);
    else turnOff(path, { x: from, y: top }, { x, y });
  }
}

/** Straight on first, so that the words beside the switch stay clear; then across between the rows. */
function turnOff(path: Path2D, from: Point, to: Point): void {
  const middle = from.y + (to.y - from.y) * 0.58;
  const bend = Math.min((to.y - from.y) * 0.3, Math.abs(to.x - from.x) / 2);
  path.arcTo(from.x, middle, to.x, middle, bend);
  path.arcTo(to.x, middle, to.x, to.y, bend);
  path.lineTo(to.x, to.y);
}

function paintTracks(context: CanvasRenderingContext2D, { colours }: MapScene, lines: Lines, words: boolean): void {
  const stroke = (path: Path2D, colour: string, width: number, dash: readonly number[] = []): void => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash([...dash]);
    context.stroke(path);
  };
  context.lineCap = 'butt';
  if (words) {
    for (const path of [lines.side, lines.main]) stroke(path, colours.sleeper, 12, [2, 4.5]);
    stroke(lines.side, colours.side, 6);
    stroke(lines.main, colours.accent, 6);
    for (const path of [lines.side, lines.main]) stroke(path, colours.paper, 3);
    // A route that is set: its lamps burn between the rails.
    stroke(lines.lit, colours.lit, 3);
  } else {
    stroke(lines.lit, colours.lit, 6);
    stroke(lines.side, colours.side, 1.5);
    stroke(lines.main, colours.accent, 2.5);
  }
  stroke(lines.lost, colours.side, 3, [3, 4]);
  stroke(lines.ahead, colours.side, words ? 2 : 1, [3, 5]);
  context.setLineDash([]);
}
