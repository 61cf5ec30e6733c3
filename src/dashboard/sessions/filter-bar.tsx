import type { SessionsPage } from '../../contract/session-list.js';
import {
  parseSearch,
  type SearchKey,
  type SearchTerm,
  sortOf,
  statusWords,
  withFilter,
  withoutTerm,
} from '../../contract/session-search.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Button } from '../parts/button.js';
import { navigate } from '../router/navigate.js';

export interface FilterBarProps {
  readonly query: string;
  /** What there is to filter by; absent while it is not known. */
  readonly values: SessionsPage['filters'];
  readonly dense: boolean;
  readonly onDense: (dense: boolean) => void;
}

type Choice = readonly [value: string, label: string];

const statusLabels: Readonly<Record<(typeof statusWords)[number], string>> = {
  open: 'In progress',
  waiting: 'Waiting for you',
  running: 'Running by itself',
  complete: 'Complete',
  failed: 'Failed',
  canceled: 'Canceled',
  gaps: 'With open gaps',
  damaged: 'Damaged',
};
const statuses: readonly Choice[] = statusWords.map((word) => [word, statusLabels[word]]);
const times: readonly Choice[] = [
  ['1h', 'Past hour'],
  ['today', 'Today'],
  ['yesterday', 'Since yesterday'],
  ['7d', 'Past 7 days'],
  ['30d', 'Past 30 days'],
];
const orders: readonly Choice[] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['waiting', 'Waiting longest first'],
  ['longest', 'Longest session first'],
  ['longest-step', 'Longest step first'],
];

const keyLabels: Readonly<Record<SearchKey, string>> = {
  is: 'Status',
  workflow: 'Workflow',
  branch: 'Branch',
  label: 'Label',
  since: 'Since',
  before: 'Before',
  sort: 'Sort',
};

const go = (query: string): void => navigate({ view: 'sessions', ...(query !== '' && { query }) });

/** What the list is filtered and sorted by: chips that can be taken away, and what else there is. */
export function FilterBar({ query, values, dense, onDense }: FilterBarProps) {
  const search = parseSearch(query);
  const add = (key: SearchKey, value: string): void => go(withFilter(query, key, value));
  const counted = (key: 'workflow' | 'branch' | 'label'): readonly Choice[] =>
    (values?.[key] ?? []).map(({ value, count }) => [value, `${visibleTitle(value)} (${count})`]);
  const byWords = search.words.trim() !== '';
  return (
    <div className="filter-bar" role="group" aria-label="Filters">
      <Menu label="Status" choices={statuses} onChoose={(value) => add('is', value)} />
      <Menu label="Workflow" choices={counted('workflow')} onChoose={(value) => add('workflow', value)} />
      <Menu label="Branch" choices={counted('branch')} onChoose={(value) => add('branch', value)} />
      <Menu label="Label" choices={counted('label')} onChoose={(value) => add('label', value)} />
      <Menu label="Time" choices={times} onChoose={(value) => add('since', value)} />
      {search.terms.map((term, index) =>
        term.kind === 'words' || (term.kind === 'filter' && term.key === 'sort') ? null : (
          <Chip key={`${term.text} ${index}`} term={term} onRemove={() => go(withoutTerm(query, index))} />
        ),
      )}
      <span className="spread" />
      <select
        className="menu"
        aria-label="Sort"
        value={sortOf(search) ?? (byWords ? '' : 'newest')}
        onChange={(event) => add('sort', event.target.value)}
      >
        {byWords ? <option value="">Closest match first</option> : null}
        {orders.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Button small pressed={dense} onClick={() => onDense(!dense)} title="Smaller rows, remembered in this browser">
        Compact
      </Button>
    </div>
  );
}

/** Nothing to choose is nothing to show. */
function Menu({
  label,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string) => void;
}) {
  if (choices.length === 0) return null;
  return (
    <select
      className="menu"
      aria-label={`Filter by ${label.toLowerCase()}`}
      value=""
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="" disabled hidden>
        {label}
      </option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function Chip({ term, onRemove }: { readonly term: SearchTerm; readonly onRemove: () => void }) {
  const says = term.kind === 'filter' ? `${keyLabels[term.key]}: ${valueTold(term.key, term.value)}` : term.text;
  return (
    <span className={term.kind === 'wrong' ? 'chip wrong' : 'chip'}>
      <span className="one-line">{visibleTitle(says)}</span>
      <button type="button" onClick={onRemove} aria-label={`Remove ${visibleTitle(says)}`}>
        ×
      </button>
    </span>
  );
}

function valueTold(key: SearchKey, value: string): string {
  const known = key === 'is' ? statuses : key === 'since' ? times : [];
  return known.find(([one]) => one === value)?.[1] ?? value;
}
