import { errorCode, isSystemCode, reasonOf } from '../../files/fault-reason.js';
import type { LogRejection } from '../port/log-rejection.js';

/**
 * A fault of the file system as an answer. Whoever is told `doubt` knows that the lines may come back; anything that is
 * no fault of the file system is ours and goes on being thrown.
 */
export function storageFault(cause: unknown, doing: string, outcome: 'doubt' | 'nothing written'): LogRejection {
  const code = errorCode(cause);
  if (!isSystemCode(code)) throw cause;
  const why = `${reasonOf(code)} (${code})`;
  return {
    code: 'STORAGE_FAULT',
    message: `Could not ${doing}: ${why}`,
    retryable: true,
    retryAfterMs: 1000,
    ...(outcome === 'doubt' && { inDoubt: true as const }),
  };
}
