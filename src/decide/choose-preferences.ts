import { type Mode, modeOf, modes, type Preferences, preferenceNames, preferenceValues } from '../base/preferences.js';
import type { RecommendedPreferences } from '../definitions/compiled/compiled-workflow.js';
import { beyondRecommended } from '../definitions/compiled/recommended.js';
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

/** Those that decide what goes on without a person. */
const gates = ['autonomy', 'gateHandling'] as const;

/** Where a choice would go further without a person than it goes here already, and than a person or the start chose. */
export function loosened(
  chosen: Preferences,
  standing: Preferences,
  allowed: Preferences,
): readonly (typeof gates)[number][] {
  return gates.filter((name) => {
    const order: readonly string[] = preferenceValues[name];
    const bold = (preferences: Preferences): number => order.indexOf(preferences[name]);
    return bold(chosen) > Math.max(bold(standing), bold(allowed));
  });
}

/** A bolder choice than the author recommends is allowed, and said. */
export function boldnessWarning(
  chosen: Preferences,
  recommends: RecommendedPreferences | undefined,
): Warning | undefined {
  const beyond = beyondRecommended(chosen, recommends);
  if (beyond === undefined) return undefined;
  const { bolder, boldest } = beyond;
  const said = bolder.map(({ name, most }) => `${name} ${chosen[name]} (recommended at most ${most})`).join(', ');
  const mode = modeOf(boldest);
  const told =
    mode === undefined ? preferenceNames.map((name) => `${name} ${boldest[name]}`).join(', ') : `mode ${mode}`;
  return {
    code: 'BOLDER_THAN_RECOMMENDED',
    message: `more autonomous than recommended: ${said}; this workflow recommends at most ${told}`,
  };
}
