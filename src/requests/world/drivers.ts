/** What of this process does steps of its own: each run once, whoever asks for it. */
export interface Drivers {
  /** Does it, unless it is being done: then waits for that. */
  drive<T>(run: string, work: (signals: Signals) => Promise<T>): Promise<T>;
  /** Aborted at the end of the process: from then on nothing is done, however often it is asked for. */
  readonly ended: AbortSignal;
  /** Ends what waits and what only reads at once, and everything after a while. */
  close(): Promise<void>;
}

export interface Signals {
  /** Nothing new is begun, and what only reads ends. */
  readonly end: AbortSignal;
  /** What changes something outside is not waited for any longer. */
  readonly hard: AbortSignal;
}

/** How long the end of the process waits for a request that changes something. */
const patienceMs = 10_000;

export function openDrivers(): Drivers {
  const running = new Map<string, Promise<unknown>>();
  const end = new AbortController();
  const hard = new AbortController();
  return {
    ended: end.signal,
    drive: <T>(run: string, work: (signals: Signals) => Promise<T>): Promise<T> => {
      const going = running.get(run) as Promise<T> | undefined;
      if (going !== undefined) return going;
      const begun = work({ end: end.signal, hard: hard.signal }).finally(() => running.delete(run));
      running.set(run, begun);
      return begun;
    },
    close: async () => {
      end.abort();
      if (running.size === 0) return;
      const late = setTimeout(() => hard.abort(), patienceMs);
      await Promise.allSettled(running.values());
      clearTimeout(late);
    },
  };
}
