import type { QuestionTold } from '../../contract/question-told.js';
import { visibleText } from '../../render/visible-text.js';
import { shownValue } from '../waiting/read-value.js';

export interface TypedFieldProps {
  readonly type: string | undefined;
  /** The only ones that are right. */
  readonly values: QuestionTold['values'] | undefined;
  readonly id: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The path of a file, whatever the type. */
  readonly isPath?: boolean;
  readonly describedBy?: string;
  readonly invalid?: boolean;
  readonly required?: boolean;
}

const placeholders: ReadonlyMap<string | undefined, string> = new Map([
  ['array', 'One entry per line, or JSON'],
  ['object', 'JSON'],
]);

/** A field of the kind that a value is: one of a few, a number, yes or no, text, a list, or the path of a file. */
export function TypedField({
  id,
  type,
  values,
  text,
  onChange,
  isPath = false,
  describedBy,
  invalid = false,
  required = false,
}: TypedFieldProps) {
  const same = {
    id,
    value: text,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': required || undefined,
  };
  const choices = type === 'boolean' ? [true, false] : values;
  if (choices !== undefined)
    return (
      <select {...same} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose …</option>
        {choices.map((value) => (
          <option key={shownValue(value)} value={shownValue(value)}>
            {type === 'boolean' ? (value === true ? 'Yes' : 'No') : visibleText(shownValue(value))}
          </option>
        ))}
      </select>
    );
  if (isPath || type === 'number' || type === 'integer')
    return (
      <input
        {...same}
        type="text"
        inputMode={isPath ? 'text' : 'decimal'}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <textarea
      {...same}
      rows={2}
      placeholder={placeholders.get(type)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) =>
        event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          ? event.currentTarget.form?.requestSubmit()
          : undefined
      }
    />
  );
}
