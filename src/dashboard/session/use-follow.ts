import { useEffect, useRef } from 'react';

export interface Following {
  /** What is newest now; absent until it is known. */
  readonly newest: string | undefined;
  /** What is shown; absent until something is chosen. */
  readonly shown: string | undefined;
  /** Somebody wants to stay where they are. */
  readonly off: boolean;
  readonly go: (to: string) => void;
}

/** While the newest is shown, what becomes newest takes its place; who has chosen another stays there. Says whether that is so now. */
export function useFollow({ newest, shown, off, go }: Following): boolean {
  const before = useRef(newest);
  useEffect(() => {
    const last = before.current;
    before.current = newest;
    if (newest !== undefined && (shown === undefined || (!off && last !== newest && shown === last))) go(newest);
  }, [newest, shown, off, go]);
  return !off && newest !== undefined && (shown === undefined || shown === newest);
}
