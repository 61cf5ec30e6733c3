import { spokenMode, spokenPreference } from './mode-words.js';
import { modeOf, type Preferences, preferenceNames, preferenceValues } from './preferences.js';

/** Whether work goes further without the user than before. Autonomy decides, and the others where it stays. */
export function directionOf(before: Preferences, after: Preferences): 'loosened' | 'tightened' | undefined {
  const first = preferenceNames.find((name) => before[name] !== after[name]);
  if (first === undefined) return undefined;
  const order: readonly string[] = preferenceValues[first];
  return order.indexOf(after[first]) > order.indexOf(before[first]) ? 'loosened' : 'tightened';
}

/** `tightened from Auto, never stops to Guided`; where no mode says it, what of it changed. */
export function preferenceChange(before: Preferences, after: Preferences): string | undefined {
  const direction = directionOf(before, after);
  if (direction === undefined) return undefined;
  if (modeOf(before) !== undefined && modeOf(after) !== undefined)
    return `${direction} from “${spokenMode(before).label}” to “${spokenMode(after).label}”`;
  const changed = preferenceNames.filter((name) => before[name] !== after[name]);
  const each = changed.map((name) => {
    const [was, is] = [spokenPreference(name, before[name]), spokenPreference(name, after[name])];
    return `${is.label.toLowerCase()} ${is.says} (before: ${was.says})`;
  });
  return `${direction}: ${each.join('; ')}`;
}
