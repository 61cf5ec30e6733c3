import type { RunHead, SessionHead } from '../../contract/session-story.js';

/** It ended before its last step. */
export const isStopped = (status: RunHead['status']): boolean => status === 'failed' || status === 'canceled';

/** Where the work stands: one that is blocked before one that waits, before one that is done; of each the newest work. */
export function standingRun({ runs }: Pick<SessionHead, 'runs'>): RunHead | undefined {
  const rank = ({ status, pending }: RunHead): number =>
    status === 'blocked' ? 2 : pending === null || isStopped(status) ? 0 : 1;
  return runs.reduce<RunHead | undefined>((best, run) => {
    if (best === undefined) return run;
    const by = rank(run) - rank(best);
    return by > 0 || (by === 0 && run.lastAt >= best.lastAt) ? run : best;
  }, undefined);
}
