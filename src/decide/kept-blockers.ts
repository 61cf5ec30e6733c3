import { sentenceText } from '../base/sentence.js';
import type { Blocker } from '../engine/blocker.js';
import type { EventData } from '../events/event-data.js';
import { letThemAnswer } from '../sessions/refused-blocker.js';

type Kept = EventData<'step_blocked'>['blockers'];

/** What a step waits for, as the log keeps it. */
export const keptBlockers = (blockers: readonly Blocker[], refused: boolean, themselves: boolean): Kept =>
  (refused ? blockers : onlyTheirWord(blockers, themselves)).map(plainBlocker);

/** What was handed in is kept: nothing but the user's word has to come. */
function onlyTheirWord(blockers: readonly Blocker[], themselves: boolean): readonly Blocker[] {
  const isAgreement = ({ code }: Blocker): boolean => code === 'CONFIRMATION_REQUIRED';
  const alone = blockers.every(isAgreement) ? ', with nothing else' : ' with it';
  return blockers.map((blocker) => ({ ...blocker, fix: fixOf(blocker) }));

  function fixOf(blocker: Blocker): Blocker['fix'] {
    if (isAgreement(blocker) && themselves) return letThemAnswer;
    if (isAgreement(blocker))
      return `show the user what was handed in, and once they agree to it send "confirmed": true${alone}`;
    const key = blocker.pointer.startsWith('/context/') ? blocker.pointer.slice('/context/'.length) : undefined;
    return key === undefined ? blocker.fix : `ask the user, then send context.${key}; the rest is kept`;
  }
}

/** The log keeps what agents read. */
const plainBlocker = ({ code, pointer, message, fix }: Blocker): Kept[number] => ({
  code,
  pointer,
  message: sentenceText(message),
  fix: sentenceText(fix),
});
