import { assert } from '../../base/assert.js';
import { byteLength } from '../../base/byte-budget.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { type JsonValue, nestingDepth } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { command } from '../../base/sentence.js';
import type { QuestionAnswered } from '../../contract/question-told.js';
import { secretWarning } from '../../decide/gap-list.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { EventData } from '../../events/event-data.js';
import type { Event, Who } from '../../events/event.js';
import { type AnswerGiven, judgeAnswer } from '../../decide/judge-answer.js';
import { afterAnswer, personAnswerWords } from '../../respond/person-answer-words.js';
import { aboutQuestion, tellQuestion } from '../../respond/tell-question.js';
import { standingDraft } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { answersTo, isLeft, isSameWork, openQuestions, type PersonAnswer } from '../../sessions/person-answers.js';
import { stoppedAt } from '../../sessions/run-status.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { answerParts, sealOf } from '../world/seals.js';
import { findSession } from '../world/find-session.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';
import { rootOfPaths, withinWorkspace } from './within-workspace.js';

export interface AnswerAsked extends AnswerGiven {
  readonly session?: string | undefined;
  /** The event of the draft that is answered. */
  readonly block: string;
  /** The pointer of the question. */
  readonly question: string;
  /** On the command line: whether a terminal is there. */
  readonly terminal?: boolean | undefined;
  /** Where it came from, where that is not the caller's own door. */
  readonly who?: Who | undefined;
}

/** Records what a person answers to one question of a draft. Whatever the door, this is the one request. */
export async function answerQuestion(
  env: Environment,
  asked: AnswerAsked,
): Promise<Result<QuestionAnswered, Rejection>> {
  if (nestingDepth(asked.value, limits.callerDepth) > limits.callerDepth) return err(tooDeep);
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const read = await log.read((loaded) => {
    const place = placeOf(log.id, loaded.state, asked.block);
    return place.ok ? nodeAsRead(loaded, place.value.node, log) : place;
  });
  if (!read.ok) return read;
  const standing = await nodeInContext(env, log, read.value);
  if (!standing.ok) return standing;
  const { workflow } = standing.value;
  const given =
    asked.answer === 'file'
      ? withinWorkspace({ workspace: env.workspace, root: rootOfPaths(found.value.place, env.workspace) }, asked.value)
      : ok(asked.value);
  if (!given.ok) return given;
  const who = asked.who ?? env.caller ?? { door: 'page' };
  const answering = turn<Result<Recorded, Rejection>, QuestionAnswered>(
    ({ state }) => {
      const place = placeOf(log.id, state, asked.block);
      if (!place.ok) return { answer: place };
      const decided = decide(log.id, workflow, place.value, { ...asked, value: given.value });
      if (!decided.ok || decided.value.data === undefined) return { answer: decided };
      const { node } = place.value;
      return {
        answer: decided,
        events: [
          {
            kind: 'question_answered',
            run: node.run,
            node: node.id,
            who,
            data: sealed(env, place.value.draft, decided.value.data),
          },
        ],
      };
    },
    ({ state }, decided) => {
      if (!decided.ok) return { done: decided };
      const { block, question, data } = decided.value;
      const node = state.nodes.get(standing.value.node);
      const draft = node?.blocks.find(({ sum }) => sum === block);
      const record = node && draft && answersTo(node, draft).find((answer) => answer.data.question === question);
      assert(
        node !== undefined && draft !== undefined && record !== undefined,
        'an answer that is recorded is in the fold',
      );
      const open = openQuestions(node, draft).map((question) => tellQuestion(workflow, draft, question));
      const secret = secretWarning({ notesMarkdown: record.data.reason ?? '' }, record.data.context);
      return {
        done: ok({
          sessionId: log.id,
          nodeId: node.id,
          step: { path: draft.data.step.path, title: draft.data.step.title },
          question,
          answer: record.data.answer,
          says: personAnswerWords(record),
          next: afterAnswer(record, open.length, draft.data.command),
          event: record.sum,
          at: record.at,
          added: data !== undefined,
          open,
          warnings: secret === undefined ? [] : [secret],
        }),
      };
    },
  );
  return drive(log, answering, 'keyed');
}

/** What is answered to a command's question lets it be sent: nobody else may have written it. */
const sealed = (
  { keys }: Environment,
  { data: { command: ofCommand } }: Event<'step_blocked'>,
  data: EventData<'question_answered'>,
): EventData<'question_answered'> =>
  ofCommand === undefined ? data : { ...data, seal: sealOf(keys, answerParts(data)) };

interface Place {
  readonly node: RunNode;
  readonly draft: Event<'step_blocked'>;
}

interface Recorded {
  readonly block: Event['sum'];
  readonly question: string;
  /** What is recorded; nothing where it had been answered just so. */
  readonly data?: EventData<'question_answered'>;
}

