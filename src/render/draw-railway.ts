import type { RunStory } from '../contract/session-story.js';
import { drawTree, type TreeLine, type TreePart } from './draw-tree.js';
import { escapeHtml } from './escape-html.js';

const rowHeight = 26;
const laneWidth = 24;
const margin = 16;
const width = 760;
/** Columns of text that surely fit beside the deepest usual branch. */
const columns = 92;
/** Rows that stand on one printed page. */
const rowsTogether = 34;

/** A run as a railway seen from above: one line of track a branch, switches where they part, a signal at each tip. */
export function drawRailway(run: RunStory, anchors: ReadonlyMap<string, string>, id: string): string {
  const lines = drawTree(run, { width: columns });
  const lanes = lanesOf(lines);
  const cuts = cutsOf(lines);
  const parts = cuts.map((first, part) => {
    const last = (cuts[part + 1] ?? lines.length) - 1;
    const shown = lines.slice(first, last + 1);
    const drawn = lanes.filter(({ from, to }) => from <= last && to >= first);
    const tracks = drawn.map((lane) => drawLane(lane, lines, first, last));
    const name = `${id}${part === 0 ? '' : `-${part + 1}`}`;
    const title = `Path of ${run.workflow.title}${cuts.length > 1 ? `, part ${part + 1} of ${cuts.length}` : ''}`;
    return [
      `<svg class="railway" viewBox="0 0 ${width} ${shown.length * rowHeight}" role="group" aria-labelledby="${name}-title ${name}-desc">`,
      `<title id="${name}-title">${escapeHtml(title)}</title>`,
      `<desc id="${name}-desc">${escapeHtml(inWords(run))}</desc>`,
      ...tracks.map(({ sleeper }) => sleeper),
      ...tracks.map(({ rail }) => rail),
      ...shown.map((line, index) => drawStop(line, yOf(index), anchors)),
      '</svg>',
    ];
  });
  return parts.flat().join('\n');
}

/** The first row of each part. A switch stays with the row above it, where its branch leaves. */
function cutsOf(lines: readonly TreeLine[]): readonly number[] {
  const cuts = [0];
  for (let row = rowsTogether; row < lines.length; row = (cuts.at(-1) ?? 0) + rowsTogether) {
    const before = lines[row]?.kind === 'switch' && lines[row - 1]?.kind !== 'switch' ? row - 1 : row;
    cuts.push(before);
  }
  return cuts;
}

interface Lane {
  readonly depth: number;
  /** Rows; a branch comes from the line to its left. */
  readonly from: number;
  readonly to: number;
  readonly branches: boolean;
  readonly preferred: boolean;
}

function lanesOf(lines: readonly TreeLine[]): readonly Lane[] {
  const lanes: Lane[] = [];
  const open: Omit<Lane, 'to'>[] = [];
  for (const [row, { kind, depth, preferred }] of lines.entries()) {
    if (kind === 'start' || kind === 'lost') open.push({ depth: 0, from: row, branches: false, preferred });
    if (kind === 'switch') open.push({ depth: depth + 1, from: row, branches: true, preferred });
    const last = kind === 'tip' ? open.pop() : undefined;
    if (last !== undefined) lanes.push({ ...last, to: row });
  }
  return lanes;
}

function inWords(run: RunStory): string {
  const tips = run.tips.length;
  const done = run.nodes.filter(({ cameBy }) => cameBy.kind === 'acked').length;
  return `${done} steps were done, on ${tips === 1 ? 'one branch' : `${tips} branches`}. The steps below tell each of them.`;
}

const xOf = (depth: number): number => margin + depth * laneWidth;
const yOf = (row: number): number => row * rowHeight + rowHeight / 2;

/** A lane without the rows where steps are folded away: there it is dotted. */
function drawLane(
  { depth, from, to, branches, preferred }: Lane,
  lines: readonly TreeLine[],
  first: number,
  last: number,
): { readonly sleeper: string; readonly rail: string } {
  const x = xOf(depth);
  const start = Math.max(yOf(from - first), -rowHeight);
  const end = Math.min(yOf(to - first), (last - first + 1) * rowHeight);
  const pieces: string[] = [];
  const folds: string[] = [];
  let at = start;
  for (let row = Math.max(from, first); row <= Math.min(to, last); row += 1) {
    const line = lines[row];
    if (line?.kind !== 'fold' || line.depth !== depth) continue;
    const y = yOf(row - first);
    pieces.push(`M${x} ${at}V${y - 9}`);
    folds.push(`M${x} ${y - 9}V${y + 9}`);
    at = y + 9;
  }
  const curve =
    branches && from >= first
      ? `M${xOf(depth - 1)} ${start - 16}C${xOf(depth - 1)} ${start - 5} ${x} ${start - 13} ${x} ${start}`
      : '';
  if (end > at) pieces.push(`M${x} ${at}V${end}`);
  const way = `${curve}${pieces.join('')}`;
  const kind = preferred ? 'main' : 'side';
  return {
    sleeper: `<path class="sleepers ${kind}" d="${way}"/>`,
    rail: `<path class="rail ${kind}" d="${way}"/><path class="between" d="${way}"/>${folds.length === 0 ? '' : `<path class="folded-track ${kind}" d="${folds.join('')}"/>`}`,
  };
}

