import { agreedHole } from '../base/agreed-hole.js';
import { firstWords } from '../base/byte-budget.js';
import type { AttemptId } from '../base/ids.js';
import { hole } from '../base/hole.js';
import type { JsonObject } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { ExecutionAnswer, Expects, GapTold, WarningTold } from '../contract/answer.js';
import type { NextCall } from '../base/rejection.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { Gap } from '../events/event-data.js';
import type { RunNode } from '../sessions/folded-session.js';
import { stoppedAt, stoppedBefore } from '../sessions/run-status.js';
import { notesHole } from '../base/notes-hole.js';
import { documentsSpokenOf, type ToldAs } from './documents-spoken-of.js';
import { handedBack } from './handed-back.js';
import { stepsAbout } from './steps-about.js';
import { tellCommandNode, tellStopped } from './tell-command.js';
import { tellReturned } from './tell-returned.js';
import { tellStep } from './tell-step.js';
import type { Told } from './told.js';

export interface ToldNode {
  readonly answer: Pick<
    ExecutionAnswer,
    | 'stateToken'
    | 'ackToken'
    | 'pending'
    | 'commands'
    | 'commandsOmitted'
    | 'stopped'
    | 'returned'
    | 'spokenOf'
    | 'stepsDone'
    | 'stepsAbout'
    | 'isComplete'
    | 'session'
    | 'workflow'
    | 'preferences'
  > & { readonly nextCall?: NextCall };
  readonly warnings: readonly WarningTold[];
}

/** The part that all execution answers share: where the run stands, what to do there, and the call that completes it. */
export function tellNode(
  told: Told,
  node: RunNode,
  preferences: Preferences,
  attempt?: AttemptId,
  as: ToldAs = { isAnswer: false, knowsWhatCame: false },
): ToldNode {
  const { session, workflow, sealer } = told;
  const stateToken = sealer.state(node.id);
  const run = session.runs.get(node.run);
  const common = {
    stateToken,
    stepsDone: node.depth,
    session: { sessionId: sealer.session, runId: node.run },
    workflow: { id: workflow.id, title: workflow.title, hash: run?.workflowHash ?? '' },
    preferences,
  };
  // An answer that handed a step out stays, whatever becomes of the run later.
  const stopped = as.isAnswer ? stoppedBefore(session, node) : stoppedAt(session, node);
  if (stopped !== undefined && node.pending?.does === undefined)
    return { answer: { ...common, ...tellStopped(told, stopped, node) }, warnings: [] };
  if (node.pending === undefined) {
    const returned = tellReturned(session, workflow, node);
    return {
      answer: { ...common, pending: null, isComplete: true, ...(returned !== undefined && { returned }) },
      warnings: [],
    };
  }
  if (node.pending.does !== undefined) return { answer: { ...common, ...tellCommandNode(told, node) }, warnings: [] };
  const ackToken = sealer.ack(node.id, attempt);
  const { pending, warnings } = tellStep(session, workflow, node, as.knowsWhatCame ? handedBack(node) : undefined);
  const spokenOf = documentsSpokenOf(session, workflow, node, pending.prompt, as);
  return {
    answer: {
      ...common,
      ...(spokenOf.length > 0 && { spokenOf }),
      stepsAbout: stepsAbout(session, workflow, node)!,
      ackToken,
      pending,
      isComplete: false,
      nextCall: completingCall(stateToken, ackToken, pending.expects),
    },
    warnings,
  };
}

/** The call that completes a step, with a hole for everything it asks for. */
function completingCall(stateToken: string, ackToken: string, expects: Expects): NextCall {
  const required = expects.artifacts
    .filter((artifact) => artifact.required)
    .map(({ kind }) => hole(`an artifact of kind ${kind}`));
  const keys = [
    ...expects.context.filter((key) => key.required).map(({ key, wanted }): [string, string] => [key, hole(wanted)]),
    ...expects.needs.filter(({ satisfied }) => !satisfied).map(({ key, ask }): [string, string] => [key, hole(ask)]),
  ];
  const args: JsonObject = {
    stateToken,
    ackToken,
    ...(keys.length > 0 && { context: Object.fromEntries(keys) }),
    output: { notesMarkdown: notesHole, ...(required.length > 0 && { artifacts: required }) },
    ...(expects.confirmation.required && { confirmed: agreedHole }),
  };
  return { tool: 'continue_workflow', arguments: args };
}

export function tellGap({ id, category, reason, detail, severity, assumption, resolves }: Gap): GapTold {
  return {
    id,
    category,
    reason,
    detail: firstWords(detail, 300),
    severity,
    ...(assumption !== undefined && { assumption: firstWords(assumption, 300) }),
    ...(resolves !== undefined && { resolves }),
  };
}

/** What the workflow as a whole asks for: told at the start and whenever somebody looks again. */
export function tellWorkflow(workflow: CompiledWorkflow, hash: string): ExecutionAnswer['workflow'] {
  return {
    id: workflow.id,
    title: workflow.title,
    hash,
    description: workflow.description,
    ...(workflow.guidance.length > 0 && { guidance: workflow.guidance }),
    ...(workflow.preconditions.length > 0 && { preconditions: workflow.preconditions }),
    ...(workflow.clarify.length > 0 && { clarify: workflow.clarify }),
  };
}
