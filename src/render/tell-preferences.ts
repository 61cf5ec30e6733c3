import { spokenMode } from '../base/mode-words.js';
import type { Preferences } from '../base/preferences.js';
import { type Line, quiet, strong } from './page.js';

/** The mode in force and what it does, in the words that every door has for it. */
export function tellPreferences(preferences: Preferences): Line {
  const { label, says } = spokenMode(preferences);
  return [strong(label), quiet(`: ${says}`)];
}
