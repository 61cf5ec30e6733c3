import type { Finding } from './finding.js';

/** Why nothing was acknowledged. A fault of storage leaves open whether the lines survive; the message says which. */
export interface LogRejection {
  readonly code: 'SESSION_BUSY' | 'SESSION_DAMAGED' | 'SESSION_NEWER_FORMAT' | 'SESSION_CHANGED' | 'STORAGE_FAULT';
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly finding?: Finding;
}
