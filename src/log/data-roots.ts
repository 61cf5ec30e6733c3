import type { DataRoot } from './data-root.js';

export interface DataRoots {
  readonly newSessions: DataRoot;
  /** Where sessions are looked for, the nearest first; `newSessions` is among them. */
  readonly reading: readonly DataRoot[];
  /** The user's configuration folder: keys and global preferences. */
  readonly config: string;
  readonly workspace: string;
}

export function findDataRoots(_from: {
  readonly workspace: string;
  readonly dataDir?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): DataRoots {
  throw new Error('not written yet');
}
