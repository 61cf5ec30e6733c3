/** A folder that holds sessions: a project's `.workrail/`, the user's data folder, or one that was named outright. */
export interface DataRoot {
  readonly kind: 'project' | 'user' | 'given';
  /** Absolute. */
  readonly folder: string;
}
