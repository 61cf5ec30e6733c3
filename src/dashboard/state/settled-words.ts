import type { ChangeTold } from '../../contract/states-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { whoWords } from './version-words.js';

/** What became of a change that could not be merged. */
export function settledWords(settled: NonNullable<ChangeTold['settled']>): string {
  const who = whoWords(settled);
  const said = {
    apply: 'It could not be merged, and was made later',
    leave: 'It could not be merged, and was left out',
  };
  const reason = settled.reason === undefined ? '' : `: ${visibleTitle(settled.reason)}`;
  return `${said[settled.how]}${who === undefined ? '' : ` ${who}`}${reason}`;
}
