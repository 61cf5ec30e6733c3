import { directionOf, preferenceChange } from '../base/preference-change.js';
import type { PreferenceChangeTold } from '../contract/session-story.js';
import type { PreferenceChange } from '../sessions/preference-changes.js';
import { doorWords } from './person-answer-words.js';

/** Who changed how work is to be done, where, and which way it went. */
export function preferenceChangeWords({ by, who, step, before, after }: PreferenceChange): string {
  const change = preferenceChange(before, after);
  if (by === 'start') return `Mode set at the start of the run; ${change ?? 'as in the session'}`;
  if (by === 'agent') return `Agent asked for another mode with “${step ?? ''}”; ${change ?? 'as before'}`;
  const user = who === undefined ? '' : ` by the user, ${doorWords(who)}`;
  return change === undefined ? `Mode allowed${user}` : `Mode set${user}; ${change}`;
}

export function tellPreferenceChange(change: PreferenceChange): PreferenceChangeTold {
  const { event, at, by, who, before, after } = change;
  const direction = directionOf(before, after);
  return {
    event,
    at,
    by,
    ...(who !== undefined && { door: who.door }),
    ...(direction !== undefined && { direction }),
    says: preferenceChangeWords(change),
  };
}
