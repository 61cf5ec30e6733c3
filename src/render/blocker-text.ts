import type { PersonAnswerTold } from '../contract/draft-told.js';
import { sentenceText } from '../base/sentence.js';
import type { Missing } from './telling.js';

/** One thing that is missing, where it is missed and how to mend it. */
export function blockerText({ pointer, message, fix }: Missing): string {
  const said = sentenceText(message).replace(/[.…]$/u, '');
  return `${pointer}: ${said}${/[?!]$/u.test(said) ? '' : '.'} Fix: ${sentenceText(fix)}.`;
}

/** A person's answer as a sentence of its own, with when it was given in the reader's words. */
export function answeredWords({ says, passedOver }: Pick<PersonAnswerTold, 'says' | 'passedOver'>, at: string): string {
  const told = `${says.charAt(0).toUpperCase()}${says.slice(1)}${at === '' ? '' : ` (${at})`}.`;
  return passedOver === true ? `${told} The same was answered before, and that answer counts.` : told;
}

/** A no that the agent passed on. */
export const refusedWords = (reason: string): string =>
  reason === '' ? 'The agent passed on that the user said no' : `The agent passed on that the user said no: ${reason}`;
