import {
  type Mode,
  modeNames,
  modes,
  type Preferences,
  preferenceNames,
  preferencesSchema,
  samePreferences,
} from '../base/preferences.js';
import type { RecommendedPreferences } from '../definitions/compiled/compiled-workflow.js';
import type { Warning } from '../events/event-data.js';

export type RequestedPreferences = { readonly [name in keyof Preferences]?: Preferences[name] | undefined } & {
  readonly mode?: Mode | undefined;
};

/** A mode sets all four, single values then overrule it; what is not named stays as it was. */
export function choosePreferences(standing: Preferences, requested: RequestedPreferences | undefined): Preferences {
  if (requested === undefined) return standing;
  const base = requested.mode === undefined ? standing : modes[requested.mode];
  return {
    autonomy: requested.autonomy ?? base.autonomy,
    gateHandling: requested.gateHandling ?? base.gateHandling,
    assumptionPolicy: requested.assumptionPolicy ?? base.assumptionPolicy,
    riskPolicy: requested.riskPolicy ?? base.riskPolicy,
  };
}

/** A bolder choice than the author recommends is allowed, and said. */
export function boldnessWarning(
  chosen: Preferences,
  recommends: RecommendedPreferences | undefined,
): Warning | undefined {
  if (recommends === undefined) return undefined;
  const most: RecommendedPreferences = { ...(recommends.mode !== undefined && modes[recommends.mode]), ...recommends };
  const bolder = preferenceNames.filter((field) => {
    const order: readonly string[] = preferencesSchema.shape[field].options;
    const limit = most[field];
    return limit !== undefined && order.indexOf(chosen[field]) > order.indexOf(limit);
  });
  if (bolder.length === 0) return undefined;
  const said = bolder.map((field) => `${field} ${chosen[field]} (recommended at most ${most[field]})`).join(', ');
  const safe = choosePreferences(chosen, Object.fromEntries(bolder.map((field) => [field, most[field]])));
  const name = modeNames.find((mode) => samePreferences(modes[mode], safe));
  const boldest =
    name === undefined ? preferenceNames.map((field) => `${field} ${safe[field]}`).join(', ') : `mode ${name}`;
  return {
    code: 'BOLDER_THAN_RECOMMENDED',
    message: `bolder than this workflow recommends: ${said}; the boldest it recommends is ${boldest}`,
  };
}
