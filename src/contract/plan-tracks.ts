/** What of a node says where its branch runs. */
export interface TrackNode {
  readonly nodeId: string;
  readonly parent?: string;
  /** In the order they were made. */
  readonly children: readonly string[];
}

/** One line of track: every node from where it leaves another line, or from the start, to its tip. */
export interface Track<N extends TrackNode> {
  /** 1 for the line of the preferred tip; then from the start of the run on, in the order in which they leave. */
  readonly number: number;
  /** 1 for the line that the run names first, which is the preferred one; then the newest work first. */
  readonly rank: number;
  /** Never empty; the last one is the tip. */
  readonly nodes: readonly N[];
  /** The node of another line that this one leaves at. */
  readonly leaves?: N;
  /** The nodes before its first one are not on disk. */
  readonly lost: boolean;
}

/** A run as a railway: as many lines as tips, the preferred one straight through. */
export interface TrackPlan<N extends TrackNode> {
  /** By number. */
  readonly tracks: readonly Track<N>[];
  /** The lines that leave at a node, in the order they were made. */
  readonly leaving: ReadonlyMap<string, readonly Track<N>[]>;
}

/** Where a branch goes on is decided from its tips: a line runs on towards the tip that the run names first. */
export function planTracks<N extends TrackNode>(run: {
  readonly nodes: readonly N[];
  /** The preferred one first, then those with the newest work. */
  readonly tips: readonly string[];
}): TrackPlan<N> {
  const nodes = new Map(run.nodes.map((node) => [node.nodeId, node]));
  const taken = new Set<string>();
  const found: Track<N>[] = [];
  const leaving = new Map<string, Track<N>[]>();
  for (const tip of run.tips) {
    const way: N[] = [];
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
    const track: Track<N> = {
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
    const place = ({ nodes: [first] }: Track<N>): number => order.get(first?.nodeId ?? '') ?? order.size;
    lines.sort((a, b) => place(a) - place(b));
  }
  return numbered(found, leaving);
}

/** As they are read from the top: a line, then what leaves it, each with what leaves that one before the next. */
function numbered<N extends TrackNode>(
  found: readonly Track<N>[],
  leaving: ReadonlyMap<string, readonly Track<N>[]>,
): TrackPlan<N> {
  const inOrder: Track<N>[] = [];
  const waiting = found.filter(({ leaves }) => leaves === undefined).toReversed();
  for (let track = waiting.pop(); track !== undefined; track = waiting.pop()) {
    inOrder.push(track);
    for (const { nodeId } of track.nodes.toReversed()) {
      for (const branch of leaving.get(nodeId)?.toReversed() ?? []) waiting.push(branch);
    }
  }
  const numberedOf = new Map(inOrder.map((track, index) => [track, { ...track, number: index + 1 }]));
  const told = (lines: readonly Track<N>[]): readonly Track<N>[] =>
    lines.flatMap((track) => numberedOf.get(track) ?? []);
  return {
    tracks: told(inOrder),
    leaving: new Map([...leaving].map(([nodeId, lines]) => [nodeId, told(lines)])),
  };
}

/** The number of the branch that each node is on: one numbering for the page, the command line and the report. */
export const branchNumbers = (run: Parameters<typeof planTracks>[0]): ReadonlyMap<string, number> =>
  new Map(planTracks(run).tracks.flatMap(({ number, nodes }) => nodes.map(({ nodeId }) => [nodeId, number] as const)));
