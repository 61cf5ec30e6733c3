import type { NodeStory, RunStory } from '../contract/session-story.js';

/** One line of track: every node from where it leaves another line, or from the start, to its tip. */
export interface Track {
  /** 1 for the line of the preferred tip; then from the start of the run on, in the order in which they leave. */
  readonly number: number;
  /** 1 for the line that the run names first, which is the preferred one; then the newest work first. */
  readonly rank: number;
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
  const found: Track[] = [];
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
      number: 0,
      rank: found.length + 1,
      nodes: way.toReversed(),
      lost: node === undefined && first.parent !== undefined,
      ...(node !== undefined && { leaves: node }),
    };
    found.push(track);
    if (node !== undefined) leaving.set(node.nodeId, [...(leaving.get(node.nodeId) ?? []), track]);
  }
  for (const [nodeId, lines] of leaving) {
    const order = new Map(nodes.get(nodeId)?.children.map((child, index) => [child, index]));
    const place = ({ nodes: [first] }: Track): number => order.get(first?.nodeId ?? '') ?? order.size;
    lines.sort((a, b) => place(a) - place(b));
  }
  return numbered(found, leaving);
}

/** As they are read from the top: a line, then what leaves it, each with what leaves that one before the next. */
function numbered(found: readonly Track[], leaving: ReadonlyMap<string, readonly Track[]>): TrackPlan {
  const inOrder: Track[] = [];
  const waiting = found.filter(({ leaves }) => leaves === undefined).toReversed();
  for (let track = waiting.pop(); track !== undefined; track = waiting.pop()) {
    inOrder.push(track);
    for (const { nodeId } of track.nodes.toReversed()) {
      for (const branch of leaving.get(nodeId)?.toReversed() ?? []) waiting.push(branch);
    }
  }
  const numberedOf = new Map(inOrder.map((track, index) => [track, { ...track, number: index + 1 }]));
  const told = (lines: readonly Track[]): readonly Track[] => lines.flatMap((track) => numberedOf.get(track) ?? []);
  return {
    tracks: told(inOrder),
    leaving: new Map([...leaving].map(([nodeId, lines]) => [nodeId, told(lines)])),
  };
}
