import type { SessionId, WorkflowHash } from '../base/ids.js';
import type { Event, EventDraft } from '../events/event.js';
import type { DataRoot } from './data-root.js';
import type { Finding } from './finding.js';
import type { LogRejection } from './log-rejection.js';

export type { LogRejection } from './log-rejection.js';

/** A session as read. `state` is shared and may change in place with the next call: take from it before you wait. */
export interface Loaded<S> {
  readonly state: S;
  readonly findings: readonly Finding[];
  readonly eventCount: number;
  readonly lastSeq: number;
}

/** What came of looking at the session under its lock: an answer, and the facts that make it true. */
export interface Decision<A> {
  readonly answer: A;
  readonly events?: readonly EventDraft[];
  /** Snapshots of compiled workflows that the events name; on disk before the events are. */
  readonly pins?: readonly { readonly hash: WorkflowHash; readonly text: string }[];
}

export type Appended<A, S> =
  | { readonly ok: true; readonly answer: A; readonly loaded: Loaded<S>; readonly written: readonly Event[] }
  | { readonly ok: false; readonly error: LogRejection };

export type PinRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly finding: Finding };

export class SessionLog<S> {
  readonly id: SessionId;
  readonly root: DataRoot;

  constructor(id: SessionId, root: DataRoot) {
    this.id = id;
    this.root = root;
  }

  /** Folds what is new on disk. Writes nothing outside `local/`. */
  read(): Promise<Loaded<S>> {
    return Promise.reject(new Error('not written yet'));
  }

  append<A>(_decide: (loaded: Loaded<S>) => Decision<A>): Promise<Appended<A, S>> {
    return Promise.reject(new Error('not written yet'));
  }

  /** Before an answer that rests on lines of others: sees to it that they are on disk. */
  makeDurable(): Promise<LogRejection | undefined> {
    return Promise.reject(new Error('not written yet'));
  }

  /** The pin's text, checked against its name. */
  readPin(_hash: WorkflowHash): Promise<PinRead> {
    return Promise.reject(new Error('not written yet'));
  }

  /** Puts back a pin that is missing, durably. */
  putMissingPin(_hash: WorkflowHash, _text: string): Promise<LogRejection | undefined> {
    return Promise.reject(new Error('not written yet'));
  }
}
