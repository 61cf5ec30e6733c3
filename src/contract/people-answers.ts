import { z } from 'zod';
import type { JsonObject } from '../base/json-value.js';
import { modeNames } from '../base/preferences.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { warningTold } from './answer.js';
import { at, eventSum, flag, nodeId, preferences, runId, sessionId, text, texts } from './described.js';
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
    .describe('Its step; absent for a note on the session itself')
    .exactOptional(),
  event: eventSum,
  at,
  text: text('Text of the note'),
  added: flag('False if the newest note there already had the same text'),
  warnings: z.array(warningTold).describe('Warnings'),
});
export type NoteTold = ReadonlyOutput<typeof noteTold>;

export const sessionLabelled = z.strictObject({
  sessionId,
  title: text('Its title').exactOptional(),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked as never pruned'),
  changed: flag('False if nothing changed'),
});
export type SessionLabelled = ReadonlyOutput<typeof sessionLabelled>;

export const preferencesTold = z.strictObject({
  global: preferences('The defaults for new sessions'),
  file: text('The file with those defaults'),
  session: z
    .strictObject({
      sessionId,
      preferences: preferences('The defaults for new runs of the session'),
      run: z
        .strictObject({
          runId,
          workflowId: text('ID of its workflow'),
          title: text('Title of its workflow'),
          step: text('Title of the pending step'),
          preferences: preferences('In force at the pending step, or at the step in the request'),
        })
        .describe('The open run; absent if there is none')
        .exactOptional(),
    })
    .describe('The session in the request')
    .exactOptional(),
  modes: z
    .array(
      z.strictObject({
        name: z.enum(modeNames).describe('Its name in requests'),
        label: text('Its label for people'),
        says: text('What it does, in a sentence'),
        preferences: preferences('The preferences it stands for'),
      }),
    )
    .describe('All modes, the most careful first'),
  changed: z.array(z.enum(['global', 'session', 'run'])).describe('What this call changed'),
  warnings: z.array(warningTold).describe('Warnings'),
});
export type PreferencesTold = ReadonlyOutput<typeof preferencesTold>;

/** What is asked of preferences: a mode sets all four, single values overrule it. */
export type PreferencesAsked = NonNullable<RequestOf<'start_workflow'>['preferences']>;

/** One workflow file, judged. */
export interface FileJudged {
  /** As it was asked for, or as the library names it. */
  readonly file: string;
  readonly id?: string;
  readonly title?: string;
  readonly kind?: 'workflow' | 'routine';
  readonly runsCommands?: true;
  /** With any of these it cannot be started: rule, pointer, line, column, the line's text as `source`, message, expected, actual, closest, patch. */
  readonly violations: readonly JsonObject[];
  readonly warnings: readonly JsonObject[];
}

/** What was mended in a file, in the order in which it was done. */
export interface FileFixed {
  readonly file: string;
  readonly fixed: readonly {
    readonly rule: string;
    readonly pointer: string;
    readonly line: number;
    readonly message: string;
  }[];
  /** Why it was left as it is. */
  readonly left?: string;
}

export interface FilesJudged {
  readonly files: readonly FileJudged[];
  /** No file has a violation. */
  readonly sound: boolean;
  /** Where mending was asked for: the files that were mended, or would have been. */
  readonly fixed?: readonly FileFixed[];
}
