import type { NodeStory, RunStory } from '../contract/session-story.js';
import { type MarkCounts, type MarkKind, markCounts, marksOf, sumOfMarks } from './node-marks.js';
import { stretchesOf } from './stretches.js';
import { planTracks, type Track, type TrackPlan } from './track-plan.js';
import { visibleTitle } from './visible-text.js';

export interface TreePart {
  readonly text: string;
  /** What it is, for whoever colours it. */
  readonly kind: 'track' | 'tip' | 'preferredTip' | 'title' | 'around' | 'says' | MarkKind;
}

export interface TreeLine {
  /** All parts, one after another. */
  readonly text: string;
  readonly kind: 'start' | 'step' | 'switch' | 'tip' | 'fold' | 'lost';
  /** The node where the step was awaited, or the tip. */
  readonly nodeId?: string;
  /** The preferred tip, or a step on the way to it. */
  readonly preferred: boolean;
  /** The node that was asked to be marked. */
  readonly marked: boolean;
  readonly parts: readonly TreePart[];
}

export interface TreeOptions {
  readonly width: number;
  /** Cuts a title to as many columns; by characters where nobody who knows widths says otherwise. */
  readonly cut?: (text: string, width: number) => string;
  /** A node whose line is never folded away. */
  readonly mark?: string;
  /** Folds nothing. */
  readonly whole?: boolean;
}

/** Branches that leave at one node, and branches that leave from branches, before the rest is only counted. */
const branchesAtNode = 8;
const indent = 2;
const leastTitle = 12;

const cutCharacters = (text: string, width: number): string => {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
};

interface Drawing {
  readonly plan: TrackPlan;
  readonly options: TreeOptions;
  readonly mostNested: number;
  readonly lines: TreeLine[];
}

/** A run from its start to its tips, as lines of text: the way to the preferred tip at the left, other branches beside it. */
export function drawTree(run: RunStory, options: TreeOptions): readonly TreeLine[] {
  const plan = planTracks(run);
  const mostNested = Math.max(1, Math.min(12, Math.trunc((options.width - leastTitle - 20) / indent)));
  const drawing: Drawing = { plan, options, mostNested, lines: [] };
  for (const track of plan.tracks) {
    if (track.leaves !== undefined) continue;
    const [first] = track.nodes;
    const glyph = track.lost ? '┆ ' : '╷ ';
    const says: TreePart = track.lost ? { kind: 'says', text: 'the steps before are not on disk' } : { kind: 'title', text: run.workflow.title };
    put(drawing, { kind: track.lost ? 'lost' : 'start', preferred: track.number === 1, parts: [{ kind: 'track', text: glyph }], title: says, marks: first === undefined || track.lost ? undefined : startMarks(first) });
    drawTrack(drawing, track, 0);
  }
  return drawing.lines;
}

const startMarks = (root: NodeStory): MarkCounts => ({ ...sumOfMarks([]), openGap: root.cameBy.gaps.filter((gap) => !gap.resolved).length, gap: root.cameBy.gaps.filter((gap) => gap.resolved).length });

function drawTrack(drawing: Drawing, track: Track, depth: number): void {
  const { plan, options } = drawing;
  const rails = '│ '.repeat(depth);
  const preferred = track.number === 1;
  const shown = (node: NodeStory): boolean => plan.leaving.has(node.nodeId) || node.nodeId === options.mark;
  for (const stretch of stretchesOf(track.nodes, shown, options.whole === true)) {
    if (stretch.folded !== undefined) {
      const { steps, marks } = stretch.folded;
      put(drawing, { kind: 'fold', preferred, parts: [{ kind: 'track', text: `${rails}┊ ` }], title: { kind: 'says', text: `… ${steps} steps` }, marks });
      continue;
    }
    const { node, next } = stretch;
    if (next === undefined) {
      drawTip(drawing, track, rails);
      continue;
    }
    drawLeaving(drawing, plan.leaving.get(node.nodeId) ?? [], node, depth);
    put(drawing, { kind: 'step', nodeId: node.nodeId, preferred, parts: [{ kind: 'track', text: `${rails}│ ` }], ...named(next), marks: markCounts(node, next) });
  }
}

