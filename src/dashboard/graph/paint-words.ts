import { xOf, yOf } from './camera.js';
import { groupWords, roundWords } from './group-words.js';
import type { Band } from './lay-bands.js';
import { captionEnd } from './paint-bands.js';
import { type MapScene, wordsBeside, wordsRoom } from './map-scene.js';
import { placedWords } from './node-words.js';
import { shareRow } from './share-row.js';
import { cutToFit, widthOf } from './text-fit.js';

const beforeMark = 9;

/** The step's title beside its stop, what there is to know of it, and the names of the bands that begin there. Answers with how wide the words are. */
export function paintWords(
  context: CanvasRenderingContext2D,
  scene: MapScene,
  node: number,
  bands: readonly Band[],
): number {
  const { layout, camera, colours, graph, selected } = scene;
  const told = layout.nodes[node];
  if (told === undefined) return 0;
  const right = laneBeside(layout, node);
  const [x, y] = [xOf(camera, layout.lane[node] ?? 0) + wordsBeside, yOf(camera, layout.row[node] ?? 0)];
  const room = wordsRoom(scene, { node, right });
  if (room < 24) return 0;
  const isChosen = node === selected;
  const { title, marks } = placedWords(graph, told);
  const [titleFont, markFont] = [`${isChosen ? 600 : 400} 13px ${colours.sans}`, `12px ${colours.sans}`];
  context.textBaseline = 'middle';
  context.font = titleFont;
  const whole = widthOf(context, title);
  context.font = markFont;
  const widths = marks.map(({ text }) => widthOf(context, text) + beforeMark);
  const captions = captionWords(graph.groups, bands);
  const end = captionEnd(scene, right, bands.at(-1)?.level ?? 0);
  const inside = x + room - end;
  const shared = shareRow({
    room,
    title: whole,
    marks: widths,
    captions: captions.map((caption) => widthOf(context, caption) + inside),
    more: widthOf(context, `+${marks.length}`) + beforeMark,
  });
  const shown: { text: string; tone: 'quiet' | 'accent' | 'warning' | 'grave' }[] = marks.slice(0, shared.marks);
  const dropped = marks.length - shown.length;
  if (dropped > 0 && shared.title > 0) shown.push({ text: `+${dropped}`, tone: 'quiet' });
  const taken = shown.reduce((sum, { text }) => sum + widthOf(context, text) + beforeMark, 0);
  if (shared.caption !== undefined) {
    const caption = captions[shared.caption] ?? '';
    context.fillStyle = colours.quiet;
    context.fillText(caption, end - widthOf(context, caption), y + 0.5);
  }
  context.font = titleFont;
  const words = cutToFit(context, title, shared.title);
  const width = widthOf(context, words);
  if (isChosen) {
    context.fillStyle = colours.chosen;
    context.beginPath();
    context.roundRect(x - 5, y - 11, width + taken + 10, 22, 4);
    context.fill();
  }
  context.fillStyle = told.onWay === true || isChosen || scene.lit.has(node) ? colours.ink : colours.quiet;
  context.fillText(words, x, y + 0.5);
  context.font = markFont;
  let at = x + width + beforeMark;
  for (const { text, tone } of shown) {
    context.fillStyle = colours[tone];
    context.fillText(text, at, y + 0.5);
    at += widthOf(context, text) + beforeMark;
  }
  return width + taken;
}

/** The next lane to the right that has something in the same row. */
function laneBeside({ inRow, row, lane }: MapScene['layout'], node: number): number {
  const besides = inRow[row[node] ?? 0] ?? [];
  return lane[besides[besides.indexOf(node) + 1] ?? -1] ?? Infinity;
}

/** From all that begins here to the round of the innermost alone. */
function captionWords(groups: MapScene['graph']['groups'], bands: readonly Band[]): readonly string[] {
  const told = bands.flatMap(({ group }) => groups[group] ?? []);
  const last = told.at(-1);
  if (last === undefined) return [];
  const { round, of } = last;
  const all = [
    told.map(groupWords).join(' › '),
    groupWords(last),
    ...(round === undefined ? [] : [roundWords(round, of)]),
  ];
  return [...new Set(all)];
}
