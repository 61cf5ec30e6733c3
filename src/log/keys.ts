import type { KeyId } from '../base/ids.js';

export interface Key {
  readonly id: KeyId;
  readonly secret: Uint8Array;
}

export interface Keys {
  /** False where the key could only be kept in memory. */
  readonly saved: boolean;
  current(): Key;
  /** The key in use first, then the ones before it. */
  all(): readonly Key[];
  rotate(): Key;
}

export function openKeys(_configFolder: string, _randomBytes: (count: number) => Uint8Array, _warn: (line: string) => void): Keys {
  throw new Error('not written yet');
}
