import { visibleTitle } from '../../render/visible-text.js';
import { CopyButton } from '../parts/copy-button.js';
import { InCode } from '../parts/in-code.js';
import { Markdown } from '../parts/markdown.js';
import { type JsonObjectTold, wordsOf } from './json-told.js';
import { placeWords, ValueTold } from './value-told.js';
import { own } from '../../base/own.js';
import { gravity, severities } from '../../base/severity.js';
import { findingText, isSettled, severityOf } from './comment-text.js';

export const severityTones: Readonly<Record<string, string>> = {
  critical: 'grave',
  blocker: 'grave',
  major: 'warning',
  high: 'warning',
  warning: 'warning',
  medium: 'warning',
  minor: 'waiting',
  low: 'waiting',
};

/** Findings, the gravest first; each can be copied to where it belongs. */
export function FindingList({ rows }: { readonly rows: readonly JsonObjectTold[] }) {
  const rank = (row: JsonObjectTold): number =>
    (isSettled(row) ? severities.length * 2 : 0) + gravity(severityOf(row)?.toLowerCase() ?? '');
  const sorted = rows.map((row, index) => ({ row, index })).sort((a, b) => rank(a.row) - rank(b.row));
  return (
    <ul className="findings">
      {sorted.map(({ row, index }) => (
        <Finding key={index} row={row} />
      ))}
    </ul>
  );
}

function Finding({ row }: { readonly row: JsonObjectTold }) {
  const { title, location, status, body, rationale, ...others } = row;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => key !== 'severity'));
  const name = typeof title === 'string' ? visibleTitle(title) : 'A finding';
  const grade = severityOf(row) ?? 'finding';
  const place = placeWords(location);
  const words = body ?? rationale;
  const besides = {
    ...rest,
    ...(body !== undefined && rationale !== undefined && { rationale }),
    ...(place === undefined && location !== undefined && { location }),
  };
  return (
    <li className={isSettled(row) ? 'dismissed' : undefined}>
      <div className="finding-head">
        <span className={`tag ${own(severityTones, grade.toLowerCase()) ?? ''}`}>{grade}</span>
        <h4>
          <InCode text={name} />
        </h4>
        {typeof status === 'string' ? <span className="tag">{wordsOf(status).toLowerCase()}</span> : null}
        <CopyButton text={findingText(row)} label={`Copy “${name}” as a comment`}>
          Copy
        </CopyButton>
      </div>
      {place === undefined ? null : <code className="place">{place}</code>}
      {typeof words === 'string' ? (
        <Markdown text={words} />
      ) : words === undefined ? null : (
        <ValueTold value={words} depth={1} />
      )}
      {Object.keys(besides).length === 0 ? null : <ValueTold value={besides} depth={1} />}
    </li>
  );
}
