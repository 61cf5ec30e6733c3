import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveConnection } from '../api/live-connection.js';
import { queries } from '../api/queries.js';
import { useNotices } from './notify.js';
import { useTabSign } from './tab-sign.js';
import { useWaiting } from './use-waiting.js';

/** Asking again while many sessions change is held to this many milliseconds. */
const pace = 150;

/** Whatever view is open: what waits is asked again when it changes, counted in the tab, and told as it comes. */
export function WaitingSign() {
  const client = useQueryClient();
  const told = useWaiting();
  useEffect(() => {
    let timer: number | undefined;
    const { queryKey } = queries.waiting();
    const stop = liveConnection.onSession(({ sessionId, head }) => {
      const here = client.getQueryData(queryKey);
      const waited = here?.rows.some((row) => row.sessionId === sessionId) === true || here?.more !== undefined;
      if (!waited && head?.waitsSince === undefined) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey });
      }, pace);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [client]);
  useTabSign(told === undefined ? 0 : told.rows.length + (told.more ?? 0));
  useNotices(told?.rows);
  return null;
}
