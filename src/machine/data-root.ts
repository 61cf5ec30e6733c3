/** A folder that holds sessions: a project's `.workrail/`, the user's data folder, or one that was named outright. */
export interface DataRoot {
  readonly kind: 'project' | 'user' | 'given';
  /** Absolute. */
  readonly folder: string;
}

/** What lies in the user's own folder is nobody else's to read; a project's folder is as open as the project. */
export const rootMode = (kind: DataRoot['kind']): number => (kind === 'user' ? 0o700 : 0o777);
