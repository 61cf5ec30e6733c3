/** A folder that holds sessions: a project's `.workrail/`, the user's data folder, or one that was named outright. */
export interface DataRoot {
  readonly kind: 'project' | 'user' | 'given';
  /** Absolute. */
  readonly folder: string;
}

/** With which rights a data folder is made, and so all in it: a project's is as open as the project, any other its owner's alone. */
export const rootMode = (kind: DataRoot['kind']): number | undefined => (kind === 'project' ? undefined : 0o700);
