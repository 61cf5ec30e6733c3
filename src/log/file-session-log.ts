import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assert } from '../base/assert.js';
import type { EventSum, SessionId, WorkflowHash } from '../base/ids.js';
import type { Lasting } from '../base/in-place.js';
import { limits } from '../base/limits.js';
import { ok, type Result } from '../base/result.js';
import type { Event } from '../events/event.js';
import { Appender, changed, newWriter, placeWritten, type Written } from './appender.js';
import { type Maintenance, maintain, type SegmentMaker } from './care/exclusive-maintenance.js';
import { putPinBack, takeUpKept } from './care/take-up-kept.js';
import type { DataRoot } from '../machine/data-root.js';
import type { Finding } from './port/finding.js';
import { foldInto } from './reading/fold-into.js';
import { AppendHints } from './locks/append-hints.js';
import { Lease } from './locks/lease.js';
import { localFolder } from '../machine/local-folder.js';
import { type LogRejection, refusal } from './port/log-rejection.js';
import { witnessesHere } from './segments/ended-segments.js';
import { pinIsThere, readPinFile, writePin } from './segments/pins.js';
import type { StoreNeeds } from './port/session-store.js';
import type {
  Decide,
  Decision,
  EventRange,
  FollowBatch,
  Loaded,
  LogPosition,
  PinRead,
  PlacedEvent,
  SessionLog,
} from './port/session-log.js';
import type { Place } from './port/session-ref.js';
import { placeOf } from './files/file-ref.js';
import { followSession } from './reading/follow-session.js';
import { readEvents, readEventsBehind } from './reading/read-events.js';
import {
  type FilesLoaded,
  findingsOf,
  type KnownTail,
  mayBeUnderWay,
  type ReadSegment,
  type Reading,
} from './segments/reading.js';
import { linkedFolders, readFrom, type SessionFolder, sessionFolder } from './segments/session-folder.js';
import { sparePin } from './segments/spares.js';
import { nothingSynced, SegmentNotSynced, type Synced, syncSession } from './session-sync.js';
import { SnapshotKeeper } from './reading/snapshot-keeper.js';
import { errorCode } from '../files/fault-reason.js';
import { storageFault } from './files/storage-fault.js';
import { coverNamed, readTail } from './reading/tail-reading.js';
import { weightOf } from './reading/weight-of.js';
import { readWhole } from './reading/whole-reading.js';

export type Appended<A, S> =
  | { readonly ok: true; readonly answer: A; readonly loaded: FilesLoaded<S>; readonly written: readonly Event[] }
  | { readonly ok: false; readonly error: LogRejection };

export interface FileSessionLogOptions<S> extends Omit<StoreNeeds<S>, 'log'> {
  readonly lock: 'lease' | 'off';
  /** Told after every use, so that the store can let the longest unused go. `weight` is in events. */
  readonly used: (log: FileSessionLog<S>, weight: number, holdsFile: boolean) => void;
}

/**
 * One session of one data root. Between the lease and the answer everything is synchronous, so that within a process
 * no two requests interleave; between processes nothing needs to be excluded, see the folds.
 */
export class FileSessionLog<S> implements SessionLog<S> {
  readonly id: SessionId;
  readonly root: DataRoot;
  readonly place: Place;
  readonly #env: FileSessionLogOptions<S>;
  readonly #at: SessionFolder;
  readonly #appender: Appender;
  readonly #synced: Synced = nothingSynced();
  readonly #snapshot: SnapshotKeeper<S>;
  readonly #maker: SegmentMaker;
  #lease: Lease | undefined;
  #growth: AppendHints | undefined;
  #reading: Reading<S> | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The newest reading, and when it began. */
  #position: LogPosition | undefined;
  #readAt = -Infinity;

