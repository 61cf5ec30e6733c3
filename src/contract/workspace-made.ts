/** What `workrail init` did. */
export interface WorkspaceMade {
  /** The `.workrail/` folder. */
  readonly folder: string;
  /** False where it was there already. */
  readonly made: boolean;
  /** Files written now; those that were there are left as they are. */
  readonly files: readonly string[];
  /** The git work tree that it lies in. */
  readonly repository?: string;
}

/** What `workrail init --trust` did. */
export interface FolderTrusted {
  readonly trusted: string;
  /** Where that is written down. */
  readonly file: string;
}
