import type { SessionId } from '../../base/ids.js';

/** Where sessions lie, for people to read; only the store opens it. */
export interface Place {
  readonly kind: 'project' | 'user' | 'given';
  /** A folder's path where it is one. */
  readonly name: string;
}

export interface SessionRef {
  readonly id: SessionId;
  readonly place: Place;
}

export const samePlace = (a: Place, b: Place): boolean => a.kind === b.kind && a.name === b.name;
