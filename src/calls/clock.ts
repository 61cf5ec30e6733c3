/** The time, and waiting for it. */
export interface Clock {
  readonly now: () => number;
  /** Does something later; what it gives back takes that back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Tells how long ago it began; a clock that is set back meanwhile gives no less than nothing. */
export function watchOf(clock: Clock): () => number {
  const began = clock.now();
  return () => Math.max(0, clock.now() - began);
}

/** Waits; false where the signal ended it. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => {
      takeBack();
      resolve(false);
    };
    const takeBack = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that ends with another, or when the time is over. */
export function timeLimit(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly isOver: () => boolean; readonly end: () => void } {
  const controller = new AbortController();
  let isOver = false;
  const stop = (): void => controller.abort();
  const takeBack = clock.after(ms, () => {
    isOver = true;
    stop();
  });
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end: () => {
      takeBack();
      signal?.removeEventListener('abort', stop);
    },
  };
}
