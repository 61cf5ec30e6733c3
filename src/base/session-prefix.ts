import { sha256Hex } from './digest.js';
import type { SessionId } from './ids.js';

/** How a token names its session: by the first bits of its digest. */
export function sessionPrefix(session: SessionId, bits: 34 | 82): bigint {
  return BigInt(`0x${sha256Hex(session).slice(0, 24)}`) >> BigInt(96 - bits);
}
