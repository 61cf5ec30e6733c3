import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { LiveMessages } from '../../contract/live-messages.js';
import type { SessionListed } from '../../contract/session-list.js';
import { queries } from '../api/queries.js';
import { queryClient } from '../api/query-client.js';
import { liveConnection } from '../api/live-connection.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice, StateNotice } from '../parts/state-notice.js';
import { SessionBoard } from '../sessions/session-board.js';
import { SessionsSkeleton } from '../sessions/sessions-skeleton.js';
import { UnreadableSessions } from '../sessions/unreadable-sessions.js';
import { ConnectAgent, WaysIn } from '../sessions/ways-in.js';
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
  if (data === undefined)
    return error === null ? <SessionsSkeleton /> : <FailureNotice error={error} retry={() => void refetch()} />;
  const [first] = data.pages;
  const last = data.pages.at(-1);
  if (first === undefined || last === undefined) return <SessionsSkeleton />;
  if (last.here === 0 && query === '') {
    return (
      <StateNotice kind="empty" title="No sessions yet">
        <p>
          A session begins when an agent starts a workflow. It shows up here by itself, and you can watch each step as
          it is done.
        </p>
        <WaysIn />
      </StateNotice>
    );
  }
  const found = Math.max(last.found, sessions.length);
  return (
    <div className="sessions-view">
      <header className="sessions-head">
        <h1>{query === '' ? 'Sessions' : `Sessions with “${query}”`}</h1>
        <p className="quiet figures" role="status">
          {query === ''
            ? `${counted.format(found)} here, the newest work first`
            : `${counted.format(found)} of ${counted.format(last.here)}`}
          {last.reading === undefined
            ? ''
            : `; reading, ${counted.format(last.reading.done)} of ${counted.format(last.reading.of)} so far`}
        </p>
        {news.count === 0 ? null : (
          <button type="button" className="news-pill" onClick={news.show}>
            {news.count === 1 ? '1 session has news' : `${news.count} sessions have news`}
          </button>
        )}
        <ConnectAgent />
      </header>
      <UnreadableSessions unreadable={first.unreadable} />
      {found === 0 && last.reading !== undefined ? (
        <Skeleton what="the sessions" lines={5} />
      ) : found === 0 ? (
        <div className="nothing-found">
          <p>
            Nothing here matches. Words are looked for in titles, ids, notes, branches, workflows and steps; each of
            them must be found.
          </p>
        </div>
      ) : (
        <SessionBoard
          sessions={sessions}
          found={found}
          searching={isPlaceholderData}
          listKey={query}
          more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
          onStill={news.setStill}
        />
      )}
    </div>
  );
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
