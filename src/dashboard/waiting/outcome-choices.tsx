import { useId } from 'react';
import type { QuestionTold } from '../../contract/question-told.js';
import { InCode } from '../parts/in-code.js';

export interface OutcomeChoicesProps {
  readonly choices: NonNullable<QuestionTold['choices']>;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

/** A few answers, each with what comes of it. */
export function OutcomeChoices({ choices, chosen, onChoose }: OutcomeChoicesProps) {
  const name = useId();
  return (
    <div className="outcome-choices" role="radiogroup" aria-label="Your answer">
      {choices.map(({ value, label, says }) => (
        <label key={label} className="choice">
          <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>
            <strong>{label}</strong>
            <span className="quiet small said">
              <InCode text={says} />
            </span>
          </span>
        </label>
      ))}
    </div>
  );
}
