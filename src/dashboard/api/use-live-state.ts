import { useSyncExternalStore } from 'react';
import { liveConnection, type LiveState } from './live-connection.js';

export const useLiveState = (): LiveState => useSyncExternalStore(liveConnection.listen, liveConnection.state);
