import type { Mode, Preferences } from '../base/preferences.js';

export interface GlobalPreferences {
  readonly mode?: Mode;
  readonly preferences?: Partial<Preferences>;
  readonly workflowFolders?: readonly string[];
}

/** What the user set for all sessions. A file that cannot be understood is a warning, never a crash. */
export function readGlobalPreferences(_configFolder: string, _warn: (line: string) => void): GlobalPreferences {
  throw new Error('not written yet');
}
