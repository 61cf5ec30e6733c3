import { shownJson } from '../base/canonical-json.js';
import type { JsonValue } from '../base/json-value.js';
import { err, ok, type Result } from '../base/result.js';
import { checkValue, describeKey } from '../definitions/contracts/value-spec.js';
import type { QuestionAbout } from '../definitions/contracts/question-about.js';
import type { EventData } from '../events/event-data.js';

/** What a person answers. */
export interface AnswerGiven {
  readonly answer: EventData<'question_answered'>['answer'];
  /** The value, or the file's path within the workspace. */
  readonly value?: JsonValue | undefined;
  /** Why not, or what they say in words. */
  readonly reason?: string | undefined;
}

type Fitting = Pick<EventData<'question_answered'>, 'answer' | 'context' | 'reason'>;

/** The answer as it is recorded, or what is wrong with it. */
export function judgeAnswer(about: QuestionAbout, given: AnswerGiven): Result<Fitting, string> {
  const { answer, value } = given;
  const words = given.reason?.trim() ?? '';
  const reason = words === '' ? {} : { reason: words };
  switch (answer) {
    case 'refused':
      return value === undefined ? ok({ answer, ...reason }) : err('a refusal has no value; give the reason instead');
    case 'agreed':
      return value === undefined ? agreed(about, reason) : err('to agree to it no value is wanted');
    case 'file':
    case 'value':
      return valued(about, given, reason);
  }
}

function agreed({ asks, key, spec }: QuestionAbout, reason: Pick<Fitting, 'reason'>): Result<Fitting, string> {
  if (asks === 'secret') return err('hand it over where the agent can read it, then say that it was given');
  if (key === undefined) return ok({ answer: 'agreed', ...reason });
  if (asks === 'value' || (spec !== undefined && checkValue(spec, true).length > 0))
    return err(`it asks for a value${spec === undefined ? '' : `: ${describeKey(spec)}`}`);
  return ok({ answer: 'agreed', context: { [key]: true }, ...reason });
}

function valued(about: QuestionAbout, given: AnswerGiven, reason: Pick<Fitting, 'reason'>): Result<Fitting, string> {
  const { asks, key } = about;
  if (asks === 'secret') {
    return given.value === undefined && given.reason === undefined
      ? ok({ answer: 'value' })
      : err(
          'it asks for a secret, and a secret is never recorded: hand it over where the agent can read it, then say that it was given',
        );
  }
  if (key !== undefined) return ofKey(key, about, given, reason);
  return asks === 'agreement'
    ? err('it asks whether you agree, and takes no value: agree, or refuse with the reason')
    : inWords(given, reason);
}

function inWords({ answer, value }: AnswerGiven, reason: Pick<Fitting, 'reason'>): Result<Fitting, string> {
  const said = typeof value === 'string' ? value.trim() : value === undefined ? '' : shownJson(value);
  const words = said === '' ? reason.reason : said;
  return words === undefined ? err('the answer is empty: say it in words') : ok({ answer, reason: words });
}

function ofKey(
  key: string,
  { spec }: QuestionAbout,
  { answer, value }: AnswerGiven,
  reason: Pick<Fitting, 'reason'>,
): Result<Fitting, string> {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return err('the answer is empty');
  const handed = spec?.add === true && !Array.isArray(value) ? [value] : value;
  const [wrong] = spec === undefined ? [] : checkValue(spec, handed);
  if (wrong !== undefined) return err(`${wrong.pointer === '' ? '' : `at ${wrong.pointer} `}${wrong.message}`);
  return ok({ answer, context: { [key]: value }, ...reason });
}
