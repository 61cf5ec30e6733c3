/** What each may be, from careful to bold. */
export const preferenceValues = {
  autonomy: ['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'],
  gateHandling: ['block', 'risk_signal'],
  assumptionPolicy: ['ask_when_missing', 'record_when_missing'],
  riskPolicy: ['conservative', 'balanced', 'aggressive'],
} as const;
export type Preferences = {
  readonly [name in keyof typeof preferenceValues]: (typeof preferenceValues)[name][number];
};

export const modeNames = ['guided', 'auto_stop', 'auto_never_stop'] as const;
export type Mode = (typeof modeNames)[number];

/** A mode is a name for one value of each preference. */
export const modes: { readonly [name in Mode]: Preferences } = {
  guided: {
    autonomy: 'guided',
    gateHandling: 'block',
    assumptionPolicy: 'ask_when_missing',
    riskPolicy: 'conservative',
  },
  auto_stop: {
    autonomy: 'full_auto_stop_on_user_deps',
    gateHandling: 'block',
    assumptionPolicy: 'record_when_missing',
    riskPolicy: 'balanced',
  },
  auto_never_stop: {
    autonomy: 'full_auto_never_stop',
    gateHandling: 'risk_signal',
    assumptionPolicy: 'record_when_missing',
    riskPolicy: 'conservative',
  },
};

export const preferenceNames = ['autonomy', 'gateHandling', 'assumptionPolicy', 'riskPolicy'] as const;

export function samePreferences(a: Preferences, b: Preferences): boolean {
  return preferenceNames.every((name) => a[name] === b[name]);
}

/** The mode that has exactly these values, where there is one. */
export const modeOf = (preferences: Preferences): Mode | undefined =>
  modeNames.find((name) => samePreferences(modes[name], preferences));
