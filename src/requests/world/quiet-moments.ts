export interface QuietMoments {
  /** A call has come; gives back what to do when it is answered. */
  begin(): () => void;
  close(): Promise<void>;
}

/** Does some work whenever nobody has called for that long. The work ends early once it is told not to go on. */
export function atQuietMoments(quietMs: number, work: (goOn: () => boolean) => Promise<void>): QuietMoments {
  let [calls, underWay, seen] = [0, 0, -1];
  let working: Promise<void> | undefined;
  let closed = false;
  const clock = setInterval(() => {
    const quiet = underWay === 0 && calls === seen;
    seen = calls;
    if (!quiet || working !== undefined) return;
    working = work(() => !closed && calls === seen && underWay === 0).finally(() => {
      working = undefined;
    });
  }, quietMs);
  clock.unref();
  return {
    begin: () => {
      calls += 1;
      underWay += 1;
      return () => {
        underWay -= 1;
      };
    },
    close: async () => {
      closed = true;
      clearInterval(clock);
      await working;
    },
  };
}
