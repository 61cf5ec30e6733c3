import { plural } from '../base/plural.js';
import type { RetentionRun, RetentionTold } from '../contract/retention-answers.js';

const namesShown = 5;

/** What retention does and has done, a sentence a line. Nothing where it was never switched on. */
export function retentionWords(told: RetentionTold, whenWords: (at: string) => string): readonly string[] {
  const { acts, places } = told;
  const past = places.flatMap(({ runs }) => runs).toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))[0];
  if (!acts && past === undefined) return [];
  const checked =
    places
      .map(({ checkedAt = '' }) => checkedAt)
      .toSorted()
      .at(-1) ?? '';
  return [
    retentionRule(told),
    ...(acts && checked === '' ? ['No server has checked yet.'] : []),
    ...(checked === '' ? [] : [`A server last checked ${whenWords(checked)}.`]),
    ...(past === undefined ? [] : [`${lastRun(past)}, ${whenWords(past.at)}.`]),
  ];
}

export const retentionRule = ({ acts, afterDays }: RetentionTold): string =>
  acts
    ? `Finished sessions move to the trash when nobody has worked on or viewed them for ${plural(afterDays, 'day')}.`
    : 'Automatic pruning is off.';

function lastRun({ moved, more }: RetentionRun): string {
  const names = moved.slice(0, namesShown).map(({ sessionId }) => sessionId);
  const left = moved.length + more - names.length;
  return `Last moved: ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
