import { command } from '../../base/sentence.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import type { Finding } from '../../log/port/finding.js';
import { findingContext, findingText } from '../world/log-rejections.js';

/** Nothing is written to a session whose first line is not here, or cannot be read. */
export function beginningMissing(session: SessionId, findings: readonly Finding[] = []): Rejection {
  const found = findings.find(({ level }) => level === 'damage' || level === 'newer') ?? findings[0];
  return {
    code:
      found?.level === 'damage'
        ? 'SESSION_DAMAGED'
        : found?.level === 'newer'
          ? 'SESSION_NEWER_FORMAT'
          : 'SESSION_CHANGED',
    message: `the beginning of session ${session} is not here${found === undefined ? '' : `: ${findingText(found)}`}`,
    action: [
      `${found === undefined ? 'bring its files back (git checkout, git stash pop)' : found.remedy}; all that is amiss: `,
      command('doctor'),
    ],
    context: { sessionId: session, ...(found !== undefined && findingContext(found)) },
  };
}
