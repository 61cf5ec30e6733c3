import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { LiveMessages } from '../../contract/live-messages.js';
import type { SessionListed, SessionsPage } from '../../contract/session-list.js';
import { isByTime, isByTook, parseSearch } from '../../contract/session-search.js';
import { InCode } from '../parts/in-code.js';
import { queries } from '../api/queries.js';
import { queryClient } from '../api/query-client.js';
import { liveConnection } from '../api/live-connection.js';
import { useRemembered } from '../parts/remembered.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { FilterBar } from '../sessions/filter-bar.js';
import { SessionBoard } from '../sessions/session-board.js';
import { SessionsSkeleton } from '../sessions/sessions-skeleton.js';
import { UnreadableSessions } from '../sessions/unreadable-sessions.js';
import { ConnectAgent, WaysIn } from '../sessions/ways-in.js';
import { NotifySwitch } from '../waiting/notify.js';
import { WaitingGroup } from '../waiting/waiting-group.js';
import '../sessions/sessions.css';

const counted = new Intl.NumberFormat('en-GB');

/** All sessions here, the newest work first, or what is searched for. */
export function SessionsView({ query }: { readonly query: string }) {
  const asked = useInfiniteQuery({
    ...queries.sessions(query),
    refetchInterval: ({ state }) => (state.data?.pages.at(-1)?.reading === undefined ? false : 700),
  });
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData } = asked;
  const sessions = useMemo(() => data?.pages.flatMap((page) => page.sessions) ?? [], [data]);
  const news = useNews(query, sessions);
  const [dense, setDense] = useRemembered('compact rows');
  const { words, byDay, byTook } = useMemo(() => {
    const search = parseSearch(query);
    return { words: search.words.trim(), byDay: isByTime(search), byTook: isByTook(search) };
  }, [query]);
  const settled = useSettled(words);
  if (data === undefined)
    return error === null ? <SessionsSkeleton /> : <FailureNotice error={error} retry={() => void refetch()} />;
  const [first] = data.pages;
  const last = data.pages.at(-1);
  if (first === undefined || last === undefined) return <SessionsSkeleton />;
  if (last.here === 0 && query === '') {
    return (
      <StateNotice kind="empty" title="No sessions yet">
        <p>A session appears here as soon as an agent starts a workflow, and you can follow each step.</p>
        <WaysIn />
      </StateNotice>
    );
  }
  const found = Math.max(last.found, sessions.length);
  return (
    <div className="sessions-view" data-query={query} aria-busy={isPlaceholderData}>
      <header className="sessions-head">
        <h1>{words === '' ? 'Sessions' : `Sessions with “${words}”`}</h1>
        <p className="quiet figures" role="status">
          {query === ''
            ? `${counted.format(found)} in total`
            : `${counted.format(found)} of ${counted.format(last.here)}`}
          {last.reading === undefined
            ? ''
            : `; loading, ${counted.format(last.reading.done)} of ${counted.format(last.reading.of)} so far`}
        </p>
        {news.count === 0 ? null : (
          <button type="button" className="news-pill" onClick={news.show}>
            {news.count === 1 ? '1 session updated' : `${news.count} sessions updated`}
          </button>
        )}
        <NotifySwitch />
        <ConnectAgent />
      </header>
      <WaitingGroup />
      <div className="sessions-beside">
        <FilterBar query={query} values={first.filters} dense={dense} onDense={setDense} />
        <Told told={first.told} />
        <UnreadableSessions unreadable={first.unreadable} />
      </div>
      {found === 0 && last.reading !== undefined ? (
        <Skeleton what="the sessions" lines={5} />
      ) : found === 0 ? (
        <div className="nothing-found">
          <p>
            No session matches.{' '}
            {words === ''
              ? 'Remove a filter to see more.'
              : 'Search covers titles, ids, notes, branches, workflows and steps.'}
          </p>
          <Link to={{ view: 'sessions' }}>All sessions</Link>
        </div>
      ) : (
        <SessionBoard
          sessions={sessions}
          found={found}
          searching={isPlaceholderData}
          listKey={query}
          byDay={byDay}
          byTook={byTook}
          dense={dense}
          words={words === '' ? undefined : settled === words ? words : ''}
          more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
          onStill={news.setStill}
        />
      )}
    </div>
  );
}

/** What of the search could not be taken as it was typed. */
function Told({ told }: { readonly told: SessionsPage['told'] | undefined }) {
  return told === undefined ? null : (
    <div role="status">
      <ul className="search-told small">
        {told.map((line) => (
          <li key={line}>
            <InCode text={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Rows are not asked for their hits while somebody types: the next letter would wait behind them. */
const pauseMs = 400;

function useSettled(words: string): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(words), pauseMs);
    return () => window.clearTimeout(timer);
  }, [words]);
  return settled;
}

/** Sessions that moved up while somebody reads: told and not shuffled, unless nobody is reading. */
function useNews(
  query: string,
  sessions: readonly SessionListed[],
): { readonly count: number; readonly show: () => void; readonly setStill: (still: boolean) => void } {
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [still, setStill] = useState(true);
  const [seen, setSeen] = useState(query);
  if (seen !== query) {
    setSeen(query);
    setWaiting(new Set());
  }
  const show = (): void => {
    setWaiting(new Set());
    const { queryKey } = queries.sessions(query);
    // Only what is at the top is asked for again; the rest follows as it is scrolled to.
    queryClient.setQueryData(queryKey, (data) =>
      data === undefined ? data : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void queryClient.invalidateQueries({ queryKey });
  };
  const tell = useEffectEvent(({ sessionId, gone }: LiveMessages['session']) => {
    if (sessions[0]?.sessionId === sessionId && !gone) return;
    if (still) show();
    else setWaiting((now) => new Set([...now, sessionId]));
  });
  useEffect(() => liveConnection.onSession((told) => tell(told)), []);
  return { count: waiting.size, show, setStill };
}
