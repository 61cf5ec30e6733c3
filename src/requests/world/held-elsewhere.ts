import type { RunId } from '../../base/ids.js';
import type { HeldBy } from '../../contract/held-by.js';
import type { Place } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';

/** Who holds a run and is not seen from here: whether it has ended nobody here can tell. */
export function heldElsewhere(
  { store, host: here }: Pick<Environment, 'store' | 'host'>,
  { place }: { readonly place: Place },
  run: RunId,
): HeldBy | undefined {
  const holder = store.running.holder(place, run);
  if (holder === undefined || holder.isSeen) return undefined;
  const { host, since } = holder;
  return {
    ...(host !== undefined && { host }),
    ...(host === here && { isContainer: true as const }),
    ...(since !== undefined && { since }),
  };
}

/** Whether a process that is seen from here goes on with a run. */
export const isDriven = (
  { store }: Pick<Environment, 'store'>,
  { place }: { readonly place: Place },
  run: RunId,
): boolean => store.running.holder(place, run)?.isSeen === true;
