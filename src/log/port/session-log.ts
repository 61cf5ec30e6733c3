import type { Lasting } from '../../base/in-place.js';
import type { WorkflowHash } from '../../base/ids.js';
import type { Result } from '../../base/result.js';
import type { Event, EventDraft, EventPosition } from '../../events/event.js';
import type { Finding } from './finding.js';
import type { LogRejection } from './log-rejection.js';
import type { SessionRef } from './session-ref.js';

/** How far a session was read. Hand it in with an append that rests on that reading, so that the same is not read twice. */
export interface LogPosition {
  readonly lastSeq: number;
}

/** A session as read. `state` is what the store's projection has folded, and changes in place with the next call. */
export interface Loaded<S> {
  readonly state: S;
  readonly findings: readonly Finding[];
  readonly eventCount: number;
  readonly position: LogPosition;
}

/** What came of looking at a session: an answer, and the facts that make it true. */
export interface Decision<A> {
  readonly answer: A;
  readonly events?: readonly EventDraft[];
  /** Compiled workflows that the events name; on disk before the events are. */
  readonly pins?: readonly { readonly hash: WorkflowHash; readonly text: string }[];
}

/** Pure: where the log has moved before the append was made, it is asked again. */
export type Decide<S, A> = (loaded: Loaded<S>) => Decision<A>;

export type PinRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly finding: Finding };

/** An event with the place where it stands. */
export interface PlacedEvent {
  readonly event: Event;
  /** Relative to the session, with forward slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Which events are meant: those behind `after`, up to and with `upTo`. */
export interface EventRange {
  readonly after?: EventPosition | undefined;
  readonly upTo?: EventPosition | undefined;
}

/** Read as it is asked for; at the end it says where something could not be read further. */
export type EventReading =
  | Generator<PlacedEvent, readonly Finding[], undefined>
  | AsyncGenerator<PlacedEvent, readonly Finding[], undefined>;

export interface FollowedEvent extends PlacedEvent {
  /** It sorts before something that was told earlier: another clone's work has come in. */
  readonly merged: boolean;
}

export interface FollowBatch {
  readonly events: readonly FollowedEvent[];
  readonly findings: readonly Finding[];
  /** The session is not there any more. */
  readonly gone: boolean;
  /** What was there when the following began has been told. */
  readonly upToDate: boolean;
  /** Hand it in to go on after this batch. */
  readonly position: string;
}

/**
 * One session. Whatever waits here may change the state of every reading before it, so none of them is handed out:
 * `take` and `answer` look at it while nobody waits, and give back what may be kept.
 */
export interface SessionLog<S> extends SessionRef {
  /** What is there now. Appends nothing; a fault of the store is thrown. */
  read<A>(take: (loaded: Loaded<S>) => A): Promise<Lasting<A>>;
  /**
   * Decides on what is there, writes what was decided as one append, and answers from the state after it. What was
   * appended is durable before it is answered. `known` is the position that the decision may rest on.
   */
  append<D, A>(
    decide: Decide<S, D>,
    answer: (loaded: Loaded<S>, decided: D) => A,
    known?: LogPosition,
  ): Promise<Result<Lasting<A>, LogRejection>>;
  /** Before an answer that rests on what others wrote: sees to it that it is durable. */
  confirm(): Promise<LogRejection | undefined>;
  /** Events in the total order, each once. */
  events(range?: EventRange): EventReading;
  /** Events as they come in, whoever writes them, until the signal. Undefined where `from` is no position that a batch gave. */
  follow(
    from: { readonly position: string } | 'start' | 'end',
    signal: AbortSignal,
  ): AsyncIterable<FollowBatch> | undefined;
  /** A compiled workflow that runs of the session follow, by its digest. */
  pin(hash: WorkflowHash): Promise<PinRead>;
  hasPin(hash: WorkflowHash): Promise<boolean>;
  /** Puts back a pin that is missing, durably. */
  putPin(hash: WorkflowHash, text: string): Promise<LogRejection | undefined>;
  /** Lets go of what this process holds of it; the next use finds everything again. */
  letGo(): void;
}
