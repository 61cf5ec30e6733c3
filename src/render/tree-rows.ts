import type { NodeStory } from '../contract/session-story.js';
import { type MarkCounts, markCounts, sumOfMarks } from './node-marks.js';
import { stretchesOf } from './stretches.js';
import type { Track, TrackPlan } from '../contract/plan-tracks.js';

/** One row of a drawn run. Rows of a branch stand between the switch where it leaves, below the step that was done another way, and its tip. */
export type TreeRow = {
  /** How many lines of track run to the left of it. */
  readonly depth: number;
  /** Of its branch. */
  readonly number: number;
  readonly marks: MarkCounts;
} & (
  | { readonly kind: 'start' }
  /** The first step of a branch whose beginning is not on disk. */
  | { readonly kind: 'lost'; readonly next: NodeStory }
  /** A step that was done, at the node where it was awaited. */
  | { readonly kind: 'step'; readonly node: NodeStory; readonly next: NodeStory }
  /** Where a branch leaves: the step of the line above it, done another way. */
  | { readonly kind: 'switch'; readonly node: NodeStory; readonly next: NodeStory }
  | { readonly kind: 'tip'; readonly node: NodeStory }
  | { readonly kind: 'fold'; readonly steps: number; readonly branches: number }
  | { readonly kind: 'more'; readonly node: NodeStory; readonly branches: number }
);

export interface RowOptions {
  /** How many branches may stand beside each other. */
  readonly mostNested: number;
  readonly whole: boolean;
}

/** So many branches that leave at one node are told; of more, the newest, and the rest is counted. */
const branchesAtNode = 8;
/** So many branches of a run are drawn, those that were worked on last. */
const mostBranches = 60;
const noMarks = sumOfMarks([]);

/** A run from its start to its tips: the way to the preferred tip at depth 0, every other branch where it leaves. */
export function treeRows(
  { tracks, leaving }: TrackPlan<NodeStory>,
  { mostNested, whole }: RowOptions,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const drawn = (track: Track<NodeStory>): boolean => whole || track.rank <= mostBranches;
  const shown = ({ nodeId }: NodeStory): boolean => leaving.get(nodeId)?.some(drawn) ?? false;
  const follow = ({ number, nodes }: Track<NodeStory>, depth: number): void => {
    for (const stretch of stretchesOf(nodes, shown, whole)) {
      if (stretch.folded !== undefined) {
        const branches = stretch.folded.reduce((sum, { node }) => sum + (leaving.get(node.nodeId)?.length ?? 0), 0);
        rows.push({ kind: 'fold', depth, number, steps: stretch.folded.length, branches, marks: stretch.marks });
        continue;
      }
      const { node, next } = stretch;
      rows.push(
        next === undefined
          ? { kind: 'tip', depth, number, node, marks: tipMarks(node) }
          : { kind: 'step', depth, number, node, next, marks: markCounts(node, next) },
      );
      leave(node, depth, number);
    }
  };
  const leave = (node: NodeStory, depth: number, number: number): void => {
    const all = leaving.get(node.nodeId) ?? [];
    const told = depth >= mostNested ? [] : all.filter(drawn);
    const room = whole || told.length <= branchesAtNode ? told.length : branchesAtNode - 1;
    const leftOut = all.length - room;
    if (leftOut > 0) rows.push({ kind: 'more', depth, number, node, branches: leftOut, marks: noMarks });
    for (const track of told.slice(told.length - room)) {
      const [next] = track.nodes;
      if (next === undefined) continue;
      rows.push({ kind: 'switch', depth, number: track.number, node, next, marks: markCounts(onEdgeFrom(node), next) });
      follow(track, depth + 1);
    }
  };
  for (const track of tracks) {
    const [first] = track.nodes;
    if (track.leaves !== undefined || first === undefined) continue;
    const marks = markCounts(onEdgeFrom(first), first);
    rows.push(
      track.lost
        ? { kind: 'lost', depth: 0, number: track.number, marks, next: first }
        : { kind: 'start', depth: 0, number: track.number, marks },
    );
    follow(track, 0);
  }
  return rows;
}

/** A node without what was said and done at it, for the marks of an edge alone. */
const onEdgeFrom = ({ pending: _pending, ...node }: NodeStory): NodeStory => ({
  ...node,
  checkpoints: [],
  notes: [],
  blocks: [],
  preferencesChanged: false,
  cameBy: { ...node.cameBy, skipped: [] },
  preferenceChanges: [],
});

/** That a tip is blocked is said of it anyway. */
function tipMarks(tip: NodeStory): MarkCounts {
  const marks = markCounts(tip, undefined);
  return tip.status === 'blocked' && marks.block === 1 ? { ...marks, block: 0 } : marks;
}
