import { type FormEvent, useId, useState } from 'react';
import { own } from '../../base/own.js';
import { preferenceWords } from '../../base/mode-words.js';
import { type Preferences, preferenceNames, samePreferences } from '../../base/preferences.js';
import type { PreferencesBody } from '../../contract/api-bodies.js';
import type { PreferencesTold } from '../../contract/people-answers.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import './preferences.css';

export interface PreferencesFormProps {
  /** What holds until something else is chosen. */
  readonly inForce: Preferences;
  readonly modes: PreferencesTold['modes'];
  readonly choose: (body: PreferencesBody) => Promise<PreferencesTold>;
  /** What is shown follows from it. */
  readonly onChosen: (told: PreferencesTold) => void;
}

/** How the work is to be done: one of the modes, or each of its four values by itself. */
export function PreferencesForm({ inForce, modes, choose, onChosen }: PreferencesFormProps) {
  const id = useId();
  const [wanted, setWanted] = useState(inForce);
  const [state, setState] = useState<'ready' | 'sending' | { readonly failed: string }>('ready');
  const mode = modes.find(({ preferences }) => samePreferences(preferences, wanted));
  const send = async (): Promise<void> => {
    if (state === 'sending') return;
    setState('sending');
    try {
      const told = await choose(mode === undefined ? wanted : { mode: mode.name });
      setState('ready');
      announce(told.changed.length === 0 ? 'Nothing changed.' : 'Preferences saved.');
      onChosen(told);
    } catch (cause) {
      setState({ failed: failureWords(cause) });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <form className="preferences-form" onSubmit={submit}>
      <fieldset>
        <legend>Mode</legend>
        {modes.map(({ name, label, says, preferences }) => (
          <label className="choice" key={name} htmlFor={`${id}-${name}`}>
            <input
              id={`${id}-${name}`}
              type="radio"
              name={`${id}-mode`}
              checked={mode?.name === name}
              onChange={() => setWanted(preferences)}
            />
            <span>
              <strong>{label}</strong> <span className="quiet">{says}</span>
            </span>
          </label>
        ))}
        {mode === undefined ? <p className="quiet small">Custom: the values below apply.</p> : null}
      </fieldset>
      <fieldset>
        <legend>Custom</legend>
        <div className="each">
          {preferenceNames.map((name) => (
            <Choice
              key={name}
              name={name}
              value={wanted[name]}
              onChange={(value) => setWanted({ ...wanted, ...value })}
            />
          ))}
        </div>
      </fieldset>
      {typeof state === 'object' ? (
        <p className="grave" role="alert">
          {state.failed}
        </p>
      ) : null}
      <div className="actions">
        <Button look="main" submit disabled={state === 'sending' || samePreferences(wanted, inForce)}>
          {state === 'sending' ? 'Saving …' : 'Save'}
        </Button>
        {samePreferences(wanted, inForce) ? <span className="quiet small">No unsaved changes.</span> : null}
      </div>
    </form>
  );
}

interface ChoiceProps<K extends keyof Preferences> {
  readonly name: K;
  readonly value: Preferences[K];
  readonly onChange: (value: Pick<Preferences, K>) => void;
}

function Choice<K extends keyof Preferences>({ name, value, onChange }: ChoiceProps<K>) {
  const field = useId();
  const { label, values }: { readonly label: string; readonly values: Readonly<Record<string, string>> } =
    preferenceWords[name];
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <select
        id={field}
        value={value}
        onChange={(event) => onChange({ [name]: event.target.value } as Pick<Preferences, K>)}
      >
        {Object.keys(values).map((one) => (
          <option key={one} value={one}>
            {own(values, one)}
          </option>
        ))}
      </select>
    </div>
  );
}
