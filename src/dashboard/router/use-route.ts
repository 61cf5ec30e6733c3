import { useSyncExternalStore } from 'react';
import { listenToRoute, routeNow } from './navigate.js';
import type { Route } from './route.js';

export const useRoute = (): Route => useSyncExternalStore(listenToRoute, routeNow);
