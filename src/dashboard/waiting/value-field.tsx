import { useId } from 'react';
import type { QuestionTold } from '../../contract/question-told.js';
import { visibleText } from '../../render/visible-text.js';
import { shownValue, type ValueGiven } from './read-value.js';

export interface ValueFieldProps {
  readonly question: QuestionTold;
  readonly given: ValueGiven;
  readonly onChange: (given: ValueGiven) => void;
}

/** A field of the kind that the value is: one of a few, a number, yes or no, text, or the path of a file. */
export function ValueField({ question, given, onChange }: ValueFieldProps) {
  const id = useId();
  const { key } = question;
  return (
    <div className="field value-field">
      <label htmlFor={id}>{given.as === 'file' ? 'Path of the file in the workspace' : 'Your answer'}</label>
      <Field id={id} question={question} given={given} onChange={onChange} />
      {key === undefined || !takesText(question) ? null : (
        <label className="choice small" htmlFor={`${id}-file`}>
          <input
            id={`${id}-file`}
            type="checkbox"
            checked={given.as === 'file'}
            onChange={(event) => onChange({ as: event.target.checked ? 'file' : 'value', text: given.text })}
          />{' '}
          Use a file from the workspace
        </label>
      )}
    </div>
  );
}

const takesText = ({ type = 'any', values }: QuestionTold): boolean =>
  values === undefined && (type === 'any' || type === 'string');

function Field({ id, question: { type, values }, given, onChange }: ValueFieldProps & { readonly id: string }) {
  const { as, text } = given;
  const write = (to: string): void => onChange({ as, text: to });
  const choices = type === 'boolean' ? [true, false] : values;
  if (choices !== undefined)
    return (
      <select id={id} value={text} onChange={(event) => write(event.target.value)}>
        <option value="">Choose …</option>
        {choices.map((value) => (
          <option key={shownValue(value)} value={shownValue(value)}>
            {type === 'boolean' ? (value === true ? 'Yes' : 'No') : visibleText(shownValue(value))}
          </option>
        ))}
      </select>
    );
  if (as === 'file' || type === 'number' || type === 'integer')
    return (
      <input
        id={id}
        type="text"
        value={text}
        inputMode={as === 'file' ? 'text' : 'decimal'}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => write(event.target.value)}
      />
    );
  return (
    <textarea
      id={id}
      rows={2}
      value={text}
      placeholder={type === 'array' ? 'One entry per line, or JSON' : type === 'object' ? 'JSON' : undefined}
      onChange={(event) => write(event.target.value)}
      onKeyDown={(event) =>
        event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          ? event.currentTarget.form?.requestSubmit()
          : undefined
      }
    />
  );
}
