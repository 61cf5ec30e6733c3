import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { Blocker } from '../events/event-data.js';
import type { PersonAnswer, Question } from './person-answers.js';

const because = (reason: string): string => (reason === '' ? '' : `: ${firstWords(reason, limits.recordedReason)}`);

/** Who said no at their own door is asked there again: an agent's word for them counts for nothing. */
const changeAndAskThem =
  'change the work as they want it and send it: they are asked again, and answer themselves, as they did';
export const letThemAnswer =
  'tell the user what was handed in; they said no before, so they answer themselves, with `workrail answer`, in the page or in a form; then make the same call again';

/** What stands in the way of a step that the user said no to. */
export const refusedBlocker = (reason: string, themselves = false): Blocker => ({
  code: 'CONFIRMATION_REQUIRED',
  pointer: '/confirmed',
  message: `the user said no to this step${because(reason)}`,
  fix: themselves
    ? changeAndAskThem
    : 'change the work as they want it, show it to them again, and once they agree send what changed with "confirmed": true',
});

/** The same of a question, for one that they will not answer. */
export function refusedQuestion(
  { code, pointer, message }: Question,
  { data: { reason = '' } }: PersonAnswer,
): Blocker {
  if (pointer === '/confirmed') return refusedBlocker(reason, true);
  return {
    code,
    pointer,
    message: `the user said no to “${firstWords(message, limits.recordedReason)}”${because(reason)}`,
    fix: 'find a way that does without it, or ask them what they want instead, and send the step again as it is then',
  };
}
