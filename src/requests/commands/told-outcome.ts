import type { JsonValue } from '../../base/json-value.js';
import type { AnswerBody, CallOutcome } from '../../calls/call-outcome.js';
import type { Sent, Verdict } from '../../decide/decide-tried.js';
import type { CallAnswer } from '../../engine/judge-call.js';
import { failureOf } from './prepare-command.js';

/** What came of one request; `judge` looks at an answer. */
export function toldOutcome(method: string, outcome: CallOutcome, judge: (answer: CallAnswer) => Verdict): Sent {
  const { url, ms } = outcome;
  if (outcome.kind === 'answered') {
    const { status, headers, body, bytes, retryAfterMs } = outcome;
    const verdict = judge({ status, headers, body: jsonOf(body) });
    const told = { method, url, ms, bytes, came: { status, headers, verdict } };
    return verdict.kind === 'wrong' && retryAfterMs !== undefined ? { ...told, retryAfterMs } : told;
  }
  const { problem } = outcome;
  const status = outcome.kind === 'unknown' ? outcome.status : undefined;
  const error = failureOf(problem);
  return { method, url, ms, bytes: 0, came: { outcome: outcome.kind, error, ...(status !== undefined && { status }) } };
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
