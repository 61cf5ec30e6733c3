import type { AttemptId, KeyId, NodeId, SessionId } from '../base/ids.js';
import { assert } from '../base/assert.js';
import { firstAttempt, sealAck, type SealingKey, sealSession, sealState } from '../tokens/token.js';

/** Mints the tokens of one answer. */
export interface Sealer {
  readonly session: SessionId;
  state(node: NodeId): string;
  ack(node: NodeId, attempt?: AttemptId): string;
  sessionToken(): string;
}

/**
 * A recorded answer is sealed with the key it was first given under, as long as that key is kept. What another
 * installation recorded is sealed with the oldest key here, so that a new key does not change what was answered before.
 */
export function sealerFor(keys: readonly SealingKey[], session: SessionId, recorded?: KeyId): Sealer {
  const key = recorded === undefined ? keys[0] : (keys.find(({ id }) => id === recorded) ?? keys.at(-1));
  assert(key !== undefined, 'an installation has a key');
  // An answer names the same node in its text, in its backbone and in the call it offers.
  const states = new Map<NodeId, string>();
  const acks = new Map<string, string>();
  return {
    session,
    state: (node) => remember(states, node, () => sealState(key, session, node)),
    ack: (node, attempt) =>
      remember(acks, `${node} ${attempt ?? ''}`, () => sealAck(key, session, node, attempt ?? firstAttempt(node))),
    sessionToken: () => sealSession(key, session),
  };
}

function remember<K>(known: Map<K, string>, key: K, make: () => string): string {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
