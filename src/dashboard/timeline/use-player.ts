import { useEffect, useEffectEvent, useState } from 'react';

export interface Player {
  readonly playing: boolean;
  readonly speed: number;
  readonly toggle: () => void;
  readonly setSpeed: (speed: number) => void;
}

export const speeds: readonly number[] = [1, 4, 16];

/** Milliseconds for one event, at the first speed. */
const beat = 800;

/** Goes from one event to the next until the end, or until somebody stops it. */
export function usePlayer(at: number, last: number, onMove: (index: number) => void): Player {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const step = useEffectEvent(() => {
    if (at >= last) setPlaying(false);
    else onMove(at + 1);
  });
  useEffect(() => {
    if (!playing) return undefined;
    const timer = window.setInterval(() => step(), beat / speed);
    return () => window.clearInterval(timer);
  }, [playing, speed]);
  const toggle = (): void => {
    // From its end it begins anew.
    if (!playing && at >= last) onMove(0);
    setPlaying(!playing);
  };
  return { playing, speed, toggle, setSpeed };
}
