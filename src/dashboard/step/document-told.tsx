import type { DocumentStory } from '../../contract/session-story.js';
import { CopyButton } from '../parts/copy-button.js';
import { type Column, SortableTable } from '../parts/sortable-table.js';
import { CommentList } from './comment-list.js';
import { allComments, allFindings } from './comment-text.js';
import { FindingList } from './finding-list.js';
import { type JsonObjectTold, type JsonTold, wordsOf } from './json-told.js';
import { placeWords, ValueTold } from './value-told.js';
import { own } from '../../base/own.js';

/** One document, as its contract wants it shown; else a header as facts, a table that can be sorted, a list as a list. */
export function DocumentTold({ document }: { readonly document: DocumentStory }) {
  const { name, shownAs, header, rows, entries, leftOut } = document;
  const size = rows?.length ?? entries?.length;
  return (
    <section className="document">
      <h3>
        {wordsOf(name.split('.').at(-1) ?? name)}
        {size === undefined ? null : <span className="quiet figures">{size}</span>}
        <span className="spread" />
        {shownAs === undefined || size === 0 ? null : (
          <CopyButton
            text={() => Promise.resolve(shownAs === 'comments' ? allComments(rows ?? []) : allFindings(rows ?? []))}
            label={`Copy all ${shownAs} as Markdown`}
          >
            Copy all
          </CopyButton>
        )}
        <CopyButton
          text={() => Promise.resolve(JSON.stringify(header ?? rows ?? entries ?? [], null, 2))}
          label={`Copy ${name} as JSON`}
        >
          Copy as JSON
        </CopyButton>
      </h3>
      {header === undefined ? null : <ValueTold value={header} />}
      {rows === undefined ? null : <Rows name={name} shownAs={shownAs} rows={rows} />}
      {entries === undefined ? null : <Entries entries={entries} ordered={document.fold === 'log'} />}
      {leftOut > 0 ? <p className="quiet">{leftOut} more did not fit and were left out.</p> : null}
    </section>
  );
}

function Rows({
  name,
  shownAs,
  rows,
}: {
  readonly name: string;
  readonly shownAs: DocumentStory['shownAs'];
  readonly rows: readonly JsonObjectTold[];
}) {
  if (shownAs === 'comments') return <CommentList rows={rows} />;
  if (shownAs === 'findings') return <FindingList rows={rows} />;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((column): Column<JsonObjectTold> => ({
    name: wordsOf(column),
    cell: (row) => {
      const held = own(row, column);
      return held === undefined ? '' : <ValueTold value={held} depth={2} />;
    },
    by: (row) => orderOf(own(row, column)),
  }));
  return <SortableTable caption={name} columns={columns} rows={rows} />;
}

const ranks = ['h', 'm', 'l', 'high', 'medium', 'low'];

/** Risks go by how high they are and not by the alphabet. */
function orderOf(value: JsonTold | undefined): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string')
    return ranks.includes(value.toLowerCase()) ? ranks.indexOf(value.toLowerCase()) % 3 : value;
  return placeWords(value) ?? JSON.stringify(value ?? '');
}

function Entries({ entries, ordered }: { readonly entries: readonly JsonObjectTold[]; readonly ordered: boolean }) {
  const items = entries.map((entry, index) => {
    const { text, ...rest } = entry;
    return (
      <li key={index}>
        {typeof text === 'string' ? <ValueTold value={text} /> : null}
        {typeof text === 'string' && Object.keys(rest).length === 0 ? null : (
          <ValueTold value={typeof text === 'string' ? rest : entry} depth={1} />
        )}
      </li>
    );
  });
  return ordered ? <ol className="told-list">{items}</ol> : <ul className="told-list">{items}</ul>;
}
