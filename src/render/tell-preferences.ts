import { modeOf, preferenceNames, type Preferences } from '../base/preferences.js';
import { code, type Line, quiet, text } from './page.js';
import { spokenName } from './spoken-name.js';
import { separated } from './tell-value.js';

/** The mode that means the same, or each preference by its name. */
export function tellPreferences(preferences: Preferences): Line {
  const mode = modeOf(preferences);
  if (mode !== undefined) return [quiet('mode '), code(mode)];
  const each = preferenceNames.map((name): Line => [
    quiet(`${spokenName(name).toLowerCase()} `),
    code(preferences[name]),
  ]);
  return separated(each, text(', '));
}