  constructor(id: SessionId, root: DataRoot, env: FileSessionLogOptions<S>) {
    this.id = id;
    this.root = root;
    this.place = placeOf(root);
    this.#env = env;
    this.#at = sessionFolder(root, id);
    this.#appender = new Appender(root, id, this.#at, env);
    this.#maker = { root, id, at: this.#at, newWriter: () => newWriter(env.randomBytes) };
    this.#snapshot = new SnapshotKeeper(
      { root, id, projection: env.projection },
      this.#at,
      env.sealKey ?? (() => undefined),
      () => {
        this.#reading = undefined;
      },
    );
  }

  /** Folds what is new on disk. Writes nothing outside `local/`; a fault of the disk is thrown. Only the log's own room reads without `take`. */
  read(): Promise<FilesLoaded<S>>;
  read<A>(take: (loaded: FilesLoaded<S>) => A): Promise<Lasting<A>>;
  async read(take: (loaded: FilesLoaded<S>) => unknown = (loaded) => loaded): Promise<unknown> {
    let reading = this.#refresh();
    if (mayBeUnderWay(reading, () => this.#env.now().getTime())) {
      await pause(limits.tornWaitMs);
      reading = this.#refresh();
    }
    this.#rest();
    return take(this.#loaded(reading));
  }

  /** As `read`, but trusts nothing in memory or under `local/`: every byte is read and checked again. */
  async verify(): Promise<FilesLoaded<S>> {
    this.#reading = this.#readWhole();
    return this.read();
  }

  /** Reads what others appended, decides, and writes what was decided as one append. Under the lease it is decided once. */
  append<D>(decide: (loaded: FilesLoaded<S>) => Decision<D>): Promise<Appended<D, S>>;
  append<D, A>(
    decide: Decide<S, D>,
    answer: (loaded: Loaded<S>, decided: D) => A,
    known?: LogPosition,
  ): Promise<Result<Lasting<A>, LogRejection>>;
  async append<D>(
    decide: (loaded: FilesLoaded<S>) => Decision<D>,
    answer?: (loaded: Loaded<S>, decided: D) => unknown,
    known?: LogPosition,
  ): Promise<unknown> {
    const busy = await this.#takeLease();
    if (busy !== undefined) return { ok: false, error: busy };
    try {
      const appended = this.#appendNow(decide, known);
      return answer === undefined || !appended.ok ? appended : ok(answer(appended.loaded, appended.answer));
    } finally {
      this.#lease?.yieldIfAsked();
      this.#rest();
    }
  }

  /** Every event in the total order with the place where it stands, read from the disk as it is asked for. */
  events(range?: EventRange): Generator<PlacedEvent, readonly Finding[], undefined> {
    if (range?.after === undefined) return readEvents(this.#at, this.id, range, this.#missed());
    const reading = this.#refresh();
    this.#rest();
    return readEventsBehind(this.#at, reading, range.after, range.upTo);
  }

  follow(
    from: { readonly position: string } | 'start' | 'end',
    signal: AbortSignal,
  ): AsyncIterable<FollowBatch> | undefined {
    this.#takeUp();
    return followSession(this.#at, this.id, from, signal);
  }

  /** Work on the session's files themselves, under its lease. What was known of them before is forgotten. */
  async maintain<A>(work: (care: Maintenance) => A): Promise<Result<A, LogRejection>> {
    const fault = (await this.#takeLease()) ?? this.#settle();
    if (fault !== undefined) return { ok: false, error: fault };
    this.#appender.end(this.#reading);
    this.#reading = undefined;
    try {
      return maintain({ ...this.#maker, now: this.#env.now }, work);
    } finally {
      this.#lease?.release();
    }
  }

  /** Before an answer that rests on lines of others: sees to it that they are on disk. */
  async confirm(): Promise<LogRejection | undefined> {
    const fault = this.#settle() ?? this.#bringUpToDate() ?? this.#syncNow();
    this.#rest();
    return fault;
  }

  /** The pin's text, checked against its name. */
  async pin(hash: WorkflowHash): Promise<PinRead> {
    const [link] = linkedFolders(this.#at);
    return link === undefined ? readPinFile(this.#at.pins, hash) : { ok: false, finding: link };
  }

  /** Whether the pin's file is where it should be: what a process has read, a checkout may have taken away since. */
  async hasPin(hash: WorkflowHash): Promise<boolean> {
    return pinIsThere(this.#at, hash);
  }

  /** Puts back a pin that is missing, durably. */
  async putPin(hash: WorkflowHash, text: string): Promise<LogRejection | undefined> {
    return this.#writePins([{ hash, text }]);
  }

  /** Lets go of memory, segment and lease; the next use finds everything again on disk. */
  letGo(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
    this.#appender.end(this.#reading);
    this.#lease?.release();
    this.#snapshot.keepBeforeLeaving(this.#reading);
    this.#reading = undefined;
  }

  async #takeLease(): Promise<LogRejection | undefined> {
    this.#growth ??= new AppendHints(this.root, this.id);
    if (this.#env.lock === 'off') {
      this.#growth.note();
      return undefined;
    }
    const locks = this.#lease === undefined ? localFolder(this.root, 'locks') : undefined;
    if (locks !== undefined) this.#lease = new Lease(locks, this.id);
    // Another request of this process may have let go of it again before this one resumes.
    for (let tries = 0; tries < 3 && this.#lease?.held === false; tries += 1) {
      // What others write meanwhile need not be read once it is our turn.
      const busy = await this.#lease.take(() => this.#reading && this.#bringUpToDate());
      if (busy !== undefined) return busy;
      this.#growth.note();
    }
    return undefined;
  }

  #appendNow<A>(decide: (loaded: FilesLoaded<S>) => Decision<A>, known?: LogPosition): Appended<A, S> {
    const unread = this.#settle() ?? (this.#mayRestOn(known) ? undefined : this.#bringUpToDate());
    if (unread !== undefined) return { ok: false, error: unread };
    const loaded = this.#loaded(this.#reading!);
    const { answer, events = [], pins = [] } = decide(loaded);
    if (events.length === 0) {
      const fault = this.#syncNow();
      return fault === undefined ? { ok: true, answer, loaded, written: [] } : { ok: false, error: fault };
    }
    // What the new lines rest on is on disk before they are, and so is each pin that they name.
    const refused = refusal(loaded.findings) ?? this.#syncNow() ?? this.#writePins(pins);
    if (refused !== undefined) return { ok: false, error: refused };
    const outcome = this.#appender.append(this.#reading!, events);
    if (!outcome.ok) {
      this.#reading = undefined;
      return outcome;
    }
    this.#fold(outcome.written);
    // A session that is new to this process: the names that lead to its lines are made durable as well.
    const fault = this.#synced.folders ? undefined : this.#syncNow();
    if (fault !== undefined) return { ok: false, error: fault };
    return { ok: true, answer, loaded: this.#loaded(this.#reading!), written: outcome.written.events };
  }

  /** Who has held the lease since before that reading began is alone; where somebody writes all the same there is a fork, as ever. */
  #mayRestOn(known: LogPosition | undefined): boolean {
    const held = this.#lease?.heldSince;
    return (
      known !== undefined &&
      known === this.#position &&
      this.#reading !== undefined &&
      held !== undefined &&
      held < this.#readAt &&
      this.#appender.stands
    );
  }

  #loaded(reading: Reading<S>): FilesLoaded<S> {
    this.#position = { lastSeq: reading.lastSeq };
    return {
      state: reading.state,
      findings: findingsOf(reading),
      eventCount: reading.eventCount,
      position: this.#position,
      segments: reading.segments,
    };
  }

  #settle(): LogRejection | undefined {
    if (!this.#appender.inDoubt) return undefined;
    this.#reading = undefined;
    return this.#appender.settle();
  }

  #bringUpToDate(): LogRejection | undefined {
    try {
      this.#refresh();
      return undefined;
    } catch (cause) {
      return storageFault(cause, 'read the session', 'nothing written');
    }
  }

  #refresh(): Reading<S> {
    this.#readAt = performance.now();
    const { projection } = this.#env;
    const known = this.#reading ?? this.#snapshot.load();
    // A fold that throws leaves its state half changed: nothing of it may be seen again.
    this.#reading = undefined;
    const reading = known !== undefined && readTail(this.#at, projection, known) ? known : this.#readWhole();
    for (const hash of reading.missingPins) {
      if (!readPinFile(this.#at.pins, hash).ok && !putPinBack(this.#maker, hash)) continue;
      reading.missingPins.delete(hash);
      reading.pinNames.add(hash);
    }
    this.#reading = reading;
    return reading;
  }

  /** The segment and line are on disk and in `reading`'s order after everything in it. */
  #fold(written: Written): void {
    const { segment, events } = written;
    const reading = this.#reading;
    assert(reading !== undefined, 'an append follows a reading');
    this.#reading = undefined;
    placeWritten(reading, written);
    if (reading.segments.size > 1) coverNamed(reading, events);
    foldInto(reading, this.#env.projection, [...events], reading.redacted);
    this.#synced.segments.set(segment.name, { ino: segment.ino, size: segment.size });
    this.#synced.names.add(segment.name);
    this.#reading = reading;
    // What was folded may be withdrawn now.
    if (events.some((event) => event.kind === 'lines_withdrawn')) this.#reading = this.#readWhole();
  }

  #readWhole(): Reading<S> {
    return readWhole(this.#at, this.id, this.#env.projection, this.#missed());
  }

  /** Lines that are known to have been here; asked before the segments are read, as what ends meanwhile is in them. */
  #missed(): readonly KnownTail[] {
    return [...this.#takeUp(), ...witnessesHere(this, this.#at)];
  }

  /** Puts back what git took away between its copy and its removal; what cannot be, and is missed, it returns. */
  #takeUp(): readonly KnownTail[] {
    return takeUpKept(this.#maker, 'what hangs').left.filter(({ kept }) => kept?.here);
  }

  #syncNow(): LogRejection | undefined {
    const reading = this.#reading!;
    try {
      syncSession(this.root.folder, this.#at, reading, this.#synced);
      return undefined;
    } catch (cause) {
      // Not a fault of the disk: it was moved away since it was read, file or folder.
      if (!(cause instanceof SegmentNotSynced)) {
        const [first] = reading.segments.keys();
        if (errorCode(cause) === 'ENOENT' && first !== undefined) return changed(first);
        return storageFault(cause, 'make the session durable', 'nothing written');
      }
      if (errorCode(cause.cause) === 'ENOENT') return changed(cause.segment.name);
      this.#doubtLinesOf(cause.segment, cause.from);
      return storageFault(cause.cause, 'make the session durable', 'nothing written');
    }
  }

  /** What another process wrote and this one could not sync: the system may now think it is on disk. It is written anew. */
  #doubtLinesOf(segment: ReadSegment, from: number): void {
    const read = readFrom(join(this.#at.segments, segment.name), from);
    if (read === undefined) return;
    const bytes = read.bytes.subarray(0, segment.position.offset - from);
    const firstSeq = Number(/"seq":(\d+)/u.exec(bytes.toString('latin1', 0, 40))?.[1] ?? segment.firstSeq);
    this.#appender.doubt(bytes, firstSeq, segment.position.sum as EventSum);
    // They need no second try here: from now on they stand in a segment of ours.
    this.#synced.segments.set(segment.name, { ino: segment.mark.ino, size: segment.position.offset });
  }

  #writePins(pins: readonly { readonly hash: WorkflowHash; readonly text: string }[]): LogRejection | undefined {
    try {
      if (pins.length > 0) this.#appender.prepareFolders();
      for (const { hash, text } of pins) {
        const damage = writePin(this.#at.pins, localFolder(this.root, 'tmp') ?? this.#at.pins, hash, text);
        if (damage !== undefined) return refusal([damage]);
        sparePin(this.root, this.id, this.#at, hash);
        this.#synced.pins.add(hash);
        this.#reading?.pinNames.add(hash);
        this.#reading?.missingPins.delete(hash);
      }
      return undefined;
    } catch (cause) {
      return storageFault(cause, 'keep the compiled workflow', 'nothing written');
    }
  }

  /** After each use: once nothing has come for a while, the lease goes and the snapshot is brought up to date. */
  #rest(): void {
    const count = this.#reading?.eventCount ?? 0;
    this.#env.used(this, weightOf(this.#env.projection, this.#reading), this.#appender.holds || this.#snapshot.holds);
    if (this.#lease?.held !== true && !this.#snapshot.isBehind(count)) return;
    if (this.#idle !== undefined) {
      this.#idle.refresh();
      return;
    }
    this.#idle = setTimeout(() => {
      // Whose turn it is next has no time for a snapshot; the turn brings the next rest.
      if (this.#lease?.awaited === true) return;
      this.#lease?.release();
      this.#appender.rest(this.#reading);
      this.#reading = this.#snapshot.keepNowAndThen(this.#reading);
    }, limits.leaseIdleMs);
    this.#idle.unref();
  }
}
