import { useSyncExternalStore } from 'react';
import { listeners } from '../api/listeners.js';
import { readRoute, type Route, writeRoute } from './route.js';

const { listen, tell } = listeners();
let here: Route | undefined;

const seen = (): Route => readRoute(window.location.pathname, window.location.search);

function moved(): void {
  here = seen();
  tell();
}

window.addEventListener('popstate', moved);

/** Goes to a place of the page. `replace` where going back should not return to this one. */
export function navigate(route: Route, { replace = false }: { readonly replace?: boolean } = {}): void {
  const address = writeRoute(route);
  if (address === window.location.pathname + window.location.search) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address);
  moved();
}

/** The same object until somebody goes elsewhere. */
export const useRoute = (): Route => useSyncExternalStore(listen, () => (here ??= seen()));
