import type { NodeId } from '../base/ids.js';
import { compareEvents } from '../events/event.js';
import { type Entry, entriesUpFrom } from './entry.js';
import type { FoldedSession, RunNode } from './folded-session.js';

/** What went on from a node through one of its children. */
export interface Branch {
  readonly child: RunNode;
  /** The tip where work on this branch stands. */
  readonly tip: RunNode;
  /** Acks from the node to the tip. */
  readonly steps: number;
  /** Looked for when it is told: a node may have a thousand branches, and an answer tells a few. */
  readonly newest: () => Entry | undefined;
}

/** The branches below a node, the one with the newest work first. */
export function branchesBelow(session: FoldedSession, node: RunNode): readonly Branch[] {
  const branches = node.children.flatMap((id) => {
    const child = session.nodes.get(id);
    return child === undefined ? [] : [branchThrough(session, node, child)];
  });
  return branches.toSorted((a, b) => compareEvents(b.tip.touched, a.tip.touched));
}

function branchThrough(session: FoldedSession, node: RunNode, child: RunNode): Branch {
  let tip: RunNode | undefined;
  const open = [child];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.children.length === 0 && (tip === undefined || compareEvents(next.touched, tip.touched) > 0)) tip = next;
    for (const id of next.children) {
      const below = session.nodes.get(id);
      if (below !== undefined) open.push(below);
    }
  }
  const best = tip ?? child;
  return { child, tip: best, steps: best.depth - node.depth, newest: () => newestWords(session, best, node.id) };
}

/** The newest entry with notes between a tip and the node it grew from, or the root. */
export function newestWords(session: FoldedSession, tip: RunNode, stopAt?: NodeId): Entry | undefined {
  for (const entry of entriesUpFrom(session, tip, stopAt)) if (entry.output.notes !== undefined) return entry;
  return undefined;
}

/** The steps done between a node and one of its descendants, in order, and what is pending there. */
export function pathDown(
  session: FoldedSession,
  from: NodeId,
  to: RunNode,
  most: number,
): readonly { readonly path: string; readonly title: string }[] {
  const steps: { readonly path: string; readonly title: string }[] = [];
  let node: RunNode | undefined = to;
  while (node !== undefined && node.id !== from && steps.length < most) {
    if (node.did !== undefined) steps.push(node.did);
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  }
  return steps.toReversed();
}
