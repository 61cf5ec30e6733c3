import type { JsonValue } from '../../base/json-value.js';
import type { AnswerBody, AnsweredCall, CallOutcome } from '../../calls/call-outcome.js';
import type { Sent, Verdict } from '../../decide/commands/decide-tried.js';
import { isRightWithoutBody } from '../../engine/judge-call.js';
import { withoutAnswers } from './hide-answers.js';
import type { RawAnswer } from './keep-answer.js';
import { failureOf, type PreparedCommand } from './prepare-command.js';

/** What came of one request; `judge` looks at an answer. */
export async function toldOutcome(
  prepared: PreparedCommand,
  came: CallOutcome,
  judge: (answer: RawAnswer) => Verdict | Promise<Verdict>,
): Promise<Sent> {
  const { step, operation, scope } = prepared.command;
  const { method } = operation;
  const outcome = withoutAnswers(prepared, came);
  const { url, ms } = outcome;
  if (outcome.kind === 'answered') {
    const { status, headers, body, bytes, retryAfterMs, mayBeSecond } = outcome;
    const raw = body.kind === 'bytes' ? { raw: body.bytes } : {};
    const verdict = withType(await judge({ status, headers, body: jsonOf(body), ...raw }), outcome);
    const judged = { status, headers: step.secret === true ? {} : headers, verdict };
    const told = { method, url, ms, bytes, came: judged, ...(mayBeSecond === true && { mayBeSecond }) };
    return verdict.kind === 'wrong' && retryAfterMs !== undefined ? { ...told, retryAfterMs } : told;
  }
  const { kind, problem } = outcome;
  const told = { method, url, ms, bytes: 0 };
  const error = failureOf(problem);
  switch (kind) {
    case 'not_sent':
      return { ...told, came: { outcome: kind, error, ...(problem.code === 'CANCELED' && { isAnew: true }) } };
    case 'unknown': {
      const { status } = outcome;
      return { ...told, came: { outcome: kind, error, ...(status !== undefined && { status }) } };
    }
    case 'too_long': {
      const { status } = outcome;
      // The server did what it was asked to, and nothing is left to be read. Of what only reads that is no use to anybody.
      const isDone = operation.safety !== 'safe' && isRightWithoutBody(step, { status, headers: {} }, scope);
      const verdict: Verdict = { kind: 'right', left: { noBody: 'too_long' } };
      return { ...told, came: isDone ? { status, headers: {}, verdict } : { outcome: 'failed', status, error } };
    }
  }
}

/** What could not be read of a good answer may not be what it was taken for. */
function withType(verdict: Verdict, { status, body, headers }: AnsweredCall): Verdict {
  if (verdict.kind !== 'wrong' || status >= 300 || body.kind !== 'text') return verdict;
  const type = headers['content-type'] ?? 'no content type';
  const is = /[/+]json\b/iu.test(type) ? `not valid JSON, though it is sent as ${type}` : `text, sent as ${type}`;
  return { ...verdict, message: `${verdict.message}; the body is ${is}` };
}

/** What expressions read of a body. */
function jsonOf(body: AnswerBody): JsonValue {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return body.value;
    case 'text':
      return body.text;
    case 'bytes':
      return { bytes: body.bytes.length };
  }
}
