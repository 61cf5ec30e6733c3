import { useEffect, useEffectEvent } from 'react';
import type { LiveMessages } from '../../contract/live-messages.js';
import { liveConnection } from './live-connection.js';

/** Tells of each session that is new, has changed or is gone, whoever wrote to it. */
export function useSessionNews(tell: (told: LiveMessages['session']) => void): void {
  const told = useEffectEvent(tell);
  useEffect(() => liveConnection.onSession((news) => told(news)), []);
}
