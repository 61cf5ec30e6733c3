import { modes, type Preferences, preferenceNames, preferenceValues } from '../../base/preferences.js';
import type { RecommendedPreferences } from './compiled-workflow.js';

/** What of a choice goes further than the author recommends, and the boldest choice beside it that does not. */
export function beyondRecommended(
  chosen: Preferences,
  recommends: RecommendedPreferences | undefined,
):
  | {
      readonly bolder: readonly { readonly name: keyof Preferences; readonly most: string }[];
      readonly boldest: Preferences;
    }
  | undefined {
  if (recommends === undefined) return undefined;
  const most: RecommendedPreferences = { ...(recommends.mode !== undefined && modes[recommends.mode]), ...recommends };
  const bolder = preferenceNames.flatMap((name) => {
    const order: readonly string[] = preferenceValues[name];
    const limit = most[name];
    return limit !== undefined && order.indexOf(chosen[name]) > order.indexOf(limit) ? [{ name, most: limit }] : [];
  });
  if (bolder.length === 0) return undefined;
  return {
    bolder,
    boldest: { ...chosen, ...Object.fromEntries(bolder.map(({ name, most: limit }) => [name, limit])) },
  };
}
