import type { OriginId, SessionId } from '../../base/ids.js';
import type { Result } from '../../base/result.js';
import type { Event } from '../../events/event.js';
import type { Finding } from './finding.js';
import type { LogRejection } from './log-rejection.js';
import type { Place, SessionRef } from './session-ref.js';

/** `segments/…` or `pins/…`: lines, or a compiled workflow. */
export interface Part {
  readonly name: string;
  readonly size: number;
}

export interface SurveyedPart extends Part {
  readonly sha256: string;
}

/** The sums of very many lines, in little room. */
export interface LineSums {
  /** Takes out of `wanted` all that are here. */
  readonly strike: (wanted: Set<string>) => void;
  /** Whether one line at least is among both. */
  readonly meets: (other: LineSums) => boolean;
  /** In rising order. */
  readonly sorted: () => BigUint64Array;
}

/** A session read and checked to the last byte, without having been folded. */
export interface SessionSurvey {
  readonly origin: OriginId | undefined;
  /** As far as they are part of the session: each up to the end of its last whole append. */
  readonly segments: readonly SurveyedPart[];
  readonly pins: readonly SurveyedPart[];
  readonly findings: readonly Finding[];
  readonly lines: LineSums;
  /** Lines that must not come back. */
  readonly redacted: ReadonlySet<string>;
}

/** Who is shown every line that is part of the session, segment by segment. */
export interface SurveyVisit {
  /** A pass begins; what an earlier one showed counts no more. */
  readonly begin?: (redacted: ReadonlySet<string>) => void;
  readonly line?: (event: Event, file: string, line: number) => void;
  readonly progress?: (bytes: number) => void;
}

export interface Merged {
  /** Segments that are new here, and those that became longer. */
  readonly added: number;
  readonly grown: number;
}

/** Parts that come from elsewhere and belong to no session yet. */
export interface Staging {
  /** Takes one part in, durably. The name is checked by the caller. */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  survey(id: SessionId, visit: SurveyVisit): Promise<SessionSurvey>;
  read(part: Part): Iterable<Buffer>;
  /** Makes a session of it, whole and in one step. `taken` where one of that id is there, be it since a moment ago. */
  install(id: SessionId): 'installed' | 'taken';
  /** Puts it together with a session that is there. Where both went on differently under one name, nothing is done. */
  merge(into: SessionRef): Promise<Result<Result<Merged, { readonly diverged: string }>, LogRejection>>;
  /** Takes away whatever is still here. */
  discard(): void;
}

/** Sessions as parts, line for line as they are held: what goes into a bundle, and what comes out of one. */
export interface StoreCarry {
  /** The segments of a session by name and size, unread. */
  parts(ref: SessionRef): readonly Part[];
  /** The id under which it was begun, as its first line that can be read says. */
  origin(ref: SessionRef): OriginId | undefined;
  survey(ref: SessionRef, visit?: SurveyVisit): Promise<SessionSurvey>;
  /** The first bytes of a part, as many as its size says; fewer where it has not so many. */
  read(ref: SessionRef, part: Part): Iterable<Buffer>;
  /** Before parts leave: sees to it that they are durable, whoever wrote them. */
  confirm(ref: SessionRef, parts: readonly Part[]): void;
  stage(place: Place): Staging;
}
