import type { StateVersions } from '../../contract/states-told.js';

export type VersionTold = StateVersions['versions'][number];

/** Where somebody stands in time: a place in the session's order, and which version where clones wrote two at one place. */
export interface Moment {
  readonly at?: number;
  readonly version?: string;
}

/** Versions as they came one after the other, the newest last. */
export const inTime = (versions: readonly VersionTold[]): readonly VersionTold[] =>
  versions.toSorted((a, b) => a.seq - b.seq || a.version - b.version || (a.etag < b.etag ? -1 : 1));

/** The version that a moment shows: the last one not after it, the newest where it names none. −1 if none was there yet. */
export function indexAtMoment(versions: readonly VersionTold[], { at, version }: Moment): number {
  const named = version === undefined ? -1 : versions.findIndex(({ etag }) => etag === version);
  if (named >= 0) return named;
  return at === undefined ? versions.length - 1 : versions.findLastIndex(({ seq }) => seq <= at);
}

/** The moment of a version: the place alone says which, unless another stands there too. The newest needs none. */
export function momentOf(versions: readonly VersionTold[], index: number): Moment {
  const version = versions[index];
  if (version === undefined || index === versions.length - 1) return {};
  const isAlone = versions.every(({ seq }, other) => other === index || seq !== version.seq);
  return { at: version.seq, ...(!isAlone && { version: version.etag }) };
}
