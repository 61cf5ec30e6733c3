import { assert } from '../../base/assert.js';
import type { AttemptId, KeyId, NodeId, RunId, StateId } from '../../base/ids.js';
import { hole } from '../../base/hole.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { sentenceText } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply, ReplyTask } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { PromptStep } from '../../definitions/compiled/compiled-workflow.js';
import { promptStep } from '../../definitions/compiled/place.js';
import type { Mendable } from '../../engine/blocker.js';
import { type Ack, type AckDecision, decideAck } from '../../decide/decide-ack.js';
import { decideReplay, type Replayed } from '../../decide/decide-replay.js';
import { askedPerson } from '../answers/record-form.js';
import { takenUp } from './taken-up.js';
import type { Told } from '../../respond/told.js';
import { earlierRound } from '../../respond/earlier-round.js';
import { answerToAck, answerToBlock } from '../../respond/execution-answers.js';
import { formOfQuestions } from '../../respond/form-of-questions.js';
import { executionReply } from '../../render/answers/execution-reply.js';
import { sealerFor } from '../../respond/sealer.js';
import type { Warning } from '../../events/event-data.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import { taskHandle } from '../../tokens/task-handle.js';
import type { Environment } from '../world/environment.js';
import { withHolder } from '../world/with-holder.js';
import { drive, type Turn, turn } from '../world/drive.js';
import { isToSettle, settleAndAsk } from '../commands/settle-and-ask.js';
import { mergeTurn, stateToMerge } from '../world/merge-state.js';
import { driftAtStep } from './drift.js';
import { endedRun } from './ended-run.js';
import type { NodeInContext } from '../world/node-in-context.js';
import { boldQuestion, type TooBold, tooBold } from './too-bold.js';
import { wrongSettlementRejection } from './wrong-settlement-rejection.js';

type Outcome =
  | ({ readonly kind: 'replayed' } & Pick<Replayed, 'record' | 'other'>)
  | AckDecision
  /** All that stands in its way is that a person has to allow it. */
  | { readonly kind: 'to_ask'; readonly refused: TooBold; readonly step: string }
  /** Clones have written to the shared state side by side: that is merged before the step writes to it. */
  | { readonly kind: 'to_merge'; readonly state: StateId }
  | { readonly kind: 'gone' }
  /** Its run has ended as a whole. */
  | { readonly kind: 'ended'; readonly why: Rejection };

type Settled = Exclude<Outcome, { readonly kind: 'to_ask' | 'to_merge' }>;

