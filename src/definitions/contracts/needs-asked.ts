import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { secretGiven } from '../../base/secret-given.js';
import type { Need, PromptStep } from '../compiled/compiled-workflow.js';
import { keysGiven } from '../compiled/visit-steps.js';
import type { JudgingWork } from './judging-work.js';
import { checkValue, type ValueProblem } from './value-spec.js';

/** The context at a step, which of its keys answer what the user is asked there, and how the holes of such a request are filled. */
export interface Known {
  readonly context: JsonObject;
  readonly isAnswer: (need: Need) => boolean;
  readonly fill: (text: string) => string;
}

/** Whether a step asks for a key, so that what it is handed there is an answer. */
export const asksFor = (step: PromptStep, key: string): boolean => keysGiven(step).includes(key);

/** The request as the user reads it. */
export const askOf = ({ ask, holes }: Need, { fill }: Pick<Known, 'fill'>): string =>
  holes === true ? fill(ask) : ask;

/** What is known in answer to a need. Blank text is no answer of the user's, nor is what came where nobody asked for it. */
export function answerTo(
  need: Need,
  { context, isAnswer }: Pick<Known, 'context' | 'isAnswer'>,
): JsonValue | undefined {
  const value = own(context, need.key);
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined;
  return isAnswer(need) ? value : undefined;
}

/** What is wrong with a known answer by what the step itself asks of the key: it is judged as if it had just been given. */
export function wrongWith(
  { sets }: Pick<PromptStep, 'sets'>,
  { key }: Need,
  answer: JsonValue,
  work?: JudgingWork,
): readonly ValueProblem[] {
  const spec = own(sets, key);
  return spec === undefined || answer === secretGiven ? [] : checkValue(spec, answer, work);
}
