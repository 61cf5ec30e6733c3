import type { JsonValue } from '../../base/json-value.js';
import { visibleText } from '../../render/visible-text.js';

/** Longer texts are cut until somebody wants the rest, in characters; and what is shown of them then. */
const shownAtFirst = 400;
const shownAtMost = 100_000;

export interface JsonTextProps {
  /** Nothing inside of it, or shown in brief. */
  readonly value: JsonValue;
  readonly whole?: boolean;
  readonly onWhole?: () => void;
}

/** A value as JSON has it, in the colour of its kind. */
export function JsonText({ value, whole = false, onWhole }: JsonTextProps) {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? '');
  const most = whole ? shownAtMost : shownAtFirst;
  const left = text.length - most;
  return (
    <>
      <span className={kindOf(value)}>{visibleText(left > 0 ? `${text.slice(0, most)}…` : text)}</span>
      {left <= 0 ? null : onWhole === undefined || whole ? (
        <span className="quiet small"> {left} more characters</span>
      ) : (
        <button
          type="button"
          className="rest-of-text"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onWhole();
          }}
        >
          {left} more characters
        </button>
      )}
    </>
  );
}

const kindOf = (value: JsonValue): string =>
  typeof value === 'string'
    ? 'hl-string'
    : typeof value === 'number'
      ? 'hl-number'
      : value === null || typeof value === 'boolean'
        ? 'hl-keyword'
        : '';
