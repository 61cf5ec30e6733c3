import type { EventData } from '../../events/event-data.js';

/** What a session's own lines say about lines that were taken out of it. */
export interface Withdrawals {
  /** Chains accept that these are not here. One that was damaged or lost and comes back counts again. */
  readonly withdrawn: ReadonlySet<string>;
  /** These do not come back. */
  readonly redacted: ReadonlySet<string>;
}

export const noWithdrawals: Withdrawals = { withdrawn: new Set(), redacted: new Set() };

/** Those known, and those that these lines add; the same object where they add nothing. */
export function withWithdrawals(known: Withdrawals, lines: readonly EventData<'lines_withdrawn'>[]): Withdrawals {
  const withdrawn = new Set(known.withdrawn);
  const redacted = new Set(known.redacted);
  for (const { sums, reason } of lines) {
    for (const sum of sums) {
      withdrawn.add(sum);
      if (reason === 'redacted') redacted.add(sum);
    }
  }
  return withdrawn.size === known.withdrawn.size && redacted.size === known.redacted.size
    ? known
    : { withdrawn, redacted };
}
