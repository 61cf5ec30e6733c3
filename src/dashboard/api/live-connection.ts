import type { InfiniteData } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { LiveMessages } from '../../contract/live-messages.js';
import type { SessionsPage } from '../../contract/session-list.js';
import { listeners } from './listeners.js';
import { queryClient } from './query-client.js';

export type LiveState =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** Since when, and why where the server said so. */
  | { readonly is: 'lost'; readonly since: number; readonly why?: string };

type SessionTold = LiveMessages['session'];

/** Asking again for a session that changes many times a second is held to this many milliseconds. */
const pace = 250;
const patience = [1000, 2000, 4000, 8000] as const;

let source: EventSource | undefined;
let state: LiveState = { is: 'connecting' };
let why: string | undefined;
let tries = 0;
let timer: number | undefined;
const watchers = listeners();
const sessionWatchers = listeners<[told: SessionTold]>();
const changed = new Map<string, number>();

function become(next: LiveState): void {
  state = next;
  watchers.tell();
}

function lost(): void {
  become({ is: 'lost', since: state.is === 'lost' ? state.since : Date.now(), ...(why !== undefined && { why }) });
  // The browser tries again by itself unless it was turned away for good.
  if (source?.readyState !== EventSource.CLOSED) return;
  window.clearTimeout(timer);
  timer = window.setTimeout(connect, patience[Math.min(tries, patience.length - 1)]);
  tries += 1;
}

/** Opens the live stream, once, and again when somebody asks. */
export function connect(): void {
  source?.close();
  window.clearTimeout(timer);
  source = new EventSource('/api/events');
  source.addEventListener('ready', (event) => ready(JSON.parse(event.data as string) as LiveMessages['ready']));
  source.addEventListener('session', (event) => sessionChanged(JSON.parse(event.data as string) as SessionTold));
  source.addEventListener('stopped', (event) => {
    why = (JSON.parse(event.data as string) as LiveMessages['stopped']).message;
  });
  source.addEventListener('error', lost);
}

function ready({ reset }: LiveMessages['ready']): void {
  // Whatever happened while nobody listened is asked for again.
  if (reset || state.is === 'lost') void queryClient.invalidateQueries();
  why = undefined;
  tries = 0;
  become({ is: 'live' });
}

function sessionChanged(told: SessionTold): void {
  if (told.head !== undefined) showInLists(told);
  sessionWatchers.tell(told);
  if (changed.has(told.sessionId)) return;
  const settle = (): void => {
    changed.delete(told.sessionId);
    void queryClient.invalidateQueries({ queryKey: ['session', told.sessionId] });
  };
  changed.set(told.sessionId, window.setTimeout(settle, pace));
}

/** A session that is listed changes where it stands in the list; whether the list is put in order again is for its reader to say. */
function showInLists({ sessionId, head }: SessionTold): void {
  queryClient.setQueriesData<InfiniteData<SessionsPage>>({ queryKey: ['sessions'] }, (lists) => {
    if (lists === undefined || head === undefined) return lists;
    let found = false;
    const pages = lists.pages.map((page) => {
      const index = page.sessions.findIndex(
        (listed) => listed.sessionId === sessionId && listed.folder === head.folder,
      );
      if (index < 0) return page;
      found = true;
      const why = page.sessions[index]?.why;
      return { ...page, sessions: page.sessions.with(index, { ...head, ...(why !== undefined && { why }) }) };
    });
    return found ? { ...lists, pages } : lists;
  });
}

export const liveConnection = {
  listen: watchers.listen,
  state: (): LiveState => state,
  /** Called with each session that is new, has changed or is gone. */
  onSession: sessionWatchers.listen,
};

export const useLiveState = (): LiveState => useSyncExternalStore(liveConnection.listen, liveConnection.state);
