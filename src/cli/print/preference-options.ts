import type { Mode, Preferences } from '../../base/preferences.js';
import type { OptionTable } from './option-table.js';

interface PreferenceOption<F extends string, V extends string> {
  readonly name: string;
  readonly field: F;
  readonly values: readonly V[];
  readonly says: string;
}

const mode: PreferenceOption<'mode', Mode> = {
  name: 'mode',
  field: 'mode',
  values: ['guided', 'auto_stop', 'auto_never_stop'],
  says: 'how far to go alone',
};
const autonomy: PreferenceOption<'autonomy', Preferences['autonomy']> = {
  name: 'autonomy',
  field: 'autonomy',
  values: ['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'],
  says: 'when to stop',
};
const gates: PreferenceOption<'gateHandling', Preferences['gateHandling']> = {
  name: 'gates',
  field: 'gateHandling',
  values: ['block', 'risk_signal'],
  says: 'whether a missing confirmation holds things up',
};
const assumptions: PreferenceOption<'assumptionPolicy', Preferences['assumptionPolicy']> = {
  name: 'assumptions',
  field: 'assumptionPolicy',
  values: ['ask_when_missing', 'record_when_missing'],
  says: 'when something is missing',
};
const risk: PreferenceOption<'riskPolicy', Preferences['riskPolicy']> = {
  name: 'risk',
  field: 'riskPolicy',
  values: ['conservative', 'balanced', 'aggressive'],
  says: 'which warnings are shown',
};

/** A mode, which sets all four, and the four. The values stand here in words, so that the help needs no schema. */
export const preferenceOptions = [mode, autonomy, gates, assumptions, risk] as const;

export const preferenceTable: OptionTable = Object.fromEntries(
  preferenceOptions.map(({ name, values, says }) => [
    name,
    { kind: 'text', value: name, says: `${says}: ${values.join(', ')}` },
  ]),
);
