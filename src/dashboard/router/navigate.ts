import { readRoute, type Route, writeRoute } from './route.js';

const listeners = new Set<() => void>();
let here: Route | undefined;

const seen = (): Route => readRoute(window.location.pathname, window.location.search);

function moved(): void {
  here = seen();
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', moved);

/** Goes to a place of the page. `replace` where going back should not return to this one. */
export function navigate(route: Route, { replace = false }: { readonly replace?: boolean } = {}): void {
  const address = writeRoute(route);
  if (address === window.location.pathname + window.location.search) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address);
  moved();
}

export function listenToRoute(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same object until somebody goes elsewhere. */
export function routeNow(): Route {
  here ??= seen();
  return here;
}
