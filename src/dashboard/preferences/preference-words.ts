import type { Preferences } from '../../base/preferences.js';

type Words = {
  readonly [K in keyof Preferences]: {
    readonly label: string;
    readonly values: { readonly [V in Preferences[K]]: string };
  };
};

/** Each preference and what it may be, the careful first, as the page says it. */
export const preferenceWords: Words = {
  autonomy: {
    label: 'Autonomy',
    values: {
      guided: 'asks you as it goes',
      full_auto_stop_on_user_deps: 'continues alone, stops for what only you can give',
      full_auto_never_stop: 'never stops',
    },
  },
  gateHandling: {
    label: 'Confirmations',
    values: { block: 'wait for your agreement', risk_signal: 'are skipped and recorded as a risk' },
  },
  assumptionPolicy: {
    label: 'Missing information',
    values: { ask_when_missing: 'is asked of you', record_when_missing: 'is assumed and recorded' },
  },
  riskPolicy: {
    label: 'Risk',
    values: { conservative: 'conservative', balanced: 'balanced', aggressive: 'aggressive' },
  },
};

/** In the order in which they are shown. */
export const preferenceNames = Object.keys(preferenceWords) as readonly (keyof Preferences)[];