/** The draft that is meant, or the same work where it came once more, as long as somebody waits for the answer. */
function placeOf(sessionId: string, session: FoldedSession, block: string): Result<Place, Rejection> {
  for (const node of session.nodes.values()) {
    const draft = node.blocks.find(({ sum }) => sum === block);
    if (draft === undefined) continue;
    const { attempt, step } = draft.data;
    const gone = (message: string): Result<never, Rejection> =>
      err(isGone(sessionId, `${message}; nothing was recorded`));
    if (node.acks.some(({ data }) => data.attempt === attempt))
      return gone(`“${step.title}” has been completed in the meantime`);
    if (isLeft(node, draft))
      return gone(`the work continued on another branch from “${step.title}”, so this question is closed`);
    const stopped = stoppedAt(session, node);
    if (stopped !== undefined) return gone(`the run was ${stopped.data.status}, so nobody waits for an answer`);
    const standing = standingDraft(node);
    if (standing === undefined || !isSameWork(draft, standing))
      return gone(`the agent has since sent new work for “${step.title}”; answer that instead`);
    return ok({ node, draft: standing });
  }
  return err({
    code: 'NOT_FOUND',
    message: `session ${sessionId} has no question with the id ${JSON.stringify(block.slice(0, limits.echo))}`,
    action: ['list the open questions: ', command('answer', sessionId)],
    context: { sessionId },
  });
}

const isGone = (sessionId: string, message: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message,
  action: ['list the open questions: ', command('answer', sessionId)],
  context: { sessionId },
});

function decide(
  sessionId: string,
  workflow: CompiledWorkflow,
  { node, draft }: Place,
  asked: AnswerAsked & { readonly value: JsonValue | undefined },
): Result<Recorded, Rejection> {
  const { question, terminal } = asked;
  const asks = draft.data.blockers.find(({ pointer }) => pointer === question);
  if (asks === undefined) {
    const names = draft.data.blockers.map(({ pointer }) => pointer).join(', ');
    return err({
      code: 'NOT_FOUND',
      message: `the step has no open question ${JSON.stringify(question.slice(0, limits.echo))}; it is waiting for ${names}`,
      action: ['list the open questions: ', command('answer', sessionId)],
      context: { sessionId },
    });
  }
  // Nobody can refuse to say what happened: without an answer it waits.
  const isLeftOpen = draft.data.command?.try !== undefined && asked.answer === 'refused';
  const fits = isLeftOpen
    ? err('it asks what happened: repeat, done or failed')
    : judgeAnswer(aboutQuestion(workflow, draft, question), asked);
  if (!fits.ok)
    return err({
      code: 'VALIDATION_ERROR',
      message: `not a valid answer to “${asks.message}”: ${fits.error}; nothing was recorded`,
      action: ['answer again in the expected form: ', command('answer', sessionId)],
      context: { sessionId },
    });
  const measured = byteLength(fits.value.reason ?? '') + byteLength(canonicalJson(fits.value.context ?? {}));
  if (measured > limits.personAnswer) return err(tooLarge(sessionId, measured));
  const known = answersTo(node, draft).find(({ data }) => data.question === question);
  if (known !== undefined) {
    return isSameAnswer(known, fits.value)
      ? ok({ block: draft.sum, question })
      : err(
          isGone(
            sessionId,
            `this was already answered (${personAnswerWords(known)}, ${known.at}), and the first answer counts; nothing was recorded. If you changed your mind, tell the agent before it continues`,
          ),
        );
  }
  const data = { block: draft.sum, question, ...fits.value, ...(terminal !== undefined && { terminal }) };
  return ok({ block: draft.sum, question, data });
}

const isSameAnswer = (
  { data }: PersonAnswer,
  given: Pick<PersonAnswer['data'], 'answer' | 'context' | 'reason'>,
): boolean =>
  data.answer === given.answer &&
  (data.reason ?? '') === (given.reason ?? '') &&
  canonicalJson(data.context ?? {}) === canonicalJson(given.context ?? {});

const tooDeep: Rejection = {
  code: 'VALIDATION_ERROR',
  message: `the value is nested more than ${limits.callerDepth} levels deep; nothing was recorded`,
  action: 'put it into a file, and answer with the file',
};

const tooLarge = (sessionId: string, measured: number): Rejection => ({
  code: 'LIMIT_EXCEEDED',
  message: `the answer has ${measured} bytes, but the limit is ${limits.personAnswer}; nothing was recorded`,
  action: [
    'put long material into a file, and answer with the file: ',
    command('answer', sessionId, '--file', '<path>'),
  ],
  context: { sessionId, measured, allowed: limits.personAnswer },
});
