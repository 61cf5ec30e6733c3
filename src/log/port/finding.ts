/**
 * Something in a session's folder that is not as it should be.
 * `torn`: the unfinished end of a write, no part of the session. `incomplete`: a file that others saw is not here.
 * `damage` and `newer`: bytes that cannot be read; the session may be read and not written.
 */
export interface Finding {
  readonly level: 'torn' | 'incomplete' | 'damage' | 'newer';
  /** Relative to the session's folder, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly byte?: number;
  readonly message: string;
  readonly remedy: string;
  /** A repair brings it back. */
  readonly kept?: true;
}

/** The finding that forbids an append, if there is one. */
export function worstFinding(findings: readonly Finding[]): Finding | undefined {
  return (
    findings.find((finding) => finding.level === 'damage') ?? findings.find((finding) => finding.level === 'newer')
  );
}
