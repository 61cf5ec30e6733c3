import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { connect, useLiveState } from './api/live-connection.js';
import { queries } from './api/queries.js';
import { useKeys } from './keys/use-keys.js';
import { Button } from './parts/button.js';
import { KeyHint } from './parts/key-hint.js';
import { Link } from './router/link.js';
import { navigate } from './router/navigate.js';
import type { Route } from './router/route.js';
import { sessionName } from './session/session-name.js';

/** Where we are, the search, whether what is shown is live. */
export function TopBar({ route, onHelp }: { readonly route: Route; readonly onHelp: () => void }) {
  const inWorkflows = viewSearched(route) === 'workflows' || viewSearched(route) === 'catalogs';
  return (
    <header className="top-bar">
      <Link to={{ view: 'sessions' }} className="word-mark" aria-label="WorkRail, all sessions">
        <Mark />
        WorkRail
      </Link>
      <nav aria-label="Main">
        <Link
          to={{ view: 'sessions' }}
          aria-current={
            route.view === 'sessions' ? 'page' : 'sessionId' in route || route.view === 'compare' ? 'true' : undefined
          }
        >
          Sessions
        </Link>
        <Link
          to={{ view: 'workflows' }}
          aria-current={route.view === 'workflows' ? 'page' : inWorkflows ? 'true' : undefined}
        >
          Workflows
        </Link>
        <Link to={{ view: 'preferences' }} aria-current={route.view === 'preferences' ? 'page' : undefined}>
          Preferences
        </Link>
        <Link to={{ view: 'care' }} aria-current={route.view === 'care' ? 'page' : undefined}>
          Maintenance
        </Link>
        <Where route={route} />
      </nav>
      <SearchBox route={route} />
      <LiveSign />
      <Button look="bare" onClick={onHelp} label="Keys">
        <KeyHint keys="?" />
      </Button>
    </header>
  );
}

/** A line, and a branch that leaves it. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M7 1v20M7 15C7 9 15 12 15 5V3" fill="none" stroke="var(--accent)" strokeWidth="3" />
      <circle cx="15" cy="4" r="3" fill="var(--paper)" stroke="var(--accent)" strokeWidth="2" />
    </svg>
  );
}

function Where({ route }: { readonly route: Route }) {
  const sessionId = 'sessionId' in route ? route.sessionId : undefined;
  const { data } = useQuery({ ...queries.session(sessionId ?? ''), enabled: sessionId !== undefined });
  const name = sessionId === undefined ? placeNamed(route) : data === undefined ? sessionId : sessionName(data);
  return name === undefined ? null : (
    <span className="where">
      <span className="one-line" title={name}>
        {name}
      </span>
    </span>
  );
}

function placeNamed(route: Route): string | undefined {
  if (route.view === 'workflow') return route.workflowId;
  if (route.view === 'catalog') return route.catalogId;
  return route.view === 'command' ? `${route.catalogId} ${route.command}` : undefined;
}

type Searched = 'sessions' | 'workflows' | 'catalogs';

function viewSearched({ view }: Route): Searched {
  if (view === 'workflows' || view === 'workflow') return 'workflows';
  return view === 'catalogs' || view === 'catalog' || view === 'command' ? 'catalogs' : 'sessions';
}

const searchWords: Readonly<Record<Searched, string>> = {
  sessions: 'Search sessions',
  workflows: 'Search workflows',
  catalogs: 'Search commands',
};

/** Lists that are here are searched with each letter, at once; commands of many APIs when somebody pauses. */
const pauseMs: Readonly<Record<Searched, number>> = { sessions: 0, workflows: 0, catalogs: 120 };

/** Where the words lead; what the commands are filtered by stays. */
function searchRoute(view: Searched, route: Route, words: string): Route {
  const query = words === '' ? {} : { query: words };
  if (view !== 'catalogs') return { view, ...query };
  if (route.view === 'catalogs') {
    const { catalog, safety } = route;
    return { view, ...query, ...(catalog !== undefined && { catalog }), ...(safety !== undefined && { safety }) };
  }
  return { view, ...query, ...(route.view === 'catalog' && { catalog: route.catalogId }) };
}

/** One search for the whole page: in the library it looks for workflows, among catalogs for commands, everywhere else for sessions. */
function SearchBox({ route }: { readonly route: Route }) {
  const view = viewSearched(route);
  const asked = route.view === view ? (route.query ?? '') : '';
  const [words, setWords] = useState(asked);
  const box = useRef<HTMLInputElement>(null);
  const [seen, setSeen] = useState(asked);
  if (seen !== asked) {
    // Somebody went back, or followed a link.
    setSeen(asked);
    setWords(asked);
  }
  useKeys('Everywhere', [{ keys: '/', says: 'Search this list', run: () => box.current?.select() }]);
  const search = (sought: string): void => {
    setSeen(sought);
    navigate(searchRoute(view, route, sought), { replace: route.view === view });
  };
  const searchLater = useEffectEvent(() => search(words));
  useEffect(() => {
    if (words === asked) return undefined;
    const timer = window.setTimeout(searchLater, pauseMs[view]);
    return () => window.clearTimeout(timer);
  }, [words, asked, view, route]);
  const type = (typed: string): void => {
    setWords(typed);
    if (pauseMs[view] === 0) search(typed);
  };
  return (
    <div className="search-box" role="search">
      <input
        ref={box}
        type="search"
        value={words}
        placeholder={searchWords[view]}
        aria-label={searchWords[view]}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => (event.key === 'Enter' || event.key === 'ArrowDown' ? leaveBox(event) : undefined)}
        spellCheck={false}
        autoComplete="off"
      />
      <KeyHint keys="/" />
    </div>
  );
}

/** From the search into what it found. */
function leaveBox(event: React.KeyboardEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('[data-found]')?.focus();
}

function LiveSign() {
  const state = useLiveState();
  if (state.is === 'live') {
    return (
      <span className="live-state" role="status" title="This page updates as the log is written">
        <span className="lamp" aria-hidden="true" />
        <span className="words steady">Live</span>
      </span>
    );
  }
  if (state.is === 'connecting') {
    return (
      <span className="live-state waiting" role="status">
        <span className="lamp" aria-hidden="true" />
        <span className="words">Connecting</span>
      </span>
    );
  }
  return (
    <button type="button" className="live-state lost" onClick={connect}>
      <span className="lamp" aria-hidden="true" />
      <span className="words">Try again</span>
    </button>
  );
}
