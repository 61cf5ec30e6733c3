import { closestName } from '../../base/closest-name.js';
import { own } from '../../base/own.js';
import type { Route } from './route.js';

/** A link to where somebody may have wanted to go. */
export interface WayOut {
  readonly to: Route;
  readonly says: string;
}

/** The first part of an address by which somebody may look for a view. */
const begins: Readonly<Record<string, WayOut>> = {
  sessions: { to: { view: 'sessions' }, says: 'All sessions' },
  workflows: { to: { view: 'workflows' }, says: 'All workflows' },
  catalogs: { to: { view: 'catalogs' }, says: 'All catalogs' },
  commands: { to: { view: 'catalogs' }, says: 'All catalogs' },
  preferences: { to: { view: 'preferences' }, says: 'Preferences' },
  settings: { to: { view: 'preferences' }, says: 'Preferences' },
  care: { to: { view: 'care' }, says: 'Maintenance' },
  maintenance: { to: { view: 'care' }, says: 'Maintenance' },
  doctor: { to: { view: 'care' }, says: 'Maintenance' },
};

/** Where somebody may go on whose address or name leads nowhere: what comes nearest, a search for it, the whole list. */
export function waysOut(from: Route, closest: readonly string[] = []): readonly WayOut[] {
  switch (from.view) {
    case 'workflow':
      return [
        ...closest.map((id): WayOut => ({ to: { view: 'workflow', workflowId: id }, says: `Did you mean ${id}?` })),
        { to: { view: 'workflows', query: from.workflowId }, says: `Search workflows for “${from.workflowId}”` },
        { to: { view: 'workflows' }, says: 'All workflows' },
      ];
    case 'catalog':
      return [
        ...closest.map((id): WayOut => ({ to: { view: 'catalog', catalogId: id }, says: `Did you mean ${id}?` })),
        allCatalogs,
      ];
    case 'command':
      return [
        ...closest.map((near): WayOut => ({ to: { ...from, command: near }, says: `Did you mean ${near}?` })),
        { to: { view: 'catalogs', query: from.command }, says: `Search commands for “${from.command}”` },
        allCatalogs,
      ];
    case 'nowhere':
      return ofPath(from.path);
    case 'session':
    case 'timeline':
    case 'state':
    case 'compare':
      return ofSession(from.sessionId ?? '', closest);
    case 'sessions':
    case 'workflows':
    case 'catalogs':
    case 'preferences':
    case 'care':
      return [{ to: { view: 'sessions' }, says: 'All sessions' }];
  }
}

const allCatalogs: WayOut = { to: { view: 'catalogs' }, says: 'All catalogs' };

const ofSession = (id: string, closest: readonly string[]): readonly WayOut[] => [
  ...closest.map((near): WayOut => ({ to: { view: 'session', sessionId: near }, says: `Did you mean ${near}?` })),
  ...(id === '' ? [] : [searchFor(id)]),
  { to: { view: 'sessions' }, says: 'All sessions' },
];

const searchFor = (words: string): WayOut => ({
  to: { view: 'sessions', query: words },
  says: `Search sessions for “${words}”`,
});

function ofPath(path: string): readonly WayOut[] {
  const [first = '', second] = path
    .split('/')
    .filter((part) => part !== '')
    .map(plain);
  const name = closestName(first, Object.keys(begins));
  const view = name === undefined ? undefined : own(begins, name);
  // A letter off in the first part: the second still names what was wanted.
  const named: readonly WayOut[] =
    second === undefined
      ? []
      : name === 'sessions'
        ? [{ to: { view: 'session', sessionId: second }, says: `Did you mean session ${second}?` }]
        : name === 'workflows'
          ? [{ to: { view: 'workflow', workflowId: second }, says: `Did you mean workflow ${second}?` }]
          : [];
  const words = second ?? first;
  const all: readonly WayOut[] = [
    ...named,
    ...(view === undefined ? [] : [view]),
    ...(words === '' ? [] : [searchFor(words)]),
    { to: { view: 'sessions' }, says: 'All sessions' },
    { to: { view: 'workflows' }, says: 'All workflows' },
  ];
  return all.filter(({ says }, index) => all.findIndex((other) => other.says === says) === index);
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone percent sign is part of the name.
    return part;
  }
}
