import { isArray } from '../../base/patch/json-pointer.js';
import type { JsonValue } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import { visibleText } from '../../render/visible-text.js';
import type { PartChange } from './compare-documents.js';
import { type DocumentLine, insideOf, type PartLine } from './document-lines.js';
import { briefJson } from './brief-json.js';
import { JsonText } from './json-text.js';

const marks: Readonly<Record<PartChange, string>> = { same: '', within: '', added: '+', removed: '−', changed: '~' };

export interface DocumentRowProps {
  readonly line: DocumentLine;
  readonly whole: boolean;
  readonly onWhole: () => void;
}

/** What stands on a line of the tree. Changes are told by a sign and a word besides their colour. */
export function DocumentRow({ line, whole, onWhole }: DocumentRowProps) {
  const indent = { paddingLeft: `${line.depth * 1.1}rem` };
  if (line.kind === 'left out')
    return (
      <>
        <span className="change-mark" aria-hidden="true" />
        <span className="part-text quiet" style={indent}>
          <span className="twist" aria-hidden="true" />
          {line.count} unchanged
        </span>
      </>
    );
  const { change, isOpen, key } = line;
  return (
    <>
      <span className="change-mark" aria-hidden="true">
        {marks[change]}
      </span>
      <span className="part-text" style={indent}>
        <span className="twist" aria-hidden="true">
          {isOpen === undefined ? '' : isOpen ? '▾' : '▸'}
        </span>
        {line.begins ? <span className="for-readers-only">{change} </span> : null}
        {key === undefined ? null : (
          <>
            <span className={typeof key === 'number' ? 'quiet figures' : 'hl-attr'}>{keyWords(key)}</span>
            {': '}
          </>
        )}
        <PartValue line={line} whole={whole} onWhole={onWhole} />
      </span>
    </>
  );
}

function PartValue({ line, whole, onWhole }: { readonly line: PartLine } & Omit<DocumentRowProps, 'line'>) {
  const { value, before, change, isOpen } = line;
  const now =
    isOpen === undefined ? (
      <JsonText value={value} whole={whole} onWhole={onWhole} />
    ) : (
      <Inside of={value} isOpen={isOpen} />
    );
  if (before !== undefined)
    return (
      <>
        <del>
          <span className="for-readers-only">from </span>
          {insideOf(before) > 0 ? <Inside of={before} isOpen={false} /> : <JsonText value={before} whole={whole} />}
        </del>{' '}
        <span aria-hidden="true">→</span>{' '}
        <ins>
          <span className="for-readers-only">to </span>
          {now}
        </ins>
      </>
    );
  return (
    <>
      {change === 'removed' && line.begins ? <del>{now}</del> : now}
      {change === 'within' && isOpen === false ? (
        <span className="tag waiting changed-inside">changed inside</span>
      ) : null}
    </>
  );
}

/** Of what is folded, how it begins. */
const Inside = ({ of, isOpen }: { readonly of: JsonValue; readonly isOpen: boolean }) => (
  <span className="quiet small">
    {isArray(of) ? plural(of.length, 'element') : plural(insideOf(of), 'member')}
    {isOpen ? '' : ` ${visibleText(briefJson(of))}`}
  </span>
);

/** A name that is one word stands as it is. */
const keyWords = (key: string | number): string =>
  typeof key === 'number' || /^[\w$.-]+$/u.test(key) ? String(key) : visibleText(JSON.stringify(key));
