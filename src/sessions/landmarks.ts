import { isUsage } from '../base/usage.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import { saysOnlyUsage } from './usage.js';

/** Something is remembered here that a look gathers all the way up: a gap, an artifact, a checkpoint, a note of a person. Notes of the step alone are not, nor what came late, nor what the step used. */
export function isLandmark({ madeBy, checkpoints, notes }: RunNode): boolean {
  if (notes.length > 0) return true;
  if (
    checkpoints.some((event) => event.data.late === undefined && !saysOnlyUsage(event)) ||
    (madeBy.data.gaps ?? []).length > 0
  )
    return true;
  return madeBy.kind === 'step_acked' && (madeBy.data.output?.artifacts ?? []).some((artifact) => !isUsage(artifact));
}

/** What a child of this node has as the nearest landmark above it. */
export const landmarkBelow = (parent: RunNode): RunNode['landmark'] =>
  isLandmark(parent) ? parent.id : parent.landmark;

/** A node, and every landmark above it, newest first: what lies between them has nothing but notes. */
export function* landmarksUpFrom(session: FoldedSession, from: RunNode): Generator<RunNode> {
  let node: RunNode | undefined = from;
  while (node !== undefined) {
    yield node;
    node = node.landmark === undefined ? undefined : session.nodes.get(node.landmark);
  }
}

/** A node has become a landmark after others had grown on it, as a merge may bring it about: those below have to know, as far as the next landmark. */
export function becomeLandmark(session: FoldedSession, node: RunNode): void {
  const open = [...node.children];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const below = session.nodes.get(id);
    if (below === undefined) continue;
    below.landmark = node.id;
    if (!isLandmark(below)) open.push(...below.children);
  }
}
