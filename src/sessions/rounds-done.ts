import type { FoldedSession, RunNode } from './folded-session.js';

/** What a round has left: the words of its last step that said something. */
export interface RoundDone {
  readonly notes: string | undefined;
}

/** The rounds that steps were done in on the way to a node, by loop and round: `audit@3`. */
export function roundsDone(session: FoldedSession, from: RunNode): ReadonlyMap<string, RoundDone> {
  const found = new Map<string, RoundDone>();
  for (
    let node: RunNode | undefined = from;
    node !== undefined;
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent)
  ) {
    const { did, madeBy } = node;
    if (madeBy.kind !== 'step_acked' || did?.path.includes('@') !== true) continue;
    const parts = did.path.split('/');
    parts.forEach((part, at) => {
      if (!part.includes('@')) return;
      const round = parts.slice(0, at + 1).join('/');
      if (found.get(round)?.notes === undefined) found.set(round, { notes: madeBy.data.output?.notes });
    });
  }
  return found;
}