function drawStop(line: TreeLine, y: number, anchors: ReadonlyMap<string, string>): string {
  const { kind, depth } = line;
  const x = xOf(kind === 'switch' ? depth + 1 : depth);
  const anchor = kind === 'tip' ? anchors.get(`tip:${line.nodeId ?? ''}`) : anchors.get(line.leadsTo ?? '');
  const words = `<text x="${x + 18}" y="${y + 4.5}">${line.parts.map(writePart).join('')}</text>`;
  return `${markOf(line, x, y)}${anchor === undefined ? words : `<a href="#${escapeHtml(anchor)}">${words}</a>`}`;
}

function markOf({ kind, depth, preferred, status, parts }: TreeLine, x: number, y: number): string {
  const side = preferred ? 'main' : 'side';
  switch (kind) {
    case 'start':
      return `<path class="bar ${side}" d="M${x - 8} ${y}H${x + 8}"/>`;
    case 'lost':
      return `<path class="folded-track side" d="M${x} ${y - 12}V${y}"/>`;
    case 'switch':
      return `<path class="lever" d="M${xOf(depth)} ${y - 20}l4.5 4.5l-4.5 4.5l-4.5 -4.5z"/>${stop(x, y, side, parts)}`;
    case 'step':
      return stop(x, y, side, parts);
    case 'tip': {
      const light =
        status === 'complete' || status === 'complete_with_gaps'
          ? 'good'
          : status === 'blocked' || status === 'failed'
            ? 'grave'
            : 'waiting';
      const end = light === 'good' ? `<path class="bar ${side}" d="M${x - 8} ${y + 10}H${x + 8}"/>` : '';
      return `${end}<circle class="signal ${side}" cx="${x}" cy="${y}" r="7.5"/>${lightOf(status, light, x, y)}`;
    }
    case 'fold':
      return '';
    case 'more':
      return `<path class="folded-track side" d="M${x} ${y}H${x + 14}"/>`;
  }
}

/** How a run that did not come to its end stands is told by shape as well: a cross, a stroke, an arrow. */
function lightOf(status: TreeLine['status'], light: string, x: number, y: number): string {
  if (status === 'failed')
    return `<path class="light ${light}" d="M${x - 4} ${y - 2.6}l1.4 -1.4l2.6 2.6l2.6 -2.6l1.4 1.4l-2.6 2.6l2.6 2.6l-1.4 1.4l-2.6 -2.6l-2.6 2.6l-1.4 -1.4l2.6 -2.6z"/>`;
  if (status === 'canceled') return `<path class="light ${light}" d="M${x - 3.5} ${y + 3.5}l7 -7"/>`;
  if (status === 'running') return `<path class="light ${light}" d="M${x - 2.5} ${y - 4}l6 4l-6 4z"/>`;
  return `<circle class="light ${light}" cx="${x}" cy="${y}" r="4"/>`;
}

function stop(x: number, y: number, side: string, parts: readonly TreePart[]): string {
  const kinds = new Set(parts.map((part) => part.kind));
  const tone = kinds.has('block') ? ' grave' : kinds.has('openGap') ? ' warning' : '';
  return kinds.has('command')
    ? `<path class="stop ${side}${tone}" d="M${x - 4.5} ${y - 6}l10 6l-10 6z"/>`
    : `<circle class="stop ${side}${tone}" cx="${x}" cy="${y}" r="4.5"/>`;
}

function writePart({ kind, text }: TreePart): string {
  if (kind === 'track' || kind === 'tip' || kind === 'preferredTip') return '';
  const shown = escapeHtml(text.trim());
  if (shown === '') return '';
  const space = text.startsWith(' ') ? ' dx="10"' : '';
  return kind === 'title'
    ? `<tspan>${shown}</tspan>`
    : `<tspan class="${kind}"${space}>${shown}${/\s$/u.test(text) ? ' ' : ''}</tspan>`;
}
