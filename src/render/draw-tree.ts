import type { RunStory } from '../contract/session-story.js';
import { cutColumns } from './cut-columns.js';
import { type MarkKind, marksOf } from './node-marks.js';
import { rowWords } from './row-words.js';
import { planTracks } from '../contract/plan-tracks.js';
import { type TreeRow, treeRows } from './tree-rows.js';

export interface TreePart {
  readonly text: string;
  /** What it is, for whoever colours it. */
  readonly kind: 'track' | 'tip' | 'preferredTip' | 'title' | 'around' | 'says' | MarkKind;
}

export interface TreeLine {
  /** All parts, one after another. */
  readonly text: string;
  readonly kind: TreeRow['kind'];
  /** The node where the step was awaited, or the tip. */
  readonly nodeId?: string;
  /** The node that the step led to. */
  readonly leadsTo?: string;
  /** How many lines of track run to the left of it; a switch leads one further to the right. */
  readonly depth: number;
  /** How it stands at a tip. */
  readonly status?: RunStory['status'];
  /** The preferred tip, or a step on the way to it. */
  readonly preferred: boolean;
  readonly parts: readonly TreePart[];
}

export interface TreeOptions {
  readonly width: number;
  /** Cuts a title to as many columns, where somebody knows better how wide characters are. */
  readonly cut?: (text: string, width: number) => string;
  /** Folds nothing. */
  readonly whole?: boolean;
}

/** A title keeps as many columns of its own before what stands after it gives way. */
const leastTitle = 12;
const mostNested = 12;

/** A run from its start to its tips, as lines of text: the way to the preferred tip at the left, other branches beside it. */
export function drawTree(run: RunStory, options: TreeOptions): readonly TreeLine[] {
  const { width, whole = false } = options;
  const room = Math.trunc((width - 2 * leastTitle) / 2);
  return treeRows(planTracks(run), { mostNested: Math.max(1, Math.min(mostNested, room)), whole }).map((row) =>
    lineOf(row, run, options),
  );
}

/** What does not fit goes in this order: the words of marks, the loops around, the end of the title. */
function lineOf(row: TreeRow, run: RunStory, { width, cut = cutColumns }: TreeOptions): TreeLine {
  const { says, title, around } = rowWords(row, run);
  const told = marksOf(row.marks);
  const loops: readonly TreePart[] = around === '' ? [] : [{ kind: 'around', text: `  ${around}` }];
  const inWords: readonly TreePart[] = told.map((one) => ({ kind: one.kind, text: `  ${one.glyph} ${one.words}` }));
  const inGlyphs: readonly TreePart[] = told.map((one) => ({ kind: one.kind, text: ` ${one.glyph}` }));
  const before = [...trackOf(row), ...(says === '' ? [] : [{ kind: 'says' as const, text: says }])];
  const room = (tail: readonly TreePart[]): number => width - lengthOf(before) - lengthOf(tail);
  const tails = [[...loops, ...inWords], [...loops, ...inGlyphs], inGlyphs, []];
  const tail =
    tails.find((one, index) => room(one) >= Math.min(title.length, index === 0 ? 2 * leastTitle : leastTitle)) ?? [];
  const parts: readonly TreePart[] = [
    ...before,
    ...(title === '' ? [] : [{ kind: 'title' as const, text: cut(title, Math.max(1, room(tail))) }]),
    ...tail,
  ];
  const nodeId = 'node' in row ? row.node.nodeId : undefined;
  return {
    text: parts
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
    kind: row.kind,
    ...(nodeId !== undefined && { nodeId }),
    ...('next' in row && { leadsTo: row.next.nodeId }),
    depth: row.depth,
    ...(row.kind === 'tip' && { status: row.node.status }),
    preferred: row.number === 1 && row.kind !== 'more',
    parts,
  };
}

function trackOf(row: TreeRow): readonly TreePart[] {
  const rails = '│ '.repeat(row.depth);
  if (row.kind === 'tip') {
    const { isPreferredTip } = row.node;
    return [
      ...(rails === '' ? [] : [{ kind: 'track' as const, text: rails }]),
      isPreferredTip ? { kind: 'preferredTip', text: '● ' } : { kind: 'tip', text: '○ ' },
    ];
  }
  const glyphs = { start: '╷ ', lost: '┆ ', step: '│ ', switch: '├─╮ ', fold: '┊ ', more: '├╌ ' } as const;
  return [{ kind: 'track', text: `${rails}${glyphs[row.kind]}` }];
}

const lengthOf = (parts: readonly TreePart[]): number => parts.reduce((sum, { text }) => sum + [...text].length, 0);
