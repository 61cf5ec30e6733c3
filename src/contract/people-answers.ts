import { z } from 'zod';
import type { JsonObject } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { type WarningTold, warningTold } from './answer.js';
import { at, eventSum, flag, nodeId, sessionId, text, texts } from './described.js';
import type { RequestOf } from './request-schemas.js';

/** Where a session's work stands: the preferred tip of the run that was worked on last, as the token that goes on there. */
export type TipTold =
  | { readonly sessionId: string; readonly runId: string; readonly stateToken: string }
  /** A session that holds notes alone. */
  | { readonly sessionId: string; readonly sessionToken: string; readonly stateToken?: undefined };

export const noteTold = z.strictObject({
  sessionId,
  node: z
    .strictObject({ nodeId, title: text('Title of the step') })
    .describe('The step that it stands at; absent for a note on the session itself')
    .exactOptional(),
  event: eventSum,
  at,
  text: text('What was written'),
  added: flag('False where the same text was the newest note there already'),
  warnings: z.array(warningTold).describe('What to know'),
});
export type NoteTold = ReadonlyOutput<typeof noteTold>;

export const sessionLabelled = z.strictObject({
  sessionId,
  title: text('Its title').exactOptional(),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked to be kept for ever'),
  changed: flag('False where it was so already'),
});
export type SessionLabelled = ReadonlyOutput<typeof sessionLabelled>;

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
export type PreferencesAsked = NonNullable<RequestOf<'start_workflow'>['preferences']>;

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
