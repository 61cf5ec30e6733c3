import { useSyncExternalStore } from 'react';

let said = '';
const listeners = new Set<() => void>();

/** Says something to who listens to the page instead of looking at it. */
export function announce(words: string): void {
  // The same words twice are read out only when something differs.
  said = said === words ? `${words}\u00A0` : words;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer() {
  const words = useSyncExternalStore(listen, () => said);
  return (
    <div className="for-readers-only" aria-live="polite">
      {words}
    </div>
  );
}
