import { useSyncExternalStore } from 'react';
import { listeners } from '../api/listeners.js';

let said = '';
const { listen, tell } = listeners();

/** Says something to who listens to the page instead of looking at it. */
export function announce(words: string): void {
  // The same words twice are read out only when something differs.
  said = said === words ? `${words}\u00A0` : words;
  tell();
}

export function Announcer() {
  const words = useSyncExternalStore(listen, () => said);
  return (
    <div className="for-readers-only" aria-live="polite">
      {words}
    </div>
  );
}
