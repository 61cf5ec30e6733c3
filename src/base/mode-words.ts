import { own } from './own.js';
import { type Mode, modeNames, modeOf, modes, type Preferences, preferenceNames } from './preferences.js';

export interface SpokenMode {
  readonly label: string;
  readonly says: string;
}

/** What each mode is called and does, as people read it wherever they choose one or see one in force. */
export const modeWords: { readonly [name in Mode]: SpokenMode } = {
  guided: {
    label: 'Guided',
    says: 'asks you the workflow’s questions and waits for your agreement',
  },
  auto_stop: {
    label: 'Auto, stops for you',
    says: 'continues alone, records its assumptions, and stops for what only you can give or approve',
  },
  auto_never_stop: {
    label: 'Auto, never stops',
    says: 'continues without you; anything not given or approved is a critical gap at the end',
  },
};

/** Each preference and what it may be, the careful first. */
export const preferenceWords: {
  readonly [name in keyof Preferences]: {
    readonly label: string;
    readonly values: { readonly [value in Preferences[name]]: string };
  };
} = {
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

/** One preference: `Missing information is asked of you` in two parts. */
export const spokenPreference = (name: keyof Preferences, value: string): SpokenMode => ({
  label: preferenceWords[name].label,
  says: own<string>(preferenceWords[name].values, value) ?? value,
});

const inALine = ({ label, says }: SpokenMode): string => `${label}: ${says}`;

/** What holds, by the mode that says the same; else by the one that comes nearest and what is other than in it. */
export function spokenMode(preferences: Preferences): SpokenMode {
  const mode = modeOf(preferences);
  if (mode !== undefined) return modeWords[mode];
  const [first, ...others] = modeNames.map((name) => ({
    name,
    other: preferenceNames.filter((field) => modes[name][field] !== preferences[field]),
  }));
  const nearest = others.reduce((best, next) => (next.other.length < best.other.length ? next : best), first!);
  const differs = nearest.other.map((field) => inALine(spokenPreference(field, preferences[field])).toLowerCase());
  return { label: 'Custom', says: `like “${modeWords[nearest.name].label}”, but ${differs.join('; ')}` };
}

/** What the author of a workflow recommends, a line for the mode and one for each preference that they name. */
export function recommendedWords(recommends: { readonly [name: string]: unknown }): readonly string[] {
  const mode = modeNames.find((name) => name === own(recommends, 'mode'));
  return [
    ...(mode === undefined ? [] : [inALine(modeWords[mode])]),
    ...preferenceNames.flatMap((name) => {
      const value = own(recommends, name);
      return typeof value === 'string' ? [inALine(spokenPreference(name, value))] : [];
    }),
  ];
}
