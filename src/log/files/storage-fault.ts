import { refusalOf } from '../../files/fault-reason.js';
import type { LogRejection } from '../port/log-rejection.js';

/**
 * A fault of the file system as an answer. Whoever is told `doubt` knows that the lines may come back; anything that is
 * no fault of the file system is ours and goes on being thrown.
 */
export function storageFault(cause: unknown, doing: string, outcome: 'doubt' | 'nothing written'): LogRejection {
  const message = refusalOf(cause, doing);
  if (message === undefined) throw cause;
  return {
    code: 'STORAGE_FAULT',
    message,
    retryAfterMs: 1000,
    ...(outcome === 'doubt' && { inDoubt: true as const }),
  };
}
