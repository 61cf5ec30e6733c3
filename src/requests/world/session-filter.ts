import { closestNames } from '../../base/closest-name.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { FilterValues } from '../../contract/session-list.js';
import {
  type SearchKey,
  type SessionSearch,
  sortOf,
  type SortWord,
  type StatusWord,
  valuesOf,
} from '../../contract/session-search.js';
import { foldText } from '../../base/search-words.js';
import { readMoment } from './read-moment.js';
import type { Registered } from './registered-session.js';

/** What a search asks of the register besides its words. */
export interface SearchAsked {
  readonly search: SessionSearch;
  /** With the moments that it names. */
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly sort: SortWord | undefined;
  /** What was left out of it or taken for a word, and why. */
  readonly told: readonly string[];
}

export function askSearch(search: SessionSearch, now: Date): SearchAsked {
  const unread: string[] = [];
  const moments = (key: 'since' | 'before'): readonly string[] =>
    valuesOf(search, key).flatMap((value) => {
      const at = readMoment(value, now);
      if (at === undefined) unread.push(`${key}:${value} is not a valid date`);
      return at ?? [];
    });
  const [since, before] = [moments('since').toSorted().at(-1), moments('before').toSorted()[0]];
  const wrong = search.terms.flatMap((term) => (term.kind === 'wrong' ? [term.says] : []));
  return { search, since, before, sort: sortOf(search), told: [...wrong, ...unread, ...search.notes] };
}

const named = ['workflow', 'branch', 'label'] as const;
type Named = (typeof named)[number];

/** What a session is filtered by, folded once. */
interface FilterFacts {
  readonly is: ReadonlySet<string>;
  readonly names: { readonly [key in Named]: ReadonlySet<string> };
  readonly lastAt: string;
}

const factsOf = oncePerObject((registered: Registered): FilterFacts | undefined => {
  const { listed } = registered;
  if (listed === undefined) return undefined;
  const { run, waitsSince, openGaps, trouble, lastAt } = listed;
  const isStopped = run?.status === 'failed' || run?.status === 'canceled';
  const is: readonly (readonly [StatusWord, boolean])[] = [
    ['open', run !== undefined && run.pending !== null && !isStopped],
    ['waiting', waitsSince !== undefined],
    ['running', run?.status === 'running'],
    ['failed', run?.status === 'failed'],
    ['canceled', run?.status === 'canceled'],
    ['complete', run?.pending === null && !isStopped],
    ['gaps', openGaps > 0],
    ['damaged', trouble === 'damage'],
  ];
  const folded = (key: Named): ReadonlySet<string> => new Set(namesOf(registered, key).map(foldText));
  return {
    is: new Set<string>(is.flatMap(([word, holds]) => (holds ? [word] : []))),
    names: { workflow: folded('workflow'), branch: folded('branch'), label: folded('label') },
    lastAt,
  };
});

function namesOf({ places, facts, listed }: Registered, key: Named): readonly string[] {
  if (key === 'label') return listed?.tags ?? [];
  if (key === 'branch') return (facts?.branches ?? []).map(({ name }) => name);
  return places.flatMap(({ run }) => run?.workflowId ?? []);
}

/** Whether a session passes: all that is said of how it stands and of its labels, and one of the workflows and branches that are named. */
export function sessionFilter({
  search,
  since,
  before,
}: SearchAsked): ((registered: Registered) => boolean) | undefined {
  const asked = (key: SearchKey): readonly string[] => valuesOf(search, key).map(foldText);
  const [is, workflows, branches, labels] = [asked('is'), asked('workflow'), asked('branch'), asked('label')];
  if ([...is, ...workflows, ...branches, ...labels].length === 0 && since === undefined && before === undefined)
    return undefined;
  const anyOf = (wanted: readonly string[], there: ReadonlySet<string>): boolean =>
    wanted.length === 0 || wanted.some((name) => isAmong(name, there));
  return (registered) => {
    const facts = factsOf(registered);
    return (
      facts !== undefined &&
      is.every((word) => facts.is.has(word)) &&
      labels.every((name) => isAmong(name, facts.names.label)) &&
      anyOf(workflows, facts.names.workflow) &&
      anyOf(branches, facts.names.branch) &&
      (since === undefined || facts.lastAt >= since) &&
      (before === undefined || (facts.lastAt !== '' && facts.lastAt < before))
    );
  };
}

/** A star at the end stands for whatever follows. */
const isAmong = (name: string, there: ReadonlySet<string>): boolean =>
  name.endsWith('*') ? [...there].some((one) => one.startsWith(name.slice(0, -1))) : there.has(name);

const valuesTold = 50;

/** By what the sessions here can be filtered, and how many have it; the most frequent first. */
export function filterValues(found: readonly Registered[]): FilterValues {
  const counted = (key: Named): FilterValues[Named] => {
    const counts = new Map<string, { value: string; count: number }>();
    for (const registered of found) {
      const names = new Map(namesOf(registered, key).map((name) => [foldText(name), name]));
      for (const [folded, value] of names) {
        const same = counts.get(folded);
        if (same === undefined) counts.set(folded, { value, count: 1 });
        else same.count += 1;
      }
    }
    return [...counts.values()]
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, valuesTold);
  };
  return { workflow: counted('workflow'), branch: counted('branch'), label: counted('label') };
}

const namesTold = 5;

/** What a filter names and no session here has, with what there is. */
export function unknownValues({ search }: SearchAsked, found: readonly Registered[]): readonly string[] {
  return named.flatMap((key) => {
    const wanted = valuesOf(search, key);
    if (wanted.length === 0) return [];
    const there = new Map<string, string>();
    for (const registered of found) for (const name of namesOf(registered, key)) there.set(foldText(name), name);
    return wanted
      .filter((name) => !isAmong(foldText(name), new Set(there.keys())))
      .map((name) => {
        const names = [...there.values()].toSorted();
        const close = closestNames(name, names, namesTold);
        const shown = close.length > 0 ? close : names.slice(0, namesTold);
        const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
        return `no session has the ${key} ${JSON.stringify(name)}; ${shown.length === 0 ? 'none has any' : `use ${shown.join(', ')}${more}`}`;
      });
  });
}
