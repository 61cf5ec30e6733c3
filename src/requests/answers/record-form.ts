import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type AnswerGiven, judgeAnswer } from '../../decide/judge-answer.js';
import type { QuestionTold } from '../../contract/question-told.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { Event, Who } from '../../events/event.js';
import { aboutQuestion } from '../../respond/tell-question.js';
import { type QuestionForm, reasonField } from '../../respond/form-of-questions.js';
import { answerQuestion } from './answer-question.js';
import type { Environment } from '../world/environment.js';

/** Whom the agent's own program asked. */
export const askedPerson: Who = { door: 'client' };

/** Records what a person filled in, all of it or, where something does not fit, nothing. What was answered meanwhile is passed over: the first answer counts. */
export async function recordForm(
  env: Environment,
  {
    session,
    workflow,
    draft,
  }: { readonly session: string; readonly workflow: CompiledWorkflow; readonly draft: Event<'step_blocked'> },
  { fields }: Pick<QuestionForm, 'fields'>,
  content: JsonObject,
): Promise<Result<{ readonly answered: number }, Rejection>> {
  const filled = [...fields].flatMap(([name, question]) => {
    const given = givenIn(question, own(content, name), own(content, reasonField));
    return given === undefined ? [] : [{ question, given }];
  });
  for (const { question, given } of filled) {
    const fits = judgeAnswer(aboutQuestion(workflow, draft, question.question), given);
    if (!fits.ok)
      return err({
        code: 'VALIDATION_ERROR',
        message: `not a valid answer to “${question.text}”: ${fits.error}; nothing was recorded`,
        action: 'answer again in the expected form',
        context: { sessionId: session, question: question.question },
      });
  }
  for (const { question, given } of filled) {
    const { block, question: pointer } = question;
    const answered = await answerQuestion(env, { session, block, question: pointer, ...given, who: askedPerson });
    if (!answered.ok && answered.error.code !== 'PRECONDITION_FAILED') return answered;
  }
  return ok({ answered: filled.length });
}

function givenIn(
  { asks, type, values, wanted }: QuestionTold,
  value: JsonValue | undefined,
  reason: JsonValue | undefined,
): AnswerGiven | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (asks !== 'value') {
    if (value === 'yes' || value === true) return { answer: 'agreed' };
    if (value === 'no' || value === false) return { answer: 'refused', ...(typeof reason === 'string' && { reason }) };
    return { answer: 'value', value };
  }
  const isText = values !== undefined || wanted === undefined || type === 'string' || typeof value !== 'string';
  return { answer: 'value', value: isText ? value : asJson(value) };
}

/** Forms have no fields for lists and objects: they are filled in as JSON. */
function asJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
