import type { Mode, Preferences } from '../../base/preferences.js';
import type { OptionTable } from './option-table.js';

interface Asked extends Preferences {
  readonly mode: Mode;
}

type PreferenceOption = {
  readonly [F in keyof Asked]: {
    readonly name: string;
    readonly field: F;
    readonly values: readonly Asked[F][];
    readonly says: string;
  };
}[keyof Asked];

/** A mode, which sets all four, and the four. The values stand here in words, so that the help needs no schema. */
export const preferenceOptions: readonly PreferenceOption[] = [
  { name: 'mode', field: 'mode', values: ['guided', 'auto_stop', 'auto_never_stop'], says: 'how far to go alone' },
  {
    name: 'autonomy',
    field: 'autonomy',
    values: ['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'],
    says: 'when to stop',
  },
  {
    name: 'gates',
    field: 'gateHandling',
    values: ['block', 'risk_signal'],
    says: 'whether a missing confirmation holds things up',
  },
  {
    name: 'assumptions',
    field: 'assumptionPolicy',
    values: ['ask_when_missing', 'record_when_missing'],
    says: 'when something is missing',
  },
  {
    name: 'risk',
    field: 'riskPolicy',
    values: ['conservative', 'balanced', 'aggressive'],
    says: 'which warnings are shown',
  },
];

export const preferenceTable: OptionTable = Object.fromEntries(
  preferenceOptions.map(({ name, values, says }) => [
    name,
    { kind: 'text', value: name, says: `${says}: ${values.join(', ')}` },
  ]),
);