/** Presents an attempt on a node: recorded already, recorded now, or not to be recorded and why. */
export async function acknowledge(
  env: Environment,
  standing: NodeInContext,
  request: RequestOf<'continue_workflow'>,
  attempt: AttemptId,
): Promise<Result<Reply, Rejection>> {
  const { log, workflow, started } = standing;
  const noticed = await driftAtStep(env, started, workflow);
  const { output, context, preferences } = request;
  const common = { attempt, output, context, key: env.keys.current().id, draw: env.draw() };
  const presented = (agreed: Ack['agreed'], merged = false): Turn<Reply> =>
    turn<Outcome, Reply>(
      ({ state }) => {
        const node = state.nodes.get(standing.node);
        if (node === undefined) return { answer: { kind: 'gone' } };
        const replay = decideReplay(state, node, { ...common, confirmed: request.confirmed ?? false });
        if (replay !== undefined) return { answer: { kind: 'replayed', ...replay }, events: replay.events };
        const ended = endedRun(env, log.id, state, node);
        if (ended !== undefined) return { answer: { kind: 'ended', why: ended } };
        const apart = merged ? undefined : stateToMerge(state, workflow, node);
        if (apart !== undefined) return { answer: { kind: 'to_merge', state: apart } };
        const taken = takenUp(state, node, common, request.confirmed);
        if (taken?.stays !== undefined) return { answer: { kind: 'blocked', request: taken.stays, events: [] } };
        const ack: Ack = {
          ...common,
          confirmed: request.confirmed ?? false,
          ...taken,
          workflow,
          preferences,
          who: env.caller,
          engine: env.version,
          agreed,
          noticed: notToldYet(state, standing.run, noticed),
        };
        const decided = decideAck(state, node, ack);
        if (decided.kind === 'too_bold' && agreed === undefined && env.askPerson !== undefined) {
          const allowed = decideAck(state, node, { ...ack, agreed: { who: askedPerson, to: decided.asked } });
          // A yes is not asked for where it would come to nothing.
          if (allowed.kind === 'advanced')
            return { answer: { kind: 'to_ask', refused: decided, step: node.pending?.title ?? '' } };
        }
        return { answer: decided, events: 'events' in decided ? decided.events : [] };
      },
      ({ state }, outcome) =>
        outcome.kind === 'to_ask'
          ? { next: () => ask(outcome.refused, outcome.step) }
          : outcome.kind === 'to_merge'
            ? { next: () => mergeTurn(log, outcome.state, env.caller, presented(agreed, true)) }
            : leadsOn(env, state, outcome)
              ? { next: () => settle(outcome) }
              : { done: answerTo(env, standing, state, outcome, { request, attempt }) },
      standing.position,
    );
  // The steps that follow are WorkRail's own: what is answered is where they lead.
  const settle = async (outcome: Settled): Promise<Turn<Reply>> => {
    const done = await settleAndAsk(env, standing, childOf(outcome)!);
    return turn<Settled, Reply>(
      () => ({ answer: outcome }),
      ({ state }) => ({ done: done.ok ? answerTo(env, standing, state, outcome, { request, attempt }) : done }),
    );
  };
  // Between two turns: nothing is held while the person thinks, and the step is judged anew when they have.
  const ask = async (refused: TooBold, step: string): Promise<Turn<Reply>> => {
    const allowed = await env.askPerson?.(boldQuestion(workflow.title, step, refused));
    if (allowed === true) return presented({ who: askedPerson, to: refused.asked });
    return () => Promise.resolve(ok({ done: err(tooBold(log.id, refused)) }));
  };
  return drive(log, presented(undefined), 'keyed');
}

const childOf = (outcome: Settled): NodeId | undefined =>
  outcome.kind === 'advanced' ? outcome.child : outcome.kind === 'replayed' ? outcome.record.node : undefined;

function leadsOn(env: Environment, session: FoldedSession, outcome: Settled): boolean {
  const child = session.nodes.get(childOf(outcome) ?? ('' as NodeId));
  return child !== undefined && isToSettle(env, session, child);
}

/** A file that was edited under the run is mentioned once, on the step that follows. */
const notToldYet = (session: FoldedSession, run: RunId, noticed: readonly Warning[]): readonly Warning[] =>
  noticed.filter(({ message }) => session.runs.get(run)?.changeTold !== message);

