import { limits } from '../base/limits.js';
import type { ExecutionAnswer } from '../contract/answer.js';
import type { Event } from '../events/event.js';
import { standingDraft } from '../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { statusAt, stoppedBefore } from '../sessions/run-status.js';
import { settledBelow } from '../sessions/settled-below.js';
import type { Told } from './told.js';
import { tellCommands } from './tell-command.js';
import { tellDraft, tellStanding } from './tell-draft.js';

/** Where WorkRail went on to by itself from a node, and what an answer says of the way there. */
export interface Settling {
  readonly at: RunNode;
  readonly kind: ExecutionAnswer['kind'];
  readonly status: ExecutionAnswer['status'];
  /** What recorded the steps on the way, in order. */
  readonly events: readonly Event<'step_acked'>[];
  readonly told: Partial<ExecutionAnswer>;
}

export function settledFrom(told: Told, node: RunNode): Settling {
  const { session } = told;
  const at = settledBelow(session, node);
  const events = eventsBetween(session, node, at);
  const status = settledStatus(session, at);
  return {
    at,
    status,
    kind: kindOf(status),
    events,
    told: { ...tellCommands(told, node, at), ...(at.pending?.does !== undefined && tellAsked(told, at, status)) },
  };
}

/** Of a step that an agent does no more than that: whatever becomes of it later, the answer that handed it out stays. */
function settledStatus(session: FoldedSession, at: RunNode): ExecutionAnswer['status'] {
  if (at.pending?.does !== undefined) return statusAt(session, at);
  const stopped = stoppedBefore(session, at);
  if (stopped !== undefined) return stopped.data.status;
  if (at.pending !== undefined) return 'in_progress';
  const { madeBy } = at;
  const critical =
    madeBy.kind === 'step_acked'
      ? (madeBy.data.openGaps?.critical ?? 0) > 0
      : (madeBy.data.gaps ?? []).some(({ severity }) => severity === 'critical');
  return critical ? 'complete_with_gaps' : 'complete';
}

export function kindOf(status: ExecutionAnswer['status']): ExecutionAnswer['kind'] {
  switch (status) {
    case 'in_progress':
      return 'ok';
    case 'complete':
    case 'complete_with_gaps':
      return 'complete';
    case 'blocked':
    case 'running':
    case 'failed':
    case 'canceled':
      return status;
  }
}

/** What the user is asked before a command is sent. */
function tellAsked({ sealer }: Told, at: RunNode, status: ExecutionAnswer['status']): Partial<ExecutionAnswer> {
  const draft = status === 'blocked' ? standingDraft(at) : undefined;
  if (draft === undefined) return {};
  const told = tellDraft(sealer, at, draft, 'looker');
  return {
    draft: told,
    blockers: tellStanding(at, draft).slice(0, limits.blockers),
  };
}

function eventsBetween(session: FoldedSession, from: RunNode, to: RunNode): readonly Event<'step_acked'>[] {
  const events: Event<'step_acked'>[] = [];
  for (let at: RunNode | undefined = to; at !== undefined && at.id !== from.id;) {
    if (at.madeBy.kind === 'step_acked') events.unshift(at.madeBy);
    at = at.parent === undefined ? undefined : session.nodes.get(at.parent);
  }
  return events;
}

/** What one event says, and then those of the steps that WorkRail did after it. */
export function joined<T>(
  first: readonly T[] | undefined,
  events: readonly Event<'step_acked'>[],
  of: (data: Event<'step_acked'>['data']) => readonly T[] | undefined,
): T[] | undefined {
  const all = [...(first ?? []), ...events.flatMap(({ data }) => of(data) ?? [])];
  return all.length === 0 ? undefined : all;
}
