import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, jsonObject, sessionId, text, texts } from './described.js';
import { dataPlace } from './session-story.js';

/** What is in a bundle. */
const bundleContent = z.strictObject({
  bundleId: text('Digest of its manifest: bundles with the same id have the same content'),
  exportedAs: text('The session’s ID in the bundle'),
  key: text('Key of the session, such as a ticket').exactOptional(),
  title: text('Title of the session').exactOptional(),
  producer: text('The WorkRail version that wrote it'),
  lines: count('How many lines its log has'),
  runs: count('How many runs it has'),
  segments: count('How many segments its log has'),
  pins: count('How many compiled workflows it holds'),
  bytes: count('Total size of all parts, expanded'),
});
export type BundleContent = ReadonlyOutput<typeof bundleContent>;

/** POST /api/import */
export const bundleImported = z.strictObject({
  outcome: z
    .enum(['imported', 'imported_as_new', 'merged', 'already_here'])
    .describe(
      'Imported under its id; under a new id, because another session has its id; merged into the local session; or nothing was written',
    ),
  sessionId,
  place: dataPlace,
  bundle: bundleContent.describe('What is in the bundle'),
  merged: z
    .strictObject({ added: count('Segments that are new here'), grown: count('Segments that grew') })
    .describe('What a merge added')
    .exactOptional(),
  resume: jsonObject('Arguments of resume_session that find it'),
  warnings: texts('Warnings'),
});
export type BundleImported = ReadonlyOutput<typeof bundleImported>;

/** A line that is here and that a bundle says was redacted. */
export interface HiddenLine {
  /** Relative to the session's folder. */
  readonly file: string;
  readonly line: number;
  readonly event: string;
  readonly kind: string;
  readonly at: string;
}

/** What a merge would take out of every answer: the first of the lines, and how many they are. */
export interface LinesHidden {
  readonly sessionId: string;
  readonly lines: readonly HiddenLine[];
  readonly count: number;
}

/** Something in a session that looks like a credential. */
export interface SecretTold {
  /** Relative to the session's folder. */
  readonly file: string;
  readonly line: number;
  /** The event's sum: what `workrail redact` takes. */
  readonly event: string;
  /** What it seems to be, with its article. */
  readonly name: string;
  /** JSON pointer into the event's data. */
  readonly pointer: string;
  /** Its beginning, never the whole of it. */
  readonly sample: string;
}

export interface SessionExported {
  readonly sessionId: string;
  readonly bundle: BundleContent;
  /** Absent where it was written to a stream. */
  readonly file?: string;
  /** Of the bundle as a file. */
  readonly size: number;
  /** Let through on request. */
  readonly secrets: readonly SecretTold[];
  readonly warnings: readonly string[];
}

/** How far long work has come. */
export interface Progress {
  readonly doing: 'checking' | 'writing' | 'reading';
  readonly bytes: number;
  /** Absent where it is not known. */
  readonly of?: number;
}
