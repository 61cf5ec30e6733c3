import { useKeys } from '../keys/use-keys.js';

export interface MomentKeys {
  readonly at: number;
  readonly last: number;
  readonly onMove: (index: number) => void;
  readonly toggle: () => void;
  /** What one moment is called. */
  readonly one: string;
}

/** The keys that go through time; a view lists them under its title. */
export function useMomentKeys(title: string, { at, last, onMove, toggle, one }: MomentKeys): void {
  useKeys(title, [
    { keys: ' ', says: 'Play or pause', run: toggle },
    { keys: 'ArrowLeft', says: `Previous ${one}`, run: () => onMove(at - 1) },
    { keys: 'ArrowRight', says: `Next ${one}`, run: () => onMove(at + 1) },
    { keys: 'PageUp', says: `Back 10 ${one}s`, run: () => onMove(at - 10) },
    { keys: 'PageDown', says: `Forward 10 ${one}s`, run: () => onMove(at + 10) },
    { keys: 'Home', says: 'Go to the start', run: () => onMove(0) },
    { keys: 'End', says: 'Go to the end', run: () => onMove(last) },
  ]);
}
