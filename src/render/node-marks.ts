import type { GapStory, NodeStory } from '../contract/session-story.js';

export type MarkKind = 'command' | 'checkpoint' | 'skipped' | 'note' | 'block' | 'openGap' | 'gap' | 'preferences';

export type MarkCounts = { readonly [kind in MarkKind]: number };

/** What stands beside the track at a step: at the node where it was awaited, and on the way to the node after it. */
export function markCounts(node: NodeStory, next: NodeStory | undefined): MarkCounts {
  const gaps = [...node.checkpoints.flatMap((checkpoint) => checkpoint.gaps), ...(next?.cameBy.gaps ?? [])];
  const open = gaps.filter(isOpen).length;
  return {
    command: node.pending?.does === 'run' ? 1 : 0,
    // That the user is asked before a command is how it should be.
    block: node.pending?.does === undefined ? node.blocks.length : 0,
    openGap: open,
    gap: gaps.length - open,
    checkpoint: node.checkpoints.length,
    skipped: node.cameBy.skipped.length,
    note: node.notes.length,
    preferences: node.preferencesChanged ? 1 : 0,
  };
}

/** A gap that resolves another one says how it ended; it is not open itself. */
export const isOpen = ({ resolved, resolves }: GapStory): boolean => !resolved && resolves === undefined;

const markKinds: readonly MarkKind[] = [
  'command',
  'block',
  'openGap',
  'gap',
  'checkpoint',
  'skipped',
  'note',
  'preferences',
];

export function sumOfMarks(counts: readonly MarkCounts[]): MarkCounts {
  const sum = { command: 0, block: 0, openGap: 0, gap: 0, checkpoint: 0, skipped: 0, note: 0, preferences: 0 };
  for (const one of counts) for (const kind of markKinds) sum[kind] += one[kind];
  return sum;
}

export interface Mark {
  readonly kind: MarkKind;
  readonly glyph: string;
  readonly words: string;
}

const words: { readonly [kind in MarkKind]: { readonly glyph: string; readonly one: string; readonly many: string } } =
  {
    command: { glyph: '▶', one: 'command', many: 'commands' },
    block: { glyph: '■', one: 'blocked', many: 'times blocked' },
    openGap: { glyph: '▲', one: 'open gap', many: 'open gaps' },
    gap: { glyph: '△', one: 'gap resolved', many: 'gaps resolved' },
    checkpoint: { glyph: '◆', one: 'checkpoint', many: 'checkpoints' },
    skipped: { glyph: '↷', one: '1 step skipped before', many: 'steps skipped before' },
    note: { glyph: '✎', one: 'note', many: 'notes' },
    preferences: { glyph: '≡', one: 'preferences changed', many: 'times preferences changed' },
  };

/** In words, the gravest first; what there is none of is not said. */
export function marksOf(counts: MarkCounts): readonly Mark[] {
  return markKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({
      kind,
      glyph: words[kind].glyph,
      words: counts[kind] === 1 ? words[kind].one : `${counts[kind]} ${words[kind].many}`,
    }));
}
