import { useState } from 'react';

export interface Held<Value> {
  readonly value: Value | undefined;
  /** Newer than what is shown. */
  readonly isNewer: boolean;
  readonly show: () => void;
}

/** What somebody has begun to read does not change under their eyes: what came since is shown when they say so. */
export function useHeld<Value>(key: string, newest: Value | undefined): Held<Value> {
  const [held, setHeld] = useState<{ readonly key: string; readonly value: Value | undefined }>({ key, value: newest });
  const fits = held.key === key && held.value !== undefined;
  if (!fits && (held.key !== key || newest !== undefined)) setHeld({ key, value: newest });
  const value = fits ? held.value : newest;
  return {
    value,
    isNewer: value !== undefined && newest !== undefined && newest !== value,
    show: () => setHeld({ key, value: undefined }),
  };
}
