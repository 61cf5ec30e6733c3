import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import type { EventSum, OriginId, SessionId, WriterId } from '../../base/ids.js';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { compareEvents, type Envelope } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { isRealFolder, noFollow } from '../../files/folders.js';
import { type PlacedEvent, readEvents } from './read-events.js';
import { stopFinding } from '../segments/reading.js';
import { type Position, readLines, segmentStart } from '../segments/segment-lines.js';
import {
  type FileMark,
  linkedFolders,
  type ListedSegment,
  listSegments,
  readFrom,
  type SessionFolder,
} from '../segments/session-folder.js';
import { noWithdrawals, type Withdrawals, withWithdrawals } from '../segments/withdrawals.js';

type Order = Pick<Envelope, 'seq' | 'by' | 'sum'>;

/** What somebody who follows a session has been told. Plain data, so that it can be carried away and come back. */
export interface FollowPosition {
  /** The highest number told of each segment. Inside one segment numbers only rise. */
  readonly told: { readonly [segment: string]: number };
  /** Lines that were told from a segment of another writer, who repeated them. */
  readonly copies: readonly string[];
  readonly greatest?: Order;
}

export interface FollowedEvent extends PlacedEvent {
  /** It sorts before something that was told earlier: another clone's work has come in. */
  readonly merged: boolean;
}

export interface FollowBatch {
  readonly events: readonly FollowedEvent[];
  readonly findings: readonly Finding[];
  /** The session's folder is not there any more. */
  readonly gone: boolean;
  readonly position: FollowPosition;
}

/** How far a segment was read, and what was withdrawn then: that decides whether looking at the same bytes again is worth it. */
interface Read {
  readonly mark: FileMark;
  readonly position: Position;
  readonly stoppedUnder?: Withdrawals;
}

/** Events may be as long as a line may be. */
const batchSize = 32;

/** Each event of a session once, in the order in which it comes in: what is there already first, then what is appended and merged. */
export class SessionFollower {
  readonly #at: SessionFolder;
  readonly #id: SessionId;
  readonly #told: Map<string, number>;
  readonly #copies: Set<string>;
  readonly #read = new Map<string, Read>();
  #withdrawals: Withdrawals = noWithdrawals;
  readonly #said = new Set<string>();
  #origin: OriginId | undefined;
  #greatest: Order | undefined;

  constructor(at: SessionFolder, id: SessionId, from: FollowPosition | undefined) {
    this.#at = at;
    this.#id = id;
    this.#told = new Map(Object.entries(from?.told ?? {}));
    this.#copies = new Set(from?.copies);
    this.#greatest = from?.greatest;
  }

