import type { JsonObject } from '../base/json-value.js';
import type { Mode, Preferences } from '../base/preferences.js';
import type { WarningTold } from './answer.js';

/** Where a session's work stands: the preferred tip of the run that was worked on last, as the token that goes on there. */
export type TipTold =
  | { readonly sessionId: string; readonly runId: string; readonly stateToken: string }
  /** A session that holds notes alone. */
  | { readonly sessionId: string; readonly sessionToken: string; readonly stateToken?: undefined };

export interface NoteTold {
  readonly sessionId: string;
  /** The step it stands at; absent for a note on the session itself. */
  readonly node?: { readonly nodeId: string; readonly title: string };
  /** The event's sum. */
  readonly event: string;
  readonly at: string;
  readonly text: string;
  /** False where the same text was the newest note there already. */
  readonly added: boolean;
  readonly warnings: readonly WarningTold[];
}

export interface PreferencesTold {
  /** What new sessions begin with. */
  readonly global: Preferences;
  /** Where those are written down. */
  readonly file: string;
  readonly session?: {
    readonly sessionId: string;
    /** What new runs of it begin with. */
    readonly preferences: Preferences;
    /** In force where its work stands; absent where no run is open. */
    readonly run?: {
      readonly runId: string;
      readonly workflowId: string;
      readonly title: string;
      readonly preferences: Preferences;
    };
  };
  /** What this call changed. */
  readonly changed: readonly ('global' | 'session' | 'run')[];
  readonly warnings: readonly WarningTold[];
}

/** What is asked of preferences: a mode sets all four, single values overrule it. */
export type PreferencesAsked = { readonly mode?: Mode | undefined } & {
  readonly [F in keyof Preferences]?: Preferences[F] | undefined;
};

/** One workflow file, judged. */
export interface FileJudged {
  /** As it was asked for, or as the library names it. */
  readonly file: string;
  readonly id?: string;
  readonly title?: string;
  readonly kind?: 'workflow' | 'routine';
  /** With any of these it cannot be started: rule, pointer, line, column, message, expected, actual, closest, patch. */
  readonly violations: readonly JsonObject[];
  readonly warnings: readonly JsonObject[];
}

export interface FilesJudged {
  readonly files: readonly FileJudged[];
  /** No file has a violation. */
  readonly sound: boolean;
}
