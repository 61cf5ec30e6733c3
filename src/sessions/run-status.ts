import { compareEvents, type Event } from '../events/event.js';
import { standingDraft } from './drafts.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { openGapsAt } from './gaps.js';
import { isAgreed, isSettled, waitedFrom, waitingDraft } from './person-answers.js';

export type RunStatus =
  | 'in_progress'
  | 'blocked'
  | 'running'
  | 'complete'
  | 'complete_with_gaps'
  | 'failed'
  | 'canceled';

/** How a run ended before its last step, looked at from one of its nodes. What ended it first counts: nothing changes that. */
export function stoppedAt(session: FoldedSession, node: RunNode): Event<'run_stopped'> | undefined {
  const { stopped: here, pending } = node;
  const whole = session.runs.get(node.run)?.stopped;
  if (here !== undefined && (whole === undefined || compareEvents(here, whole) < 0)) return here;
  return pending === undefined ? stoppedBefore(session, node) : whole;
}

/** That its run had ended as a whole when a step came to a node: what was under way then was waited for. */
export function stoppedBefore(session: FoldedSession, { run, madeBy }: RunNode): Event<'run_stopped'> | undefined {
  const whole = session.runs.get(run)?.stopped;
  return whole !== undefined && compareEvents(whole, madeBy) < 0 ? whole : undefined;
}

/** WorkRail itself is next at a node: nobody has to be asked first, and nothing has ended. */
export function isDoneHere(session: FoldedSession, node: RunNode): boolean {
  return node.whole && statusAt(session, node) === 'running';
}

/** Somebody can go on with it. */
export function isOpen(session: FoldedSession, { preferredTip }: Run): boolean {
  const tip = session.nodes.get(preferredTip);
  return tip === undefined || isOpenAt(session, tip);
}

const isOpenAt = (session: FoldedSession, tip: RunNode): boolean =>
  tip.pending !== undefined && stoppedAt(session, tip) === undefined;

/** How many of its branches wait for a step, beside the one where the work stands. */
export function openBranches(session: FoldedSession, { tips, preferredTip }: Run): number {
  return [...tips].filter((id) => {
    const tip = session.nodes.get(id);
    return id !== preferredTip && tip !== undefined && isOpenAt(session, tip);
  }).length;
}

/** How a run stands when looked at from one of its tips. */
export function statusAt(session: FoldedSession, node: RunNode): RunStatus {
  if (node.pending === undefined) {
    const stopped = stoppedAt(session, node);
    if (stopped !== undefined) return stopped.data.status;
    return openGapsAt(session, node).some((gap) => gap.severity === 'critical') ? 'complete_with_gaps' : 'complete';
  }
  // A step that was done after all is blocked no more, and one whose questions are answered waits for the agent.
  if (node.children.length > 0) return 'in_progress';
  const stopped = stoppedAt(session, node);
  if (stopped !== undefined) return stopped.data.status;
  const draft = standingDraft(node);
  const isBlocked = draft !== undefined && !isSettled(node, draft);
  if (node.pending.does === undefined) return isBlocked ? 'blocked' : 'in_progress';
  return isBlocked && !isAgreed(node, draft) ? 'blocked' : 'running';
}

/** Where somebody waits for a person, the longest first: at the end of a branch, or where another begins. */
export function waitingNodes(session: FoldedSession): readonly RunNode[] {
  return [...session.asked]
    .flatMap((id) => session.nodes.get(id) ?? [])
    .flatMap((node) => {
      const draft = stoppedAt(session, node) === undefined ? waitingDraft(node) : undefined;
      return draft === undefined ? [] : [{ node, at: waitedFrom(node, draft) }];
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ node }) => node);
}

/** All that was begun in it is done, on every branch, nothing waits for a person, and nobody shares a state of it any more. */
export function isFinished(session: FoldedSession): boolean {
  const tips = [...session.runs.values()].flatMap((run) => [...run.tips].map((tip) => session.nodes.get(tip)));
  const isDone = tips.every((tip) => tip !== undefined && statusAt(session, tip) === 'complete');
  const isShared = [...session.states.values()].some(({ closed }) => closed === undefined);
  return tips.length > 0 && isDone && waitingNodes(session).length === 0 && !isShared;
}

/** What has waited longest for a person. */
export function longestWaiting(session: FoldedSession): Event<'step_blocked'> | undefined {
  const [node] = waitingNodes(session);
  return node && waitingDraft(node);
}

/** Since when a person is waited for. */
export function waitsSince(session: FoldedSession): string | undefined {
  const [node] = waitingNodes(session);
  const draft = longestWaiting(session);
  return node === undefined || draft === undefined ? undefined : waitedFrom(node, draft);
}
