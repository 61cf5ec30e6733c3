/** Where somebody is in the page. Every place has an address that can be kept and shared. */
export type Route =
  | { readonly view: 'sessions'; readonly query?: string }
  | {
      readonly view: 'session';
      readonly sessionId: string;
      readonly runId?: string;
      readonly nodeId?: string;
      readonly tab?: string;
    }
  | { readonly view: 'timeline'; readonly sessionId: string; readonly at?: number; readonly runId?: string }
  | {
      readonly view: 'state';
      readonly sessionId: string;
      readonly stateId?: string;
      readonly at?: number;
      readonly version?: string;
      readonly base?: string;
    }
  | { readonly view: 'compare'; readonly sessionId?: string; readonly a?: string; readonly b?: string }
  | { readonly view: 'workflows'; readonly query?: string }
  | { readonly view: 'workflow'; readonly workflowId: string }
  | { readonly view: 'catalogs'; readonly query?: string; readonly catalog?: string; readonly safety?: string }
  | { readonly view: 'catalog'; readonly catalogId: string }
  | { readonly view: 'command'; readonly catalogId: string; readonly command: string }
  | { readonly view: 'preferences' }
  | { readonly view: 'care' }
  | { readonly view: 'nowhere'; readonly path: string };

/** Views that have one place each. */
const singleViews = ['preferences', 'care'] as const;

export function readRoute(path: string, search: string): Route {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const asked = new URLSearchParams(search);
  const text: TextAt = (key, name = key) => {
    const value = asked.get(name);
    return value === null || value === '' ? {} : ({ [key]: value } as { readonly [k in typeof key]?: string });
  };
  const [first, second, third, fourth] = parts;
  if (first === undefined) return { view: 'sessions', ...text('query', 'q') };
  const inSession =
    first === 'sessions' && second !== undefined ? placeInSession(second, parts, asked, text) : undefined;
  if (inSession !== undefined) return inSession;
  if (first === 'compare' && parts.length === 1)
    return { view: 'compare', ...text('sessionId', 'session'), ...text('a'), ...text('b') };
  if (first === 'workflows')
    return second === undefined
      ? { view: 'workflows', ...text('query', 'q') }
      : // A workflow's id may hold slashes.
        { view: 'workflow', workflowId: parts.slice(1).join('/') };
  if (first === 'catalogs' && fourth === undefined) return amongCatalogs(second, third, text);
  const single = singleViews.find((view) => view === (first === 'maintenance' ? 'care' : first));
  if (single !== undefined && parts.length === 1) return { view: single };
  return { view: 'nowhere', path };
}

/** What an address says besides its path, by the name that a place has for it. */
type TextAt = <K extends string>(key: K, name?: string) => { readonly [k in K]?: string };

function placeInSession(
  sessionId: string,
  parts: readonly string[],
  asked: URLSearchParams,
  text: TextAt,
): Route | undefined {
  const [, , third, fourth] = parts;
  if (third === undefined) return { view: 'session', sessionId, ...text('tab') };
  if (third === 'runs' && fourth !== undefined && parts.length === 4)
    return { view: 'session', sessionId, runId: fourth, ...text('nodeId', 'node'), ...text('tab') };
  const place = Number(asked.get('at'));
  const at = asked.has('at') && Number.isInteger(place) ? { at: place } : {};
  if (third === 'timeline' && parts.length === 3)
    return { view: 'timeline', sessionId, ...at, ...text('runId', 'run') };
  return third === 'state' && parts.length === 3
    ? { view: 'state', sessionId, ...at, ...text('stateId', 'state'), ...text('version'), ...text('base') }
    : undefined;
}

function amongCatalogs(catalogId: string | undefined, command: string | undefined, text: TextAt): Route {
  if (catalogId === undefined)
    return { view: 'catalogs', ...text('query', 'q'), ...text('catalog'), ...text('safety') };
  return command === undefined ? { view: 'catalog', catalogId } : { view: 'command', catalogId, command };
}

/** The address of a place: `readRoute` gives the same place back. */
export function writeRoute(route: Route): string {
  const at = encodeURIComponent;
  switch (route.view) {
    case 'sessions':
      return withQuery('/', { q: route.query });
    case 'session': {
      const run = route.runId === undefined ? '' : `/runs/${at(route.runId)}`;
      return withQuery(`/sessions/${at(route.sessionId)}${run}`, {
        node: route.runId === undefined ? undefined : route.nodeId,
        tab: route.tab,
      });
    }
    case 'timeline':
      return withQuery(`/sessions/${at(route.sessionId)}/timeline`, { at: route.at?.toString(), run: route.runId });
    case 'state':
      return withQuery(`/sessions/${at(route.sessionId)}/state`, {
        state: route.stateId,
        at: route.at?.toString(),
        version: route.version,
        base: route.base,
      });
    case 'compare':
      return withQuery('/compare', { session: route.sessionId, a: route.a, b: route.b });
    case 'workflows':
      return withQuery('/workflows', { q: route.query });
    case 'workflow':
      return `/workflows/${route.workflowId.split('/').map(at).join('/')}`;
    case 'catalogs':
      return withQuery('/catalogs', { q: route.query, catalog: route.catalog, safety: route.safety });
    case 'catalog':
      return `/catalogs/${at(route.catalogId)}`;
    case 'command':
      return `/catalogs/${at(route.catalogId)}/${at(route.command)}`;
    case 'preferences':
      return '/preferences';
    case 'care':
      return '/care';
    case 'nowhere':
      return route.path;
  }
}

function withQuery(path: string, asked: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined && value !== '') search.set(name, value);
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone percent sign is part of the name.
    return part;
  }
}
