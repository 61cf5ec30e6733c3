import { errorText } from '../../base/error-text.js';
import type { ClaimedName } from '../../log/port/store-running.js';
import type { Place } from '../../log/port/session-ref.js';
import { isOpen } from '../../sessions/run-status.js';
import type { Environment } from '../world/environment.js';

/** What becomes of claims and notes once sessions were taken away, or runs ended long ago. */
export interface ClaimsToPrune {
  /** Runs of sessions that were taken away. */
  readonly gone: ReadonlySet<string>;
  /** What nobody used since then may go; undefined where only those are meant. */
  readonly before: string | undefined;
}

/**
 * Forgets who drove runs that are gone, and, of those that ended, what is of no use to anybody any more. What a plan was
 * spent on is kept as long as its run is: it is spent once.
 */
export async function pruneClaims(env: Environment, { gone, before }: ClaimsToPrune): Promise<void> {
  const isOld = ({ at }: ClaimedName): boolean => before !== undefined && at < Date.parse(before);
  const { running, places } = env.store;
  for (const place of places)
    for (const one of running.claimed(place)) {
      const { run, isPlan } = runOf(one);
      const stands = gone.has(run) ? 'gone' : isOld(one) ? await standing(env, place, one, run) : 'open';
      if (stands === 'gone' || (stands === 'ended' && !isPlan)) running.forget(place, one.name);
    }
}

/** A run is claimed by its id, found by a note of its session, told as over under its tasks, and noted under the plan that it was begun with. */
function runOf({ name, noted = '' }: ClaimedName): { readonly run: string; readonly isPlan: boolean } {
  const own = /^(run_[^.]*)(?:\.|$)/u.exec(name)?.[1];
  return own === undefined ? { run: noted, isPlan: true } : { run: own, isPlan: false };
}

/** Of what cannot be read nobody knows: it counts as open. */
async function standing(
  { store, log }: Environment,
  place: Place,
  { name, noted, of }: ClaimedName,
  run: string,
): Promise<'open' | 'ended' | 'gone'> {
  const session = of ?? (name.endsWith('.in') ? noted : store.running.noted(place, `${run}.in`));
  if (session === undefined) return 'open';
  try {
    const ref = await store.find(session);
    if (ref === undefined) return 'gone';
    return await store.glance(ref).read(({ state, findings }) => {
      const known = [...state.runs.values()].find(({ id }) => id === run);
      if (known === undefined) return findings.length > 0 ? 'open' : 'gone';
      const isStillOpen = [...known.tips].some((id) => isOpen(state, { ...known, preferredTip: id }));
      return isStillOpen || findings.length > 0 ? 'open' : 'ended';
    });
  } catch (cause) {
    log(`claims of ${run}: ${errorText(cause)}`);
    return 'open';
  }
}
