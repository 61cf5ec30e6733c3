import type { StepDetail } from '../../contract/http-api.js';

/** What a log holds, as this room may name it. */
export type JsonTold = StepDetail['context'][string];
export type JsonObjectTold = StepDetail['context'];

export const isObjectTold = (value: JsonTold | undefined): value is JsonObjectTold =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isListTold = (value: JsonTold | undefined): value is readonly JsonTold[] => Array.isArray(value);

/** A name as words: `openQuestions` and `open_questions` are open questions. */
export function wordsOf(name: string): string {
  const spaced = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_.-]+/gu, ' ')
    .trim()
    .toLowerCase();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
