import { useState } from 'react';

/** A switch that this browser remembers; where it may keep nothing, for as long as the page is open. */
export function useRemembered(name: string): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      return window.localStorage.getItem(name) === 'on';
    } catch {
      // Storage is switched off.
      return false;
    }
  });
  const set = (next: boolean): void => {
    setOn(next);
    try {
      window.localStorage.setItem(name, next ? 'on' : 'off');
    } catch {
      // As above.
    }
  };
  return [on, set];
}
