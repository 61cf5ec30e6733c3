import { z } from 'zod';

/** Each from careful to bold. */
export const autonomySchema = z.enum(['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop']);
export const gateHandlingSchema = z.enum(['block', 'risk_signal']);
export const assumptionPolicySchema = z.enum(['ask_when_missing', 'record_when_missing']);
export const riskPolicySchema = z.enum(['conservative', 'balanced', 'aggressive']);

export const preferencesSchema = z.strictObject({
  autonomy: autonomySchema.describe('How far to go without the user'),
  gateHandling: gateHandlingSchema.describe('Whether a confirmation stops the run or is recorded as a risk'),
  assumptionPolicy: assumptionPolicySchema.describe('Whether to ask for what is missing, or to assume and record it'),
  riskPolicy: riskPolicySchema.describe('How bold to be'),
});
export type Preferences = Readonly<z.infer<typeof preferencesSchema>>;

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
