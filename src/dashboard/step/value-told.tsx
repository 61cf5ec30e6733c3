import type { ReactNode } from 'react';
import { visibleText } from '../../render/visible-text.js';
import { isListTold, isObjectTold, type JsonTold, wordsOf } from './json-told.js';
import { InCode } from '../parts/in-code.js';

const deepest = 4;
const manyEntries = 200;

/** A value as somebody reads it: names and what they are, lists as lists. What lies deeper than that is for machines and shown as such. */
export function ValueTold({ value, depth = 0 }: { readonly value: JsonTold; readonly depth?: number }): ReactNode {
  if (value === null) return <span className="quiet">nothing</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return <span className="figures">{value}</span>;
  if (typeof value === 'string')
    return value === '' ? (
      <span className="quiet">empty</span>
    ) : (
      <span className="said">
        <InCode text={value} />
      </span>
    );
  if (depth >= deepest) return <pre className="raw">{visibleText(JSON.stringify(value, null, 2))}</pre>;
  if (isListTold(value)) {
    if (value.length === 0) return <span className="quiet">none</span>;
    return (
      <ul className="told-list">
        {value.slice(0, manyEntries).map((entry, index) => (
          <li key={index}>
            <ValueTold value={entry} depth={depth + 1} />
          </li>
        ))}
        {value.length > manyEntries ? <li className="quiet">and {value.length - manyEntries} more</li> : null}
      </ul>
    );
  }
  if (!isObjectTold(value)) return null;
  const place = placeWords(value);
  if (place !== undefined) return <code>{place}</code>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="quiet">nothing</span>;
  return (
    <dl className={depth === 0 ? 'told' : 'told within'}>
      {entries.map(([name, held]) => (
        <div key={name}>
          <dt title={name}>{wordsOf(name)}</dt>
          <dd>
            <ValueTold value={held} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A place in a file is written the way that editors take it. */
export function placeWords(value: JsonTold | undefined): string | undefined {
  if (
    !isObjectTold(value) ||
    typeof value['file'] !== 'string' ||
    Object.keys(value).some((name) => name !== 'file' && name !== 'line' && name !== 'endLine')
  )
    return undefined;
  const { file, line, endLine } = value;
  if (typeof line !== 'number') return visibleText(file);
  return visibleText(`${file}:${line}${typeof endLine === 'number' && endLine !== line ? `–${endLine}` : ''}`);
}
