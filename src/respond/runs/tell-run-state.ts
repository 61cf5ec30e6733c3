import { firstWords } from '../../base/byte-budget.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { plural } from '../../base/plural.js';
import type { NextCall } from '../../base/rejection.js';
import { type HeldBy, heldByWords } from '../../contract/held-by.js';
import type { RunAnswer, RunWaitsFor } from '../../contract/run-answers.js';
import type { RunState } from '../../contract/tools/run-schemas.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import { placesOf } from '../../definitions/compiled/place.js';
import type { EventData } from '../../events/event-data.js';
import type { FoldedSession, Run, RunNode } from '../../sessions/folded-session.js';
import { standingDraft } from '../../sessions/drafts.js';
import { commandStanding, isAskedAbout } from '../../sessions/command-standing.js';
import { openGapsAt } from '../../sessions/gaps.js';
import { statusAt, stoppedAt } from '../../sessions/run-status.js';
import { tellCommands } from '../tell-command.js';
import { tellDraft } from '../tell-draft.js';
import { tellReturned } from '../tell-returned.js';
import type { Told } from '../told.js';

/** What the log alone does not tell of a run. */
export interface RunSeen {
  /** A process goes on with it. */
  readonly isDriven: boolean;
  /** A process holds it that nobody here can look at. */
  readonly heldBy?: HeldBy;
  readonly now: number;
  readonly timeOf: (at: string) => number;
  readonly textOf: (time: number) => string;
}

/** Where a run stands: the same in every process, but for who goes on with it. */
export function tellRunState(told: Told, run: Run, seen: RunSeen, stepsTold?: number): RunAnswer {
  const { session, workflow, sealer } = told;
  const tip = session.nodes.get(run.preferredTip);
  const root = session.nodes.get(run.root);
  const waits = tip && waitsFor(told, tip, seen);
  // Of a run that waits for somebody it does not matter who had it last.
  const heldBy = waits === 'driver' ? seen.heldBy : undefined;
  const { commands = [], commandsOmitted } = tip && root ? tellCommands(told, root, tip, stepsTold) : {};
  const state = stateOf(session, run, tip);
  const isAt = tip?.pending !== undefined && state !== 'succeeded';
  const returned = state === 'succeeded' ? tip && tellReturned(session, workflow, tip) : undefined;
  const failure = tip && failureOf(session, tip);
  const gaps = tip === undefined ? {} : gapsTold(session, tip);
  const nextCall = tip && nextCallOf(told, run, tip, state, waits);
  return {
    run_id: run.id,
    workflow_id: run.started.data.workflowId,
    session_id: sealer.session,
    stateToken: sealer.state(run.preferredTip),
    state,
    ...(waits !== undefined && { waitingFor: waits }),
    ...(isAt && { step: { ...stepAt(told, tip), ...whenAgain(told, tip, waits, seen) } }),
    message: `${messageOf(session, run, tip, waits, heldBy)}${afterWords(state, gaps, tip, seen)}`,
    ...(heldBy !== undefined && { heldBy }),
    done: commands,
    ...(commandsOmitted !== undefined && { doneOmitted: commandsOmitted }),
    ...(returned !== undefined && { returned }),
    ...gaps,
    ...(failure !== undefined && { failure }),
    startedAt: run.started.at,
    lastAt: run.lastAt,
    ...(nextCall !== undefined && { nextCall }),
  };
}

const mostGaps = 10;

/** What is open and critical, wherever the run stands. */
function gapsTold(session: FoldedSession, tip: RunNode): Pick<RunAnswer, 'criticalGaps' | 'gaps'> {
  const open = openGapsAt(session, tip).filter(({ severity }) => severity === 'critical');
  if (open.length === 0) return {};
  const gaps = open.slice(-mostGaps).map(({ reason, detail }) => ({ reason, detail }));
  return { criticalGaps: open.length, gaps };
}

/** What is to be told of a run that is over, besides how it ended. */
function afterWords(
  state: RunState,
  { criticalGaps }: Pick<RunAnswer, 'criticalGaps'>,
  tip: RunNode | undefined,
  seen: RunSeen,
): string {
  if (state === 'canceled') return isOut(tip, seen) ? '; a request of it is still under way' : '';
  return state === 'succeeded' && criticalGaps !== undefined ? `, with ${plural(criticalGaps, 'critical gap')}` : '';
}

const whenAgain = (
  told: Told,
  tip: RunNode,
  waits: RunWaitsFor | undefined,
  seen: RunSeen,
): { readonly nextTryAt?: string } => (waits === 'time' ? { nextTryAt: seen.textOf(nextTry(told, tip, seen)) } : {});

function stateOf(session: FoldedSession, run: Run, tip: RunNode | undefined): RunState {
  if (tip === undefined) return 'running';
  const status = statusAt(session, tip);
  if (status === 'failed' || status === 'canceled') return status;
  if (status === 'complete' || status === 'complete_with_gaps') return 'succeeded';
  return run.nodeCount === 1 && tip.tries === undefined && tip.intents === undefined && status === 'running'
    ? 'pending'
    : 'running';
}

