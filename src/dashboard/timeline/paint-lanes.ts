import type { Timeline } from '../../contract/http-api.js';
import type { MapColours } from '../graph/map-colours.js';
import { durationWords } from '../../base/time-spent.js';
import { pausesIn } from './moment.js';

export interface LanesScene {
  readonly timeline: Timeline;
  /** Where each mark stands, from 0 to 1. */
  readonly places: readonly number[];
  /** Index of the mark that is shown. */
  readonly at: number;
  readonly width: number;
  readonly colours: MapColours;
  /** Of each lane, the session's first. */
  readonly laneColours: readonly string[];
}

const laneHeight = 34;
const ruler = 22;
/** Half of the slider's thumb: both begin and end in one place. */
export const side = 9;

const markX = ({ places, width }: Pick<LanesScene, 'places' | 'width'>, index: number): number =>
  side + (places[index] ?? 0) * (width - side * 2);

/** The lane of a mark: the session's own is the first. */
const laneOf = ({ lane }: Timeline['marks'][number]): number => (lane === undefined ? 0 : lane + 1);
const laneY = (lane: number): number => ruler + lane * laneHeight + laneHeight / 2;

export const lanesHeight = ({ lanes }: Pick<Timeline, 'lanes'>): number => ruler + (lanes.length + 1) * laneHeight;

/** Each run as a line from its first event to its last, a stop for each; what is after the moment is not lit yet. */
export function paintLanes(context: CanvasRenderingContext2D, scene: LanesScene): void {
  const { timeline, at, width, colours, laneColours } = scene;
  const { marks } = timeline;
  context.clearRect(0, 0, width, lanesHeight(timeline));
  paintPauses(context, scene);
  const now = markX(scene, at);
  for (const [lane, { first, last }] of spans(timeline).entries()) {
    if (last < 0) continue;
    const [from, to, y] = [markX(scene, first), markX(scene, last), laneY(lane)];
    line(context, { from, to, y }, { colour: colours.sleeper, width: 10, dash: [2, 4.5] });
    const colour = laneColours[lane] ?? colours.side;
    line(context, { from, to, y }, { colour, width: 1.5 });
    if (now > from) line(context, { from, to: Math.min(to, now), y }, { colour, width: 3.5 });
  }
  const isClose = (index: number): boolean =>
    [index, index + 1].some((to) => to > 0 && to < marks.length && markX(scene, to) - markX(scene, to - 1) < 7);
  for (const [index, mark] of marks.entries())
    paintMark(
      context,
      { x: markX(scene, index), y: laneY(laneOf(mark)), past: index <= at, close: isClose(index) },
      mark.kind,
      {
        paper: colours.paper,
        colour: mark.kind === 'step_blocked' ? colours.grave : (laneColours[laneOf(mark)] ?? colours.side),
      },
    );
  paintHead(context, now, scene);
}

function spans({ lanes, marks }: Timeline): readonly { readonly first: number; readonly last: number }[] {
  const found = Array.from({ length: lanes.length + 1 }, () => ({ first: -1, last: -1 }));
  for (const [index, mark] of marks.entries()) {
    const span = found[laneOf(mark)];
    if (span === undefined) continue;
    if (span.first < 0) span.first = index;
    span.last = index;
  }
  return found;
}

interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

function line(
  context: CanvasRenderingContext2D,
  { from, to, y }: { readonly from: number; readonly to: number; readonly y: number },
  { colour, width, dash = [] }: Stroke,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash([...dash]);
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  context.stroke();
  context.setLineDash([]);
}

/** Where nothing happened for a while: how long, said once and not stretched over the screen. */
function paintPauses(context: CanvasRenderingContext2D, scene: LanesScene): void {
  const { timeline, width, colours } = scene;
  const { marks } = timeline;
  context.font = `11px ${colours.sans}`;
  context.textBaseline = 'middle';
  let free = 0;
  for (const { index, for: gone } of pausesIn(marks)) {
    const x = (markX(scene, index - 1) + markX(scene, index)) / 2;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x, ruler - 4);
    context.lineTo(x, lanesHeight(timeline));
    context.stroke();
    context.setLineDash([]);
    const words = `${durationWords(gone)} later`;
    const wide = context.measureText(words).width;
    const left = Math.min(width - wide - 2, Math.max(2, x - wide / 2));
    if (left < free) continue;
    context.fillStyle = colours.quiet;
    context.fillText(words, left, ruler / 2 - 1);
    free = left + wide + 12;
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly past: boolean;
  /** So many that a stop has no room for its shape. */
  readonly close: boolean;
}

function paintMark(
  context: CanvasRenderingContext2D,
  { x, y, past, close }: Place,
  kind: string,
  { paper, colour }: { readonly paper: string; readonly colour: string },
): void {
  // What is yet to come at the moment is an outline.
  context.fillStyle = past || close ? colour : paper;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  if (close) {
    if (kind === 'step_blocked') context.fillRect(x - 1.5, y - 9, 3, 18);
    else if (kind === 'question_answered') context.fillRect(x - 1.5, y - 6, 3, 12);
    else if (kind !== 'step_acked') context.fillRect(x - 0.75, y - 6, 1.5, 12);
    return;
  }
  context.beginPath();
  if (kind === 'step_blocked') context.rect(x - 5, y - 5, 10, 10);
  else if (kind === 'checkpoint') diamond(context, x, y, 5.5);
  else if (kind === 'question_answered') arrow(context, x, y);
  else context.arc(x, y, kind === 'step_acked' || kind === 'run_started' ? 4.5 : 3, 0, Math.PI * 2);
  context.fill();
  context.stroke();
}

/** A person's word: an arrow back into the work. */
function arrow(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.moveTo(x - 5, y - 5);
  context.lineTo(x + 5, y);
  context.lineTo(x - 5, y + 5);
  context.closePath();
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y);
  context.lineTo(x, y + radius);
  context.lineTo(x - radius, y);
  context.closePath();
}

function paintHead(context: CanvasRenderingContext2D, x: number, { timeline, colours }: LanesScene): void {
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, ruler);
  context.lineTo(x, lanesHeight(timeline));
  context.stroke();
  context.fillStyle = colours.ink;
  context.beginPath();
  context.moveTo(x - 6, ruler - 6);
  context.lineTo(x + 6, ruler - 6);
  context.lineTo(x, ruler + 2);
  context.closePath();
  context.fill();
}
