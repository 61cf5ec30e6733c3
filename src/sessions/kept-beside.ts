import type { Event } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';

/** What was kept beside a step when its ack was repeated with other work, oldest first for each time it was done. */
export const keptBeside = (session: FoldedSession, node: RunNode): readonly Event<'checkpoint'>[] =>
  node.children.flatMap((id) => session.nodes.get(id)?.checkpoints.filter(({ data }) => data.late !== undefined) ?? []);