function answerTo(
  env: Environment,
  { log, workflow, node: asked, run }: NodeInContext,
  session: FoldedSession,
  outcome: Settled,
  { request, attempt }: { readonly request: RequestOf<'continue_workflow'>; readonly attempt: AttemptId },
): Result<Reply, Rejection> {
  const node = session.nodes.get(asked);
  const told = (key: KeyId | undefined): Told => ({
    session,
    workflow,
    sealer: sealerFor(env.keys.all(), log.id, key),
  });
  const toldAck = (child: NodeId | undefined, other?: string): Result<Reply, Rejection> => {
    const made = child === undefined ? undefined : session.nodes.get(child);
    assert(made?.madeBy.kind === 'step_acked', 'an ack that is recorded is in the fold');
    const kept =
      other === undefined ? undefined : made.checkpoints.find(({ data }) => data.late && data.brought === other);
    const from = told(made.terms.key);
    const answer = answerToAck(from, made.madeBy, kept);
    // A fork follows a rewind: what was told in an earlier round may be lost.
    const { happened, pending } = answer;
    const earlier = happened === 'forked' || pending === null ? undefined : earlierRound(from, made);
    const reply = executionReply(withHolder(env, log, run, answer), env.offered, earlier);
    return ok({ ...reply, task: taskOf(request, false) });
  };
  switch (outcome.kind) {
    case 'replayed':
      return toldAck(outcome.record.node, outcome.other);
    case 'advanced':
      return toldAck(outcome.child);
    case 'blocked': {
      const record = node?.blocks.findLast(({ data }) => data.attempt === attempt && data.request === outcome.request);
      assert(node !== undefined && record !== undefined, 'a block that is recorded is in the fold');
      // At once: whoever sees that something waits wants to know whose question it is.
      if (outcome.events.length > 0 && env.agent !== undefined)
        env.store.running.noteAgent(log.place, record.sum, env.agent);
      const isGivenUp = node.waitsEnded?.some(({ data }) => data.block === record.sum) === true;
      const waits =
        !isGivenUp && waitingDraft(node) === record && formOfQuestions(workflow, node, record) !== undefined;
      const reply = executionReply(answerToBlock(told(record.data.key), node, record), env.offered);
      return ok({ ...reply, task: taskOf(request, waits, record.sum) });
    }
    case 'incomplete': {
      const blockers = [...outcome.mend, ...outcome.user];
      const lacking = blockers.length;
      return err({
        code: 'STEP_INCOMPLETE',
        message: `${outcome.step.title} is not done yet: ${lacking} thing${lacking === 1 ? ' is' : 's are'} missing or wrong; nothing was recorded, the tokens stay good`,
        action: 'send everything again with the same tokens and what is missing',
        again: [
          ...outcome.mend.flatMap(
            ({ code, pointer, wanted, stray, reads }) =>
              reads?.map((key) => ({ at: `/context/${key}`, to: hole(wanted) })) ?? {
                at: code === 'MISSING_REQUIRED_OUTPUT' && pointer === '/output/artifacts' ? `${pointer}/-` : pointer,
                to: stray === true ? undefined : hole(wanted),
              },
          ),
          ...outcome.user
            .filter(({ pointer }) => !pointer.startsWith('/output/gaps'))
            .map(({ pointer, fix }) => ({ at: pointer, to: hole(sentenceText(fix)) })),
        ],
        blockers: blockers.map(({ code, pointer, message, fix }) => ({ code, pointer, message, fix })),
        ...schemasOfRefused(promptStep(workflow, outcome.step.id), outcome.mend),
        context: { sessionId: log.id, runId: run, path: outcome.step.path },
      });
    }
    case 'ended':
      return err(outcome.why);
    case 'wrong_settlements':
      return err(wrongSettlementRejection(outcome.wrong, request.stateToken));
    case 'too_bold':
      return err(tooBold(log.id, outcome));
    case 'overgrown':
      return err({
        code: 'LIMIT_EXCEEDED',
        message: `the context would take ${outcome.bytes} bytes with this patch, allowed are ${limits.context}; nothing was recorded, the tokens stay good`,
        action:
          'delete keys you no longer need (send them as null), or put long texts into a file and its name into the context',
        context: { sessionId: log.id, measured: outcome.bytes, allowed: limits.context },
      });
    case 'gone':
      return err({
        code: 'SESSION_CHANGED',
        message: 'the step has just disappeared: files of the session were removed',
        action: 'bring the files back (git checkout, git stash pop), or go on from what is there',
        nextCall: { tool: 'resume_session', arguments: { sessionId: log.id } },
        context: { sessionId: log.id },
      });
  }
}

/** The handle that the call can be asked for again by. */
const taskOf = (
  { stateToken, ackToken = '' }: RequestOf<'continue_workflow'>,
  waits: boolean,
  block?: string,
): ReplyTask => ({ waits, ...(waits && { asks: true }), id: () => taskHandle({ stateToken, ackToken, block }) });

/** The step asks for an artifact by an example; whoever got its form wrong is told the rest. */
function schemasOfRefused({ outputs }: PromptStep, mend: readonly Mendable[]): Pick<Rejection, 'schemas'> {
  const kinds = new Set(mend.flatMap(({ artifact }) => artifact ?? []));
  const schemas = outputs.filter(({ kind }) => kinds.has(kind)).map(({ kind, schema }) => ({ kind, schema }));
  return schemas.length === 0 ? {} : { schemas };
}
