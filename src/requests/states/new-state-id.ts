import type { SessionId, StateId } from '../../base/ids.js';
import { sessionPrefix } from '../../base/session-prefix.js';
import type { Environment } from '../world/environment.js';

/** An id that leads to its session: 34 bits of the session's digest, and 14 that are drawn. */
export function newStateId({ randomId }: Pick<Environment, 'randomId'>, session: SessionId): StateId {
  const drawn = BigInt(`0x${randomId()}`) & 0x3fffn;
  return `wfstate_${((sessionPrefix(session, 34) << 14n) | drawn).toString(16).padStart(12, '0')}` as StateId;
}