function waitsFor(told: Told, tip: RunNode, seen: RunSeen): RunWaitsFor | undefined {
  const status = statusAt(told.session, tip);
  if (status === 'blocked') return 'user';
  if (status === 'in_progress') return tip.pending === undefined ? undefined : 'agent';
  if (status !== 'running') return undefined;
  if (!seen.isDriven) return 'driver';
  return nextTry(told, tip, seen) > seen.now ? 'time' : undefined;
}

/** When what was tried is tried again; in the past where it is not. */
function nextTry({ workflow }: Told, { tries, pending }: RunNode, { timeOf }: RunSeen): number {
  const last = tries?.at(-1);
  if (last?.data.then !== 'again' || pending === undefined) return 0;
  const step = placesOf(workflow).get(pending.id)?.step;
  const everyMs = step?.kind === 'run' ? step.everyMs : undefined;
  return timeOf(last.at) + (last.data.waitMs ?? everyMs ?? limits.commandPauseMs);
}

function stepAt({ workflow }: Told, tip: RunNode): NonNullable<RunAnswer['step']> {
  const { id, path, title } = tip.pending!;
  const { tries, last, unknown } = commandStanding(tip);
  const step = placesOf(workflow).get(id)?.step;
  const call = (unknown ?? last)?.data.call;
  return {
    step_id: id,
    path,
    title,
    ...(step?.kind === 'run' && { command: commandKey(step) }),
    ...(call !== undefined && { call }),
    ...(tries > 0 && { try: tries }),
    ...(unknown !== undefined && isAskedAbout(tip, unknown) && { unknown: true as const }),
  };
}

/** A request left, and its answer may still come. */
function isOut(tip: RunNode | undefined, { isDriven }: RunSeen): boolean {
  const { unknown } = tip === undefined ? {} : commandStanding(tip);
  return isDriven && tip !== undefined && unknown !== undefined && !isAskedAbout(tip, unknown);
}

function messageOf(
  session: FoldedSession,
  run: Run,
  tip: RunNode | undefined,
  waits: RunWaitsFor | undefined,
  heldBy: HeldBy | undefined,
): string {
  const at = tip?.pending === undefined ? '' : `“${tip.pending.title}”`;
  const stopped = tip && stoppedAt(session, tip);
  if (stopped !== undefined) return `${stopped.data.status}: ${stopped.data.message}`;
  switch (waits) {
    case 'agent':
      return `an agent is to do ${at}`;
    case 'user':
      return (tip && standingDraft(tip)?.data.blockers[0]?.message) ?? `the user is asked at ${at}`;
    case 'driver':
      return heldBy === undefined
        ? `it was interrupted at ${at}; nobody goes on with it`
        : `at ${at}; the run has been ${heldByWords(heldBy)}, and nobody here can see whether that process still runs; if it has ended, take the run over`;
    case 'time':
      return `waits before it tries ${at} again`;
    case undefined:
      return tip?.pending === undefined ? `“${run.started.data.title}” is complete` : `at ${at}`;
  }
}

function failureOf(session: FoldedSession, tip: RunNode): RunAnswer['failure'] {
  const stopped = stoppedAt(session, tip);
  if (stopped?.data.status !== 'failed') return undefined;
  const last = tip.tries?.at(-1)?.data;
  return {
    error_code: stopped.data.code,
    message: stopped.data.message,
    ...(tip.pending !== undefined && { step_id: tip.pending.id }),
    ...(last !== undefined && { command: `${last.catalog} ${last.command}`, response_payload: payloadOf(last) }),
  };
}

/** What came back, as far as it is of use to whoever looks for the cause. */
function payloadOf({ status, headers, body }: EventData<'command_done'>): JsonObject {
  const text = body === undefined ? '' : JSON.stringify(body);
  return {
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body: text.length > limits.toldPayload ? firstWords(text, limits.toldPayload) : body }),
  };
}

function nextCallOf(
  { sealer }: Told,
  run: Run,
  tip: RunNode,
  state: RunState,
  waits: RunWaitsFor | undefined,
): NextCall | undefined {
  const runId = run.id;
  const { workflowId, inputs } = run.started.data;
  if (state === 'failed') {
    const given = Object.keys(inputs).length > 0 ? { inputs } : {};
    return { tool: 'run_workflow', arguments: { workflowId, ...given, repairs: runId } };
  }
  if (state === 'succeeded' || state === 'canceled') return undefined;
  switch (waits) {
    case 'agent':
      return { tool: 'continue_workflow', arguments: { stateToken: sealer.state(tip.id) } };
    case 'user': {
      const draft = standingDraft(tip);
      const { confirm } = draft === undefined ? {} : tellDraft(sealer, tip, draft, 'looker');
      return confirm ?? { tool: 'continue_workflow', arguments: { stateToken: sealer.state(tip.id) } };
    }
    case 'driver':
      return { tool: 'run_workflow', arguments: { runId, detached: true } };
    case 'time':
    case undefined:
      return { tool: 'get_run', arguments: { runId, waitMs: limits.runWaitMs } };
  }
}
