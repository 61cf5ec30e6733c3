import type { Finding } from './port/finding.js';
import type { LogRejection } from './port/log-rejection.js';
import { worstFinding } from './port/finding.js';

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
    retryable: false,
    finding,
  };
}
