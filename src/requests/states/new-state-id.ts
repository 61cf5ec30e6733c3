import type { SessionId, StateId } from '../../base/ids.js';
import { sessionPrefix } from '../../base/session-prefix.js';
import type { Environment } from '../world/environment.js';

const drawnBits = 14n;

/** An id that leads to its session, and that none of its states has: 34 bits of the session's digest, and 14 that are drawn. */
export function newStateId(
  { randomId }: Pick<Environment, 'randomId'>,
  session: SessionId,
  taken: { has: (id: StateId) => boolean },
): StateId {
  const mask = (1n << drawnBits) - 1n;
  const first = BigInt(`0x${randomId()}`) & mask;
  for (let at = first; ; at = (at + 1n) & mask) {
    const id = `wfstate_${((sessionPrefix(session, 34) << drawnBits) | at).toString(16).padStart(12, '0')}` as StateId;
    if (!taken.has(id)) return id;
    if (((at + 1n) & mask) === first) throw new Error(`session ${session} has all states that it can have`);
  }
}
