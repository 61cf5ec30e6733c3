import type { AnswerBody, CallOutcome } from '../../calls/call-outcome.js';
import { maskedValue, maskOfShort } from '../../calls/secret-mask.js';
import type { PreparedCommand } from './prepare-command.js';
import { shownUrl } from './shown-url.js';

/**
 * What came of a request that has parts of a secret answer, without them. A part may be as short as a number is, so its
 * address is told as it was shown, and what came back is searched only for parts that can be told from other text.
 */
export function withoutAnswers({ command, baseUrl }: PreparedCommand, outcome: CallOutcome): CallOutcome {
  const { secretParts, step } = command;
  if (secretParts.length === 0) return outcome;
  const url = shownUrl(command, baseUrl);
  const masked = maskOfShort(secretParts);
  const told = (text: string): string => masked(text.replaceAll(anyUrl, withoutQuery(url)));
  if (outcome.kind !== 'answered') {
    const { problem } = outcome;
    return { ...outcome, url, problem: { ...problem, message: told(problem.message), action: told(problem.action) } };
  }
  const { headers, body } = outcome;
  return {
    ...outcome,
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, masked(text)])),
    // Whoever keeps all of it from being recorded has it as it is.
    body: step.secret === true ? body : maskedBody(body, masked),
  };
}

const anyUrl = /https?:\/\/[^\s`]*[^\s`.,;:)]/gu;

const withoutQuery = (url: string): string => url.replace(/[?#].*$/su, '');

function maskedBody(body: AnswerBody, masked: (text: string) => string): AnswerBody {
  if (body.kind === 'json') return { kind: 'json', value: maskedValue(body.value, masked) };
  return body.kind === 'text' ? { kind: 'text', text: masked(body.text) } : body;
}
