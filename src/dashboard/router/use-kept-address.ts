import { useEffect } from 'react';
import { readRoute, type Route, writeRoute } from './route.js';
import { navigate } from './navigate.js';

/** The address follows when somebody has come to rest, in milliseconds. */
const rest = 350;

/** Keeps the address where somebody is, without a step back for each move. */
export function useKeptAddress(route: Route): void {
  const address = writeRoute(route);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      const [path = '', search = ''] = address.split('?');
      // Somebody has gone elsewhere, and what is there is still on its way.
      if (window.location.pathname !== path) return;
      navigate(readRoute(path, search), { replace: true });
    }, rest);
    return () => window.clearTimeout(timer);
  }, [address]);
}
