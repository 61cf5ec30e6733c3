import { type Finding, worstFinding } from './finding.js';

/** Why nothing was acknowledged. */
export interface LogRejection {
  readonly code: 'SESSION_BUSY' | 'SESSION_DAMAGED' | 'SESSION_NEWER_FORMAT' | 'SESSION_CHANGED' | 'STORAGE_FAULT';
  readonly message: string;
  /** A fault of storage after bytes may have gone out: nobody can know whether the lines will last. */
  readonly inDoubt?: true;
  readonly retryAfterMs?: number;
  readonly finding?: Finding;
}

/** Why a session with these findings takes no append, if it takes none. */
export function refusal(findings: readonly Finding[]): LogRejection | undefined {
  const finding = worstFinding(findings);
  if (finding === undefined) return undefined;
  const where = [
    finding.file,
    finding.line !== undefined && `line ${finding.line}`,
    finding.byte !== undefined && `byte ${finding.byte}`,
  ]
    .filter(Boolean)
    .join(', ');
  return {
    code: finding.level === 'newer' ? 'SESSION_NEWER_FORMAT' : 'SESSION_DAMAGED',
    message: `the session cannot be written to, only read: ${where}: ${finding.message}`,
    finding,
  };
}
