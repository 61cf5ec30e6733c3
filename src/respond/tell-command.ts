import { firstWords } from '../base/byte-budget.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { CommandTold } from '../contract/command-told.js';
import type { ExecutionAnswer } from '../contract/answer.js';
import type { NextCall } from '../base/rejection.js';
import { commandKey } from '../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../definitions/compiled/place.js';
import type { EventData } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { sentBelow } from '../sessions/sent-below.js';
import { commandStanding } from '../sessions/command-standing.js';
import { standingDraft } from '../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { statusAt, stoppedAt } from '../sessions/run-status.js';
import type { Told } from './told.js';
import { tellDraft } from './tell-draft.js';
import { wayOn } from './way-on.js';

const commandsTold = 12;

/** Where a run stands at a step that WorkRail does itself. */
export function tellCommandNode(
  { session, sealer }: Told,
  node: RunNode,
): Pick<ExecutionAnswer, 'pending' | 'isComplete' | 'stopped' | 'ackToken'> & { readonly nextCall?: NextCall } {
  const status = statusAt(session, node);
  const stateToken = sealer.state(node.id);
  const stopped = stoppedAt(session, node);
  const draft = status === 'blocked' ? standingDraft(node) : undefined;
  const confirm = draft && tellDraft(sealer, node, draft, 'looker').confirm;
  return {
    pending: null,
    isComplete: false,
    ...(stopped !== undefined && { stopped: { code: stopped.data.code, message: stopped.data.message } }),
    ...(draft !== undefined && { ackToken: sealer.ack(node.id, draft.data.attempt) }),
    ...(confirm !== undefined && { nextCall: confirm }),
    ...(status === 'running' && { nextCall: { tool: 'continue_workflow', arguments: { stateToken } } }),
    ...((status === 'failed' || status === 'canceled') && { nextCall: goBack(session, sealer, node) }),
  };
}

/** To the last step of an agent on the way here; where there is none, or none is taken any more, to a start. */
function goBack(session: FoldedSession, sealer: Told['sealer'], from: RunNode): NextCall {
  const run = session.runs.get(from.run)!;
  // What had failed before its run was canceled is answered as it was then.
  if (run.stopped !== undefined && stoppedAt(session, from) === run.stopped) return wayOn(session, sealer, run);
  for (let at: RunNode | undefined = from; at !== undefined;) {
    if (at.pending?.does === undefined)
      return { tool: 'continue_workflow', arguments: { stateToken: sealer.state(at.id) } };
    at = at.parent === undefined ? undefined : session.nodes.get(at.parent);
  }
  return wayOn(session, sealer, run);
}

/** Where a run stands that has ended as a whole, at a step that an agent would have done, or at its end. */
export const tellStopped = (
  { session, sealer }: Told,
  { data: { code, message } }: Event<'run_stopped'>,
  node: RunNode,
): Pick<ExecutionAnswer, 'pending' | 'isComplete' | 'stopped'> & { readonly nextCall: NextCall } => ({
  pending: null,
  isComplete: false,
  stopped: { code, message },
  nextCall: wayOn(session, sealer, session.runs.get(node.run)!),
});

/** The steps that WorkRail did between two nodes, and the one that it is at; of many the last. */
export function tellCommands(
  { session, workflow }: Pick<Told, 'session' | 'workflow'>,
  from: RunNode,
  to: RunNode,
  most: number = commandsTold,
): Pick<ExecutionAnswer, 'commands' | 'commandsOmitted'> {
  const told: CommandTold[] = [];
  let count = 0;
  for (
    let at: RunNode | undefined = to;
    at !== undefined;
    at = at.parent === undefined ? undefined : session.nodes.get(at.parent)
  ) {
    const isLast = at.id === to.id;
    if (at.pending?.does !== undefined) {
      count += 1;
      if (told.length < most) told.push(tellCommand(session, workflow, at, isLast));
    }
    if (at.id === from.id) break;
  }
  if (count === 0) return {};
  return { commands: told.toReversed(), ...(count > told.length && { commandsOmitted: count - told.length }) };
}

const sentTold = 6;

/** Requests that changed something, or may have, below a node that somebody goes back to; the newest of many. */
export function tellSentSince(
  session: FoldedSession,
  from: RunNode,
): Pick<ExecutionAnswer, 'sentSince' | 'sentSinceOmitted'> {
  const sent = sentBelow(session, from);
  const shown = sent
    .slice(-sentTold)
    .map(({ title, event: { data } }) => ({ title, request: `${data.method} ${data.url}` }));
  return {
    ...(shown.length > 0 && { sentSince: shown }),
    ...(sent.length > shown.length && { sentSinceOmitted: sent.length - shown.length }),
  };
}

function tellCommand(session: FoldedSession, workflow: CompiledWorkflow, node: RunNode, isLast: boolean): CommandTold {
  const { id, path, title } = node.pending!;
  const step = placesOf(workflow).get(id)?.step;
  const { tries, last: event } = commandStanding(node);
  const last = event?.data;
  const message = last?.error?.message ?? (isLast ? stoppedAt(session, node)?.data.message : undefined);
  return {
    path,
    title,
    ...(step?.kind === 'run' && { command: commandKey(step) }),
    state: commandState(session, node),
    ...(last !== undefined && answerTold(last)),
    ...(tries > 1 && { tries }),
    ...(message !== undefined && { message }),
    ...(last?.outcome === 'failed' && last.body !== undefined && { answered: beginning(last.body) }),
  };
}

const beginning = (body: JsonValue): string =>
  firstWords(typeof body === 'string' ? body : JSON.stringify(body), limits.echo);

const answerTold = ({ status, of, ms }: EventData<'command_done'>): Pick<CommandTold, 'status' | 'reused' | 'ms'> => ({
  ...(status !== undefined && { status }),
  ...(of === undefined ? { ms } : { reused: true as const }),
});

/** How a step that WorkRail does itself stands. */
export function commandState(session: FoldedSession, node: RunNode): CommandTold['state'] {
  const last = node.tries?.at(-1)?.data;
  if (node.children.length > 0 && last !== undefined) {
    if (last.outcome === 'ok') return 'succeeded';
    return last.outcome === 'unknown' ? 'unknown' : 'failed';
  }
  const status = statusAt(session, node);
  return status === 'failed' || status === 'canceled' || status === 'blocked' || status === 'running'
    ? status
    : 'pending';
}
