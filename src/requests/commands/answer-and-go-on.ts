import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { QuestionAnswered } from '../../contract/question-told.js';
import { cameOfAnswer } from '../../respond/came-of-answer.js';
import { type AnswerAsked, answerQuestion } from '../answers/answer-question.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';
import { nodeIn } from '../world/session-state.js';
import { settleRun } from './settle-run.js';

/**
 * Records what a person answers, and has a run go on that waited for it with a step that WorkRail does itself: no agent
 * may be there any more. A terminal is told what came of it; the page sees that live.
 */
export async function answerAndGoOn(
  env: Environment,
  asked: AnswerAsked,
): Promise<Result<QuestionAnswered, Rejection>> {
  const answered = await answerQuestion(env, asked);
  if (!answered.ok || answered.value.answer === 'refused' || answered.value.open.length > 0) return answered;
  const { sessionId, nodeId } = answered.value;
  const found = await findSession(env, sessionId);
  if (!found.ok) return answered;
  const log = env.store.open(found.value);
  const read = await log.read((loaded) => {
    const node = nodeIn(sessionId, loaded.state, nodeId);
    if (!node.ok || node.value.pending?.does === undefined) return undefined;
    return nodeAsRead(loaded, node.value, log);
  });
  if (read === undefined || !read.ok) return answered;
  const standing = await nodeInContext(env, log, read.value);
  if (!standing.ok) return answered;
  const { run, workflow, node } = standing.value;
  const door = asked.who?.door ?? env.caller?.door;
  const patienceMs = door === 'terminal' ? limits.runPatienceMs : limits.answerPatienceMs;
  const settled = await settleRun(env, { log, run, workflow }, node, { patienceMs });
  if (!settled.ok) return settled;
  const came = await log.read(({ state }) => cameOfAnswer(state, node, workflow));
  return ok({ ...answered.value, ...(came !== undefined && { came }) });
}