  /** What is there already, in the total order and with flat memory. */
  *history(): Generator<FollowBatch, void, undefined> {
    let events: FollowedEvent[] = [];
    const placed = readEvents(this.#at, this.#id);
    for (let next = placed.next(); ; next = placed.next()) {
      if (next.done === true) {
        yield this.#batch(events, next.value);
        return;
      }
      if (next.value.event.kind === 'lines_withdrawn')
        this.#withdrawals = withWithdrawals(this.#withdrawals, [next.value.event.data]);
      const followed = this.#tell(next.value);
      if (followed !== undefined) events.push(followed);
      if (events.length < batchSize) continue;
      yield this.#batch(events, []);
      events = [];
    }
  }

  /** Marks all that is there as told. */
  skip(): void {
    const all = this.history();
    while (all.next().done !== true) continue;
  }

  /** What has come since, until the signal. A batch may be empty of events where something else is to be said. */
  async *changes(signal: AbortSignal): AsyncGenerator<FollowBatch, void, undefined> {
    const bell = ring(this.#at.segments, signal);
    try {
      while (!signal.aborted) {
        const gone = !isRealFolder(this.#at.folder);
        const batch = gone ? this.#batch([], [], true) : this.look();
        if (batch.events.length > 0 || batch.findings.length > 0 || gone) yield batch;
        await bell.next();
      }
    } finally {
      await bell.close();
    }
  }

  /** What has come since the last look. */
  look(): FollowBatch {
    const fresh: PlacedEvent[] = [];
    const findings = new Map<string, Finding>();
    // What one segment withdraws can make another one readable, so it is tried again.
    for (let known: Withdrawals | undefined; known !== this.#withdrawals;) {
      known = this.#withdrawals;
      const listed = linkedFolders(this.#at).length > 0 ? [] : listSegments(this.#at.segments).segments;
      for (const segment of listed) fresh.push(...this.#grown(segment, findings));
    }
    fresh.sort((a, b) => compareEvents(a.event, b.event));
    const events = fresh.flatMap((placed) => this.#tell(placed) ?? []);
    const said = [...findings.values()].filter(
      (finding) => finding.level !== 'torn' && !this.#said.has(saying(finding)),
    );
    for (const finding of said) this.#said.add(saying(finding));
    return this.#batch(events, said);
  }

  #grown(listed: ListedSegment, findings: Map<string, Finding>): PlacedEvent[] {
    const { name, writer, firstSeq } = listed;
    const file = join(this.#at.segments, name);
    const read = this.#read.get(name);
    const tryAgain = read?.stoppedUnder !== undefined && read.stoppedUnder !== this.#withdrawals;
    if (read !== undefined && !tryAgain && sameMark(read.mark, listed)) return [];
    // A checkout puts another file in its place; as long as the line that was read last is where it was, so is all before it.
    const from = read !== undefined && stillEndsThere(file, read.position) ? read.position : segmentStart;
    const under = this.#withdrawals;
    const bytes = readFrom(file, from.offset);
    if (bytes === undefined) return [];
    const { events, position, stop, withdrawnBehind } = readLines(bytes.bytes, from, {
      writer,
      firstSeq,
      withdrawn: this.#withdrawals.withdrawn,
      origin: this.#origin,
    });
    this.#origin ??= position.origin;
    this.#withdrawals = withWithdrawals(this.#withdrawals, [
      ...withdrawnBehind,
      ...events.flatMap((event) => (event.kind === 'lines_withdrawn' ? [event.data] : [])),
    ]);
    this.#read.set(name, { mark: bytes.mark, position, ...(stop !== undefined && { stoppedUnder: under }) });
    if (stop === undefined) findings.delete(name);
    else findings.set(name, stopFinding(name, stop));
    // What was told before is let go here: a first look reads all there is.
    const told = this.#told.get(name) ?? 0;
    return events.flatMap((event, index) =>
      event.seq > told ? [{ event, file: `segments/${name}`, line: from.lines + index + 1 }] : [],
    );
  }

  /** Undefined for what was told before: by its segment, or as a copy that another writer made of it. */
  #tell(placed: PlacedEvent): FollowedEvent | undefined {
    const { event } = placed;
    const name = placed.file.slice('segments/'.length);
    if (event.seq <= (this.#told.get(name) ?? 0)) return undefined;
    this.#told.set(name, event.seq);
    if (this.#withdrawals.redacted.has(event.sum) || this.#copies.has(event.sum)) return undefined;
    if (!name.endsWith(`-${event.by}.ndjson`)) {
      const own = [...this.#told].find(([segment]) => segment.endsWith(`-${event.by}.ndjson`));
      if (own !== undefined && own[1] >= event.seq) return undefined;
      this.#copies.add(event.sum);
    }
    const merged = this.#greatest !== undefined && compareEvents(event, this.#greatest) < 0;
    if (!merged) this.#greatest = { seq: event.seq, by: event.by, sum: event.sum };
    return { ...placed, merged };
  }

  #batch(events: readonly FollowedEvent[], findings: readonly Finding[], gone = false): FollowBatch {
    const position = {
      told: Object.fromEntries(this.#told),
      copies: [...this.#copies],
      ...(this.#greatest !== undefined && { greatest: this.#greatest }),
    };
    return { events, findings, gone, position };
  }
}

const sameMark = (a: FileMark, b: FileMark): boolean => a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
const saying = ({ file, line, message }: Finding): string => `${file} ${line} ${message}`;

/** Whether the last line that was read still ends where it ended. */
function stillEndsThere(file: string, { offset, sum }: Position): boolean {
  const end = `"sum":"${sum}"}\n`;
  if (offset < end.length) return false;
  const found = Buffer.alloc(end.length);
  try {
    const fd = openSync(file, constants.O_RDONLY | noFollow);
    try {
      readSync(fd, found, 0, end.length, offset - end.length);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
  return found.toString('latin1') === end;
}

/** Rings when something happens in a folder, and from time to time of itself: not every file system tells. */
function ring(
  folder: string,
  signal: AbortSignal,
): { readonly next: () => Promise<void>; readonly close: () => Promise<void> } {
  let rung = false;
  let wake: (() => void) | undefined;
  const sound = (): void => {
    rung = true;
    wake?.();
  };
  const watcher = watch(folder, { ignoreInitial: true, followSymlinks: false, depth: 0 })
    .on('all', sound)
    .on('error', sound);
  const clock = setInterval(sound, limits.followLookMs);
  signal.addEventListener('abort', sound, { once: true });
  return {
    next: async () => {
      if (!rung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      rung = false;
    },
    close: async () => {
      clearInterval(clock);
      signal.removeEventListener('abort', sound);
      await watcher.close();
    },
  };
}

/** A position that was carried away as JSON; undefined where it is none. */
export function readFollowPosition(text: string): FollowPosition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !isJsonObject(value['told']) || !Array.isArray(value['copies'])) return undefined;
  const told = Object.entries(value['told']).flatMap(([name, seq]) =>
    typeof seq === 'number' ? [[name, seq] as const] : [],
  );
  const copies = (value['copies'] as readonly unknown[]).filter((sum) => typeof sum === 'string');
  const greatest = orderIn(value['greatest']);
  return { told: Object.fromEntries(told), copies, ...(greatest !== undefined && { greatest }) };
}

function orderIn(value: unknown): Order | undefined {
  if (!isJsonObject(value)) return undefined;
  const { seq, by, sum } = value;
  return typeof seq === 'number' && typeof by === 'string' && typeof sum === 'string'
    ? { seq, by: by as WriterId, sum: sum as EventSum }
    : undefined;
}
