import type { SessionId } from '../../base/ids.js';
import type { Sentence } from '../../base/sentence.js';
import type { Result } from '../../base/result.js';
import type { Event, EventDraft } from '../../events/event.js';
import type { Finding } from './finding.js';
import type { LogRejection } from './log-rejection.js';
import type { Place, SessionRef } from './session-ref.js';

/** Also what no answer needs to warn of: what could not be read, lines that were redacted and came back, and notes on what lies beside. */
export interface CareFinding extends Omit<Finding, 'level' | 'remedy'> {
  readonly remedy: Sentence;
  readonly level: Finding['level'] | 'returned' | 'unreadable' | 'note';
}

export interface Examined {
  readonly events: number;
  readonly findings: readonly CareFinding[];
  /** Pins that are what their name says. */
  readonly pins: readonly string[];
}

export interface RepairedFile {
  readonly file: string;
  readonly did: 'mended' | 'restored' | 'moved';
  /** Where its bytes lie now. */
  readonly quarantined: string;
  /** Good lines that the file holds now. */
  readonly kept: number;
  /** What of it cannot be told any more, a line each. */
  readonly lost: readonly string[];
}

export interface Repaired {
  readonly files: readonly RepairedFile[];
  /** Lines that stood in the wrong file and stand in one of their own now. */
  readonly rescued: number;
  /** Lines that git had taken away and that were kept beside the session. */
  readonly broughtBack: number;
  /** Lines whose absence is on record now, and why. */
  readonly withdrawn: { readonly damaged: number; readonly lost: number };
  /** What is still wrong: the findings of a reading after the repair. */
  readonly left: readonly Finding[];
}

/** A line as the store holds it: part of the session or not. One that cannot be read is its bytes. */
export type RawLine = { readonly file: string; readonly line: number } & (
  | { readonly event: Event; readonly bytes?: undefined }
  | { readonly event?: undefined; readonly bytes: Buffer }
);

/** Told of what cannot be read and of where it is; the rest is read all the same. Who gives no such ear is thrown at. */
export type Unread = (fault: unknown, file: string) => void;

/** A session that was taken away and can still be had. */
export interface TrashedSession {
  readonly id: SessionId;
  readonly place: Place;
  /** Where it lies, within its place. */
  readonly where: string;
  /** Where it lies, and where it has to be put to be here again. */
  readonly at: string;
  readonly home: string;
  readonly lines: (unread?: Unread) => Iterable<RawLine>;
}

export interface RepairAsked {
  readonly acceptLoss: boolean;
  /** What is kept beside it comes back even where another branch was checked out when it was written. */
  readonly everyBranch: boolean;
}

/** A session of which this machine knows, and that is not where it was. */
export interface AwaySession extends SessionRef {
  /** Lines of it are kept. */
  readonly kept: boolean;
}

export interface RedactAsked {
  /** What takes the place of an event; undefined where it may stay. */
  readonly redact: (event: Event) => { readonly draft: EventDraft; readonly places: readonly string[] } | undefined;
  /** What to look for in bytes that are no lines. */
  readonly texts: readonly string[];
  readonly dryRun: boolean;
}

export type Redacted =
  /** Nothing was done: the session has to be sound first. */
  | { readonly damaged: Finding }
  | {
      readonly damaged?: undefined;
      readonly lines: readonly {
        readonly event: Event;
        readonly file: string;
        readonly line: number;
        readonly places: readonly string[];
      }[];
      /** Lines that were redacted before and were here again. */
      readonly returned: number;
      /** Unfinished ends of files that went as well. */
      readonly tails: number;
      /** What was cleaned beside the session. */
      readonly scrubbed: readonly string[];
      /** Where the text still is. */
      readonly stillIn: readonly string[];
    };

export type TakenAway<V> =
  | { readonly kind: 'gone' | 'spared'; readonly verdict: V }
  | { readonly kind: 'used' }
  | { readonly kind: 'busy'; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string };

/** What keeps a store sound and small. Asked for by people alone; each store does it in its own way. */
export interface StoreCare {
  /** Every byte of a session, read and checked anew. Writes nothing. */
  examine(ref: SessionRef): Promise<Examined>;
  /** What is amiss beside the sessions. */
  examineBeside(): readonly { readonly place: Place; readonly finding: CareFinding }[];
  /** What is amiss with these that no look at one of them alone can tell. */
  examineTogether(
    refs: readonly SessionRef[],
  ): Promise<readonly { readonly ref: SessionRef; readonly finding: CareFinding }[]>;
  /** Makes a damaged session sound, and puts back what is kept of it; what cannot be read is set aside. */
  repair(ref: SessionRef, asked: RepairAsked): Promise<Result<Repaired, LogRejection>>;
  /** Every line that is held of a session, what is torn, withdrawn or damaged included. */
  lines(ref: SessionRef, unread?: Unread): Iterable<RawLine>;
  /** Takes something out of a session, and out of what lies beside it. */
  redact(ref: SessionRef, asked: RedactAsked): Promise<Result<Redacted, LogRejection>>;
  /** Takes a session away where `mayGo` still says so of a verdict that was made while nobody could write. */
  takeAway<V>(
    ref: SessionRef,
    now: Date,
    judge: () => Promise<V>,
    mayGo: (verdict: V) => boolean,
  ): Promise<TakenAway<V>>;
  /** Sessions that this machine wrote to and whose folders are not here, be it that git took them away. */
  away(): readonly AwaySession[];
  /** Lines that are kept beside sessions and may be in none. */
  keptBeside(): readonly Pick<TrashedSession, 'id' | 'place' | 'where' | 'lines'>[];
  /** Sessions that were taken away, the oldest first; one may be there several times. */
  trash(): readonly TrashedSession[];
  /** What may be deleted of the trash by now; with `remove`, it is. */
  emptyTrash(now: Date, remove: boolean): { readonly sessions: number; readonly bytes: number };
  /** How many bytes a session takes up. */
  size(ref: SessionRef): number;
  /** Whether what lies at a place is carried along by a git repository. */
  isInGit(place: Place): boolean;
}
