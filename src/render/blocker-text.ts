import { sentenceText } from '../base/sentence.js';
import type { Missing } from './telling.js';

/** One thing that is missing, where it is missed and how to mend it. */
export function blockerText({ pointer, message, fix }: Missing): string {
  const said = sentenceText(message).replace(/[.…]$/u, '');
  return `${pointer}: ${said}${/[?!]$/u.test(said) ? '' : '.'} Fix: ${sentenceText(fix)}.`;
}
