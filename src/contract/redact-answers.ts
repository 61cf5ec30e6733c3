/** One line of a log that something is taken out of, or goes because its append does. */
export interface RedactedLine {
  /** Relative to the session's folder, and where the line stood. */
  readonly file: string;
  readonly line: number;
  readonly event: string;
  readonly kind: string;
  readonly at: string;
  /** JSON pointers into the event's data; none where the line is only written anew along with the others of its append. */
  readonly places: readonly string[];
}

export interface SessionRedacted {
  readonly session: string;
  readonly folder: string;
  readonly dryRun: boolean;
  readonly lines: readonly RedactedLine[];
  /** Lines redacted earlier that had come back, and were cut out again. */
  readonly returned: number;
  /** Segments whose unfinished end held it. */
  readonly tails: number;
  /** What lay beside the session, or in the trash, and was removed or written over: relative to `folder`, or whole where it lay in another data root. */
  readonly scrubbed: readonly string[];
  /** Where in the data roots it still is, named likewise: other sessions, workflows that runs follow. */
  readonly stillIn: readonly string[];
  /** The data root lies in a git work tree. */
  readonly inGit: boolean;
}
