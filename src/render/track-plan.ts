import type { NodeStory, RunStory } from '../contract/session-story.js';

/** One line of track: every node from where it leaves another line, or from the start, to its tip. */
export interface Track {
  /** 1 for the line of the preferred tip; then as the run counts its tips. */
  readonly number: number;
  /** Never empty; the last one is the tip. */
  readonly nodes: readonly NodeStory[];
  /** The node of another line that this one leaves at. */
  readonly leaves?: NodeStory;
  /** The nodes before its first one are not on disk. */
  readonly lost: boolean;
}

/** A run as a railway: as many lines as tips, the preferred one straight through. */
export interface TrackPlan {
  /** By number. */
  readonly tracks: readonly Track[];
  /** The lines that leave at a node, in the order they were made. */
  readonly leaving: ReadonlyMap<string, readonly Track[]>;
}

/** Where a branch goes on is decided from its tips: a line runs on towards the tip that the run names first. */
export function planTracks(run: RunStory): TrackPlan {
  const nodes = new Map(run.nodes.map((node) => [node.nodeId, node]));
  const taken = new Set<string>();
  const tracks: Track[] = [];
  const leaving = new Map<string, Track[]>();
  for (const tip of run.tips) {
    const way: NodeStory[] = [];
    let node = nodes.get(tip);
    for (
      ;
      node !== undefined && !taken.has(node.nodeId);
      node = node.parent === undefined ? undefined : nodes.get(node.parent)
    ) {
      taken.add(node.nodeId);
      way.push(node);
    }
    const first = way.at(-1);
    if (first === undefined) continue;
    const track: Track = {
      number: tracks.length + 1,
      nodes: way.toReversed(),
      lost: node === undefined && first.parent !== undefined,
      ...(node !== undefined && { leaves: node }),
    };
    tracks.push(track);
    if (node !== undefined) leaving.set(node.nodeId, [...(leaving.get(node.nodeId) ?? []), track]);
  }
  for (const [nodeId, lines] of leaving) {
    const order = new Map(nodes.get(nodeId)?.children.map((child, index) => [child, index]));
    const place = ({ nodes: [first] }: Track): number => order.get(first?.nodeId ?? '') ?? order.size;
    lines.sort((a, b) => place(a) - place(b));
  }
  return { tracks, leaving };
}
