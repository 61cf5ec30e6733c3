import type { AnswerBody } from '../../contract/api-bodies.js';
import type { QuestionTold } from '../../contract/question-told.js';

/** What stands in the field. */
export interface ValueGiven {
  readonly as: 'value' | 'file';
  readonly text: string;
}

type Read =
  | { readonly ok: true; readonly value: Pick<AnswerBody, 'answer' | 'value'> }
  | { readonly ok: false; readonly error: string };

/** The text of a field as the value that is asked for. Whether it fits is the server's to say. */
export function readValue({ as, text }: ValueGiven, { type, values }: Pick<QuestionTold, 'type' | 'values'>): Read {
  const wrong = (error: string): Read => ({ ok: false, error });
  if (text.trim() === '') return wrong(as === 'file' ? 'Enter the path of the file.' : 'Enter an answer.');
  if (as === 'file') return { ok: true, value: { answer: 'file', value: text.trim() } };
  const value = (told: NonNullable<AnswerBody['value']>): Read => ({
    ok: true,
    value: { answer: 'value', value: told },
  });
  const chosen = values?.find((one) => shownValue(one) === text);
  if (chosen !== undefined && chosen !== null) return value(chosen);
  if (type === 'boolean') return value(text === 'true');
  if (type === 'number' || type === 'integer') {
    const number = Number(text);
    return Number.isNaN(number) ? wrong('This is not a number.') : value(number);
  }
  return type === 'array' || type === 'object' ? parsed(text, type) : value(text);
}

function parsed(text: string, type: 'array' | 'object'): Read {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  try {
    return { ok: true, value: { answer: 'value', value: JSON.parse(text) as NonNullable<AnswerBody['value']> } };
  } catch {
    return type === 'array' && !text.trim().startsWith('[')
      ? { ok: true, value: { answer: 'value', value: lines } }
      : { ok: false, error: 'This is not valid JSON.' };
  }
}

/** One of the only right values, as it stands in a list. */
export const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
