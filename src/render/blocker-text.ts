import { sentenceText } from '../base/sentence.js';
import type { Missing } from './telling.js';

/** One thing that is missing, where it is missed and how to mend it. */
export function blockerText({ pointer, message, fix }: Missing): string {
  return `${pointer}: ${sentenceText(message).replace(/[.…?!]$/u, '')}. Fix: ${sentenceText(fix)}.`;
}
