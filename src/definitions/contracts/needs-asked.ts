import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Need, PromptStep } from '../compiled/compiled-workflow.js';
import type { JudgingWork } from './judging-work.js';
import { checkValue, type ValueProblem } from './value-spec.js';

/** The context at a step, and what of it its round knows; and how the holes of a request to the user are filled there. */
export interface Known {
  readonly context: JsonObject;
  readonly ofRound: JsonObject;
  readonly fill: (text: string) => string;
}

/** The request as the user reads it. */
export const askOf = ({ ask, holes }: Need, { fill }: Pick<Known, 'fill'>): string =>
  holes === true ? fill(ask) : ask;

/** What is known in answer to a need. Blank text is no answer of the user's, and what another round was given answers nothing in this one. */
export function answerTo(
  { key, round }: Need,
  { context, ofRound }: Pick<Known, 'context' | 'ofRound'>,
): JsonValue | undefined {
  const value = own(round === true ? ofRound : context, key);
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

/** What is wrong with a known answer by what the step itself asks of the key: it is judged as if it had just been given. */
export function wrongWith(
  { sets }: Pick<PromptStep, 'sets'>,
  { key }: Need,
  answer: JsonValue,
  work?: JudgingWork,
): readonly ValueProblem[] {
  const spec = own(sets, key);
  return spec === undefined ? [] : checkValue(spec, answer, work);
}
