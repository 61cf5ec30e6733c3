import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { visibleTitle } from '../../render/visible-text.js';
import { walkList } from '../keys/walk-list.js';
import { Button } from '../parts/button.js';
import { InCode } from '../parts/in-code.js';
import type { JsonObjectTold } from '../step/json-told.js';
import { shownValue } from '../waiting/read-value.js';
import { type ChoicesHere, useChoices } from './use-choices.js';

export interface ChoiceFieldProps {
  readonly id: string;
  readonly workflowId: string;
  readonly name: string;
  /** Of the inputs that its provider reads. */
  readonly inputs: JsonObjectTold;
  /** Names of those that have to be filled in before. */
  readonly missing: readonly string[];
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly describedBy: string;
  readonly invalid: boolean;
  readonly required: boolean;
}

/** A field with choices, which are fetched once somebody opens it or types. What is none of them can be typed as well. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, workflowId, name, inputs, missing, text, onChange, describedBy, invalid, required } = props;
  const list = `${useId()}-list`;
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [moved, setMoved] = useState<string>();
  const { choices, isBusy, words, failed, again } = useChoices({
    workflowId,
    name,
    inputs,
    query,
    wanted: isOpen && missing.length === 0,
  });
  const said = missing.length > 0 ? `Enter ${missing.join(' and ')} first: the choices depend on it.` : words;
  const field = useRef<HTMLInputElement>(null);
  const shown = isOpen ? choices : [];
  const at = shown.findIndex(({ value }) => JSON.stringify(value) === moved);
  const chosen = shown[at];
  const open = (search: string): void => {
    setOpen(true);
    setQuery(search);
    setMoved(undefined);
  };
  const choose = (value: string): void => {
    onChange(value);
    setOpen(false);
    setMoved(undefined);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    } else if (!isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      open('');
    } else if (isOpen && event.key !== 'Home' && event.key !== 'End') {
      walkList(event, {
        at,
        count: shown.length,
        page: 5,
        onMove: (to) => setMoved(JSON.stringify(shown[to]?.value)),
        ...(chosen !== undefined && { onOpen: () => choose(shownValue(chosen.value)) }),
      });
    }
  };
  const leave = (event: FocusEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    <div className="choice-field" onBlur={leave}>
      <div className="choice-line">
        <input
          ref={field}
          id={id}
          type="text"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={shown.length > 0 ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : `${list}-${at}`}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          aria-required={required || undefined}
          aria-busy={isOpen && isBusy}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onClick={() => (isOpen ? undefined : open(''))}
          onChange={(event) => {
            onChange(event.target.value);
            open(event.target.value);
          }}
          onKeyDown={press}
        />
        <button
          type="button"
          className="choice-toggle"
          tabIndex={-1}
          aria-label={isOpen ? `Hide the choices of ${name}` : `Show the choices of ${name}`}
          aria-expanded={isOpen}
          onClick={() => {
            field.current?.focus();
            if (isOpen) setOpen(false);
            else open('');
          }}
        >
          <span aria-hidden="true">▾</span>
        </button>
      </div>
      {isOpen ? (
        <ChoiceList
          {...{ list, name, choices: shown, at, said, failed, again }}
          onChoose={(index) => choose(shownValue(shown[index]?.value))}
        />
      ) : null}
      <p className="for-readers-only" role="status">
        {isOpen ? said : ''}
      </p>
    </div>
  );
}

interface ChoiceListProps {
  /** Its id; that of an option ends with its place. */
  readonly list: string;
  readonly name: string;
  readonly choices: ChoicesHere['choices'];
  readonly at: number;
  readonly said: string;
  readonly failed: boolean;
  readonly again: () => void;
  readonly onChoose: (index: number) => void;
}

function ChoiceList({ list, name, choices, at, said, failed, again, onChoose }: ChoiceListProps) {
  const options = useRef<HTMLDivElement>(null);
  useEffect(() => {
    options.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    // What is pressed in it does not take the field's focus, and with it the list, away.
    <div className="choice-list" onMouseDown={(event) => event.preventDefault()}>
      {choices.length === 0 ? null : (
        <div ref={options} id={list} className="choice-options" role="listbox" aria-label={`Choices of ${name}`}>
          {choices.map(({ value, label }, index) => (
            <div
              key={JSON.stringify(value)}
              id={`${list}-${index}`}
              className="choice-option"
              role="option"
              aria-selected={index === at}
              onClick={() => onChoose(index)}
            >
              <span className="one-line">{visibleTitle(label)}</span>
              {label === shownValue(value) ? null : (
                <code className="quiet small one-line">{visibleTitle(shownValue(value))}</code>
              )}
            </div>
          ))}
        </div>
      )}
      {said === '' ? null : (
        <p className={failed ? 'choice-said small grave' : 'choice-said small quiet'}>
          <InCode text={said} />
        </p>
      )}
      {failed ? (
        <Button small onClick={again}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
