import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import { plainWords, shortened } from '../contract/plain-words.js';
import type { DataPlace, FindingTold } from '../contract/session-story.js';
import type { SessionListed } from '../contract/session-list.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { isFinished, isOpen, openBranches, statusAt, waitsSince } from '../sessions/run-status.js';
import { runsInOrder } from '../sessions/runs-in-order.js';
import { slowestSteps, timeWorked } from '../sessions/time-worked.js';
import { usedIn } from '../sessions/usage.js';
import { longestTold, told } from './node-story.js';
import { sessionName } from './session-name.js';
import { briefState } from './brief-state.js';

/** Which session it is and in what root, and the session as it was read. */
interface ListedAt {
  readonly id: string;
  readonly place: { readonly kind: DataPlace; readonly name: string };
}
interface ListedFrom {
  readonly state: FoldedSession;
  readonly eventCount: number;
  readonly findings: readonly Pick<FindingTold, 'level'>[];
}

/** A session as one entry of a list. */
export function listedSession(
  { id: sessionId, place }: ListedAt,
  { state: session, eventCount, findings }: ListedFrom,
  why?: string,
): SessionListed {
  const { key, title, tags, keep, startedAt, lastAt } = session;
  const runs = [...session.runs.values()];
  // The one that waits is what the session stands at, whatever ended beside it since.
  const open = runs.filter((one) => isOpen(session, one));
  const run = (open.length > 0 ? open : runs).toSorted((a, b) =>
    a.lastAt === b.lastAt ? (a.id < b.id ? -1 : 1) : a.lastAt < b.lastAt ? 1 : -1,
  )[0];
  const seen = (field: 'branch' | 'repository'): string | undefined =>
    session.observations.findLast((observation) => observation[field] !== undefined)?.[field];
  const [branch, repository] = [seen('branch'), seen('repository')];
  const [trouble, waits, worked] = [troubleOf(findings), waitsSince(session), timeWorked(session)];
  const [longest] = slowestSteps(session);
  const state = briefState(session);
  return {
    sessionId,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    about: sessionName(session) ?? sessionId,
    tags,
    keep,
    place: place.kind,
    folder: place.name,
    startedAt,
    lastAt,
    ...(run !== undefined && { run: runOf(session, run), ...saidLast(session, run) }),
    runs: runs.length,
    branches: runs.reduce((count, { tips }) => count + tips.size, 0),
    openGaps: runs.reduce((count, { preferredTip }) => count + openGaps(session, preferredTip), 0),
    eventCount,
    ...(branch !== undefined && { branch }),
    ...(repository !== undefined && { repository }),
    ...(trouble !== undefined && { trouble }),
    ...(state !== undefined && { state }),
    ...(worked !== undefined && { took: worked.took }),
    ...(worked !== undefined && worked.waited > 0 && { waited: worked.waited }),
    ...(longest !== undefined && { longest: { runId: longest.run.id, ...longestTold(longest) } }),
    ...told(usedIn(session)),
    ...(waits !== undefined && { waitsSince: waits }),
    ...(isFinished(session) && { finished: true as const }),
    ...(why !== undefined && { why }),
  };
}

/** The worst of what is amiss with its files. */
export function troubleOf(findings: readonly Pick<FindingTold, 'level'>[]): SessionListed['trouble'] {
  return (['damage', 'newer', 'incomplete'] as const).find((level) =>
    findings.some((finding) => finding.level === level),
  );
}

function runOf(session: FoldedSession, run: Run): NonNullable<SessionListed['run']> {
  const { id, started, preferredTip } = run;
  const tip = session.nodes.get(preferredTip);
  return {
    runId: id,
    workflowId: started.data.workflowId,
    workflowTitle: started.data.title,
    status: tip === undefined ? 'in_progress' : statusAt(session, tip),
    pending: tip?.pending?.title ?? null,
    openBranches: openBranches(session, run),
    number: runsInOrder(session).indexOf(run) + 1,
  };
}

/** What was handed in for the last step on the way to where a run stands. */
function saidLast(session: FoldedSession, { preferredTip }: Run): Pick<SessionListed, 'last'> {
  const tip = session.nodes.get(preferredTip);
  const done = tip?.parent === undefined ? undefined : session.nodes.get(tip.parent);
  if (tip?.madeBy.kind !== 'step_acked' || done?.pending === undefined) return {};
  const words = plainWords(firstWords(tip.madeBy.data.output?.notes ?? '', 4 * limits.lastSaid));
  return words === '' ? {} : { last: { step: done.pending.title, said: shortened(words, limits.lastSaid) } };
}

function openGaps(session: FoldedSession, tip: Run['preferredTip']): number {
  const node = session.nodes.get(tip);
  return node === undefined ? 0 : openGapsAt(session, node).length;
}
