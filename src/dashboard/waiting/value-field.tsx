import { useId } from 'react';
import type { QuestionTold } from '../../contract/question-told.js';
import { TypedField } from '../parts/typed-field.js';
import type { ValueGiven } from './read-value.js';

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
      <TypedField
        id={id}
        type={question.type}
        values={question.values}
        isPath={given.as === 'file'}
        text={given.text}
        onChange={(text) => onChange({ as: given.as, text })}
      />
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
