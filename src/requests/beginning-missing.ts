import type { SessionId } from '../base/ids.js';
import type { Rejection } from '../base/rejection.js';

/** Nothing is written to a session whose first line is not here. */
export function beginningMissing(session: SessionId): Rejection {
  return { code: 'SESSION_CHANGED', message: `the beginning of session ${session} is not here`, action: 'see what is missing: workrail doctor', context: { sessionId: session } };
}
