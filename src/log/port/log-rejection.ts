import type { Finding } from './finding.js';

/** Why nothing was acknowledged. */
export interface LogRejection {
  readonly code: 'SESSION_BUSY' | 'SESSION_DAMAGED' | 'SESSION_NEWER_FORMAT' | 'SESSION_CHANGED' | 'STORAGE_FAULT';
  readonly message: string;
  readonly retryable: boolean;
  /** A fault of storage after bytes may have gone out: nobody can know whether the lines will last. */
  readonly inDoubt?: true;
  readonly retryAfterMs?: number;
  readonly finding?: Finding;
}
