import { laneGap, xOf, yOf } from './camera.js';
import type { MapScene } from './map-scene.js';
import { nodeWords } from './node-words.js';

const apart = 18;
const widest = 420;

const widths = new Map<string, number>();
/** Measuring is dear and titles come again and again. */
const remembered = 20_000;

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size > remembered) widths.clear();
  const width = context.measureText(text).width;
  widths.set(key, width);
  return width;
}

/** As much of a text as there is room for. */
function cut(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (widthOf(context, text) <= room) return text;
  const letters = [...text];
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(context, `${letters.slice(0, middle).join('')}…`) <= room) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? '' : `${letters.slice(0, least).join('').trimEnd()}…`;
}

/** The step's title beside its stop, and what there is to know of it. */
export function paintWords(context: CanvasRenderingContext2D, scene: MapScene, node: number): void {
  const { layout, camera, colours, graph, selected, size } = scene;
  const told = layout.nodes[node];
  if (told === undefined) return;
  const lane = layout.lane[node] ?? 0;
  const inRow = layout.inRow[layout.row[node] ?? 0] ?? [];
  const next = inRow[inRow.indexOf(node) + 1];
  const [x, y] = [xOf(camera, lane) + apart, yOf(camera, layout.row[node] ?? 0)];
  const room = Math.min(
    widest,
    next === undefined
      ? Math.max(size.width - x - 8, laneGap(camera.zoom) - apart - 14)
      : ((layout.lane[next] ?? 0) - lane) * laneGap(camera.zoom) - apart - 14,
  );
  if (room < 24) return;
  const isChosen = node === selected;
  const { title, marks } = nodeWords(graph, told);
  context.textBaseline = 'middle';
  const marked = marks.map(({ text, tone }) => ({ text, tone, width: 0 }));
  context.font = `12px ${colours.sans}`;
  for (const mark of marked) mark.width = widthOf(context, mark.text) + 9;
  const fits = marked.filter(
    (_, index) => marked.slice(0, index + 1).reduce((sum, { width }) => sum + width, 0) <= room - 90,
  );
  const taken = fits.reduce((sum, { width }) => sum + width, 0);
  context.font = `${isChosen ? 600 : 400} 13px ${colours.sans}`;
  const words = cut(context, title, room - taken);
  const width = widthOf(context, words);
  if (isChosen) {
    context.fillStyle = colours.chosen;
    context.beginPath();
    context.roundRect(x - 5, y - 11, width + taken + 10, 22, 4);
    context.fill();
  }
  context.fillStyle = told.onWay === true || isChosen || scene.lit.has(node) ? colours.ink : colours.quiet;
  context.fillText(words, x, y + 0.5);
  context.font = `12px ${colours.sans}`;
  let at = x + width + 9;
  for (const { text, tone, width: own } of fits) {
    context.fillStyle = colours[tone];
    context.fillText(text, at, y + 0.5);
    at += own;
  }
}
