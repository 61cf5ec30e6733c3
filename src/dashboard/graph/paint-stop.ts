import type { GraphNode, StepAhead } from '../../contract/http-api.js';
import { type Point, xOf, yOf } from './camera.js';
import type { MapColours } from './map-colours.js';
import { doesAt, isAhead, stepAheadAt } from './map-nodes.js';
import { isHidden, type MapScene } from './map-scene.js';

const turn = Math.PI * 2;

interface Sign {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly rail: string;
  readonly colours: MapColours;
}

/** A stop on the way, or the signal where a track ends. From far away only what matters is left of it. */
export function paintStop(context: CanvasRenderingContext2D, scene: MapScene, node: number, gap: number): void {
  const { layout, camera, colours, selected, hovered, focused, fresh } = scene;
  const told = layout.nodes[node];
  if (told === undefined) return;
  const [x, y] = [xOf(camera, layout.lane[node] ?? 0), yOf(camera, layout.row[node] ?? 0)];
  // Smaller where rows are close, so that stops do not run into each other.
  const scale = Math.min(1, Math.max(0.34, gap / 18));
  const sign: Sign = { x, y, scale, rail: told.onWay === true ? colours.accent : colours.side, colours };
  const below = layout.children[node] ?? [];
  const glow = fresh.get(node);
  if (glow !== undefined) ring(context, sign, 8 + (1 - glow) * 14, colours.lit, 3 * glow);
  if (node === selected) ring(context, sign, 11 * Math.max(0.7, scale), focused ? colours.ink : colours.lit, 3.5);
  else if (node === hovered) ring(context, sign, 11 * Math.max(0.7, scale), colours.edge, 1.5);
  if (isAhead(told)) {
    if (gap >= 7) paintToCome(context, sign, stepAheadAt(scene.graph, told));
  } else if (below.every((child) => isHidden(scene, child) || isAhead(layout.nodes[child])))
    paintSignal(context, sign, told.status);
  else paintStation(context, sign, told, { far: gap < 7, isCommand: doesAt(scene.graph, told) !== undefined });
  if (gap >= 14 && below.filter((child) => !isHidden(scene, child)).length > 1) paintLever(context, sign, gap);
}

function ring(context: CanvasRenderingContext2D, { x, y }: Sign, radius: number, colour: string, width: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, turn);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function paintStation(
  context: CanvasRenderingContext2D,
  { x, y, scale, rail, colours }: Sign,
  { blocks = 0, gaps = 0 }: GraphNode,
  { far, isCommand }: { readonly far: boolean; readonly isCommand: boolean },
): void {
  // That the user is asked before a command is how it should be.
  const matter = blocks > 0 && !isCommand ? colours.grave : gaps > 0 ? colours.warning : undefined;
  if (far && matter === undefined) return;
  context.beginPath();
  if (isCommand) arrow(context, { x, y }, 6.5 * scale);
  else context.arc(x, y, 4.5 * scale, 0, turn);
  context.fillStyle = matter ?? colours.paper;
  context.fill();
  context.strokeStyle = far ? colours.paper : rail;
  context.lineWidth = 2.5 * scale;
  context.stroke();
}

/** The sign of what WorkRail does by itself, pointing on. */
function arrow(context: CanvasRenderingContext2D, { x, y }: Point, size: number): void {
  context.moveTo(x - size * 0.75, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x - size * 0.75, y + size);
  context.closePath();
}

/** Hollow, since nothing has happened there: a ring for a step, an arrow for a command, a diamond for a loop, a small one for all that is not told. */
function paintToCome(
  context: CanvasRenderingContext2D,
  { x, y, scale, colours }: Sign,
  step: StepAhead | undefined,
): void {
  const size = (step === undefined ? 2 : step.goes === undefined ? 4 : 5.5) * scale;
  context.beginPath();
  if (step?.does !== undefined) arrow(context, { x, y }, 5.5 * scale);
  else if (step?.goes === undefined) context.arc(x, y, size, 0, turn);
  else {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
    context.closePath();
  }
  context.fillStyle = colours.paper;
  context.strokeStyle = colours.side;
  context.lineWidth = 1.5 * scale;
  context.fill();
  context.stroke();
}

/** Told apart by shape as by colour: a lamp that waits, one that says stop, and the bumper of a line that is done. */
function paintSignal(
  context: CanvasRenderingContext2D,
  { x, y, scale, rail, colours }: Sign,
  status: GraphNode['status'],
): void {
  const done = status === 'complete' || status === 'complete_with_gaps' || status === 'failed' || status === 'canceled';
  const light =
    status === 'blocked' || status === 'failed'
      ? colours.grave
      : status === 'complete'
        ? colours.good
        : status === 'complete_with_gaps'
          ? colours.warning
          : status === 'canceled'
            ? colours.quiet
            : colours.waiting;
  if (done) {
    context.fillStyle = rail;
    context.fillRect(x - 8 * scale, y + 9.5 * scale, 16 * scale, 3.5 * scale);
  }
  context.beginPath();
  if (status === 'blocked') context.roundRect(x - 7 * scale, y - 7 * scale, 14 * scale, 14 * scale, 2 * scale);
  else context.arc(x, y, 7.5 * scale, 0, turn);
  context.fillStyle = colours.paper;
  context.fill();
  context.strokeStyle = rail;
  context.lineWidth = 2.5 * scale;
  context.stroke();
  context.fillStyle = light;
  context.strokeStyle = light;
  context.lineWidth = 1.75 * scale;
  paintLight(context, { x, y, scale }, status);
}

/** What lights up in a signal: each standing has a shape of its own. */
function paintLight(
  context: CanvasRenderingContext2D,
  { x, y, scale }: Pick<Sign, 'x' | 'y' | 'scale'>,
  status: GraphNode['status'],
): void {
  const arm = 3.25 * scale;
  context.beginPath();
  switch (status) {
    case undefined:
      context.arc(x, y, arm, 0, turn);
      return context.stroke();
    case 'blocked':
      context.rect(x - 4 * scale, y - 4 * scale, 8 * scale, 8 * scale);
      return context.fill();
    case 'running':
      arrow(context, { x, y }, 3.75 * scale);
      return context.fill();
    case 'failed':
      context.moveTo(x - arm, y + arm);
      context.lineTo(x + arm, y - arm);
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      return context.stroke();
    case 'canceled':
      context.moveTo(x - arm, y + arm);
      context.lineTo(x + arm, y - arm);
      return context.stroke();
    case 'complete':
    case 'complete_with_gaps':
      context.arc(x, y, 4 * scale, 0, turn);
      return context.fill();
  }
}

/** Where tracks part. */
function paintLever(context: CanvasRenderingContext2D, { x, y, colours }: Sign, gap: number): void {
  const at = y + Math.min(gap * 0.34, 13);
  context.beginPath();
  context.moveTo(x, at - 4.5);
  context.lineTo(x + 4.5, at);
  context.lineTo(x, at + 4.5);
  context.lineTo(x - 4.5, at);
  context.closePath();
  context.fillStyle = colours.ink;
  context.strokeStyle = colours.paper;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}