function drawLeaving(drawing: Drawing, leaving: readonly Track[], node: NodeStory, depth: number): void {
  const { options, mostNested } = drawing;
  const rails = '│ '.repeat(depth);
  const shown = depth >= mostNested ? 0 : options.whole === true || leaving.length <= branchesAtNode ? leaving.length : branchesAtNode - 1;
  const leftOut = leaving.length - shown;
  if (leftOut > 0) put(drawing, { kind: 'fold', nodeId: node.nodeId, preferred: false, parts: [{ kind: 'track', text: `${rails}├╌ ` }], title: { kind: 'says', text: `… ${leftOut} ${leftOut === 1 ? 'branch' : 'branches'} more` }, marks: undefined });
  for (const track of leaving.slice(leftOut)) {
    const [first] = track.nodes;
    if (first === undefined) continue;
    const own = markCounts({ ...node, checkpoints: [], notes: [], blocks: [], preferencesChanged: false }, first);
    put(drawing, { kind: 'switch', nodeId: node.nodeId, preferred: false, parts: [{ kind: 'track', text: `${rails}├─╮ ` }], ...named(first), marks: own });
    drawTrack(drawing, track, depth + 1);
  }
}

function drawTip(drawing: Drawing, { number, nodes }: Track, rails: string): void {
  const tip = nodes.at(-1);
  if (tip === undefined) return;
  const preferred = tip.isPreferredTip;
  const branch = drawing.plan.tracks.length > 1 ? `${preferred ? 'preferred' : `branch ${number}`}: ` : '';
  const state = tip.pending === undefined ? (tip.status === 'complete_with_gaps' ? 'complete, with gaps' : 'complete') : tip.status === 'blocked' ? 'blocked at ' : 'waits for ';
  const marks = { ...markCounts(tip, undefined), ...(tip.status === 'blocked' && tip.blocks.length === 1 && { block: 0 }) };
  const says = `${branch}${state}`;
  put(drawing, {
    kind: 'tip',
    nodeId: tip.nodeId,
    preferred,
    parts: [{ kind: 'track', text: rails }, { kind: preferred ? 'preferredTip' : 'tip', text: `${preferred ? '●' : '○'} ` }, { kind: 'says', text: says }],
    ...(tip.pending !== undefined && { title: { kind: 'title', text: tip.pending.title }, around: aroundOf(tip.pending.path) }),
    marks,
  });
}

const named = ({ cameBy }: NodeStory): { readonly title: TreePart; readonly around: string } => ({ title: { kind: 'title', text: cameBy.step?.title ?? '' }, around: aroundOf(cameBy.step?.path ?? '') });

/** The loops around a step and their turns: without them two steps of one loop look the same. */
const aroundOf = (path: string): string => (path.includes('@') ? path.slice(0, path.lastIndexOf('/')) : '');

interface Row {
  readonly kind: TreeLine['kind'];
  readonly nodeId?: string;
  readonly preferred: boolean;
  readonly parts: readonly TreePart[];
  readonly title?: TreePart;
  readonly around?: string;
  readonly marks: MarkCounts | undefined;
}

/** What does not fit goes in this order: words of marks, the loops around, the end of the title. */
function put({ options, lines }: Drawing, { kind, nodeId, preferred, parts, title, around = '', marks }: Row): void {
  const { width, cut = cutCharacters, mark } = options;
  const told = marks === undefined ? [] : marksOf(marks);
  const loops: readonly TreePart[] = around === '' ? [] : [{ kind: 'around', text: `  ${visibleTitle(around)}` }];
  const inWords: readonly TreePart[] = told.map((one) => ({ kind: one.kind, text: `  ${one.glyph} ${one.words}` }));
  const inGlyphs: readonly TreePart[] = told.map((one) => ({ kind: one.kind, text: ` ${one.glyph}` }));
  const before = lengthOf(parts);
  const wanted = title === undefined ? '' : visibleTitle(title.text);
  const tails = [[...loops, ...inWords], [...loops, ...inGlyphs], inGlyphs, []];
  const room = (tail: readonly TreePart[]): number => width - before - lengthOf(tail);
  const tail = tails.find((one, index) => room(one) >= (index === 0 ? Math.min(wanted.length, leastTitle * 2) : Math.min(wanted.length, leastTitle))) ?? [];
  const all: readonly TreePart[] = [...parts, ...(title === undefined ? [] : [{ kind: title.kind, text: cut(wanted, Math.max(1, room(tail))) }]), ...tail];
  lines.push({ text: all.map(({ text }) => text).join('').trimEnd(), kind, ...(nodeId !== undefined && { nodeId }), preferred, marked: nodeId !== undefined && nodeId === mark, parts: all });
}

const lengthOf = (parts: readonly TreePart[]): number => parts.reduce((sum, { text }) => sum + [...text].length, 0);
