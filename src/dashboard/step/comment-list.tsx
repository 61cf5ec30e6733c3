import { own } from '../../base/own.js';
import { visibleTitle } from '../../render/visible-text.js';
import { CopyButton } from '../parts/copy-button.js';
import { InCode } from '../parts/in-code.js';
import { Markdown } from '../parts/markdown.js';
import { commentText, severityOf, wholeChange } from './comment-text.js';
import { severityTones } from './finding-list.js';
import type { JsonObjectTold } from './json-told.js';
import { placeWords, ValueTold } from './value-told.js';

/** Comments on a change, each under its place in it and ready to be posted. */
export function CommentList({ rows }: { readonly rows: readonly JsonObjectTold[] }) {
  return (
    <ul className="findings">
      {rows.map((row, index) => (
        <Comment key={index} row={row} />
      ))}
    </ul>
  );
}

function Comment({ row }: { readonly row: JsonObjectTold }) {
  const { location, title, body, ...others } = row;
  const place = placeWords(location);
  const severity = severityOf(row);
  const rest = Object.fromEntries(Object.entries(others).filter(([field]) => field !== 'severity'));
  const besides = { ...rest, ...(place === undefined && location !== undefined && { location }) };
  return (
    <li>
      <div className="finding-head">
        <h4>{place === undefined ? wholeChange : <code className="place">{place}</code>}</h4>
        {severity === undefined ? null : (
          <span className={`tag ${own(severityTones, severity.toLowerCase()) ?? ''}`}>{severity}</span>
        )}
        <CopyButton text={commentText(row)} label={`Copy the comment on ${place ?? 'the whole change'}`}>
          Copy
        </CopyButton>
      </div>
      {typeof title === 'string' ? (
        <p>
          <strong>
            <InCode text={visibleTitle(title)} />
          </strong>
        </p>
      ) : null}
      {typeof body === 'string' ? <Markdown text={body} /> : body === undefined ? null : <ValueTold value={body} />}
      {Object.keys(besides).length === 0 ? null : <ValueTold value={besides} depth={1} />}
    </li>
  );
}
