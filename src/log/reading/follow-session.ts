import { watch } from 'chokidar';
import type { EventSum, SessionId, WriterId } from '../../base/ids.js';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { compareEvents, type EventPosition } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { isRealFolder } from '../../files/folders.js';
import { stopFinding } from '../segments/reading.js';
import type { SessionFolder } from '../segments/session-folder.js';
import type { FollowBatch, FollowedEvent, PlacedEvent } from '../port/session-log.js';
import { type Passed, passOver, type Visit } from './pass-over.js';
import { eventsOf, findEvents } from './read-events.js';

/** What somebody who follows a session has been told. Plain data, so that it can be carried away and come back. */
interface FollowPosition {
  /** The highest number told of each segment. Inside one segment numbers only rise. */
  readonly told: { readonly [segment: string]: number };
  /** Lines that were told from a segment of another writer, who repeated them. */
  readonly copies: readonly string[];
  readonly greatest?: EventPosition;
}

/** A session's events from a place on: what is there first, then what comes in. Undefined where the position cannot be read. */
export function followSession(
  at: SessionFolder,
  id: SessionId,
  from: { readonly position: string } | 'start' | 'end',
  signal: AbortSignal,
): AsyncIterable<FollowBatch> | undefined {
  const position = typeof from === 'string' ? undefined : readFollowPosition(from.position);
  if (typeof from !== 'string' && position === undefined) return undefined;
  return batches(new SessionFollower(at, id, position), from === 'end', signal);
}

async function* batches(
  follower: SessionFollower,
  fromEnd: boolean,
  signal: AbortSignal,
): AsyncGenerator<FollowBatch, void, undefined> {
  if (fromEnd) follower.skip();
  else for (const batch of follower.history()) if (batch.events.length > 0 || batch.findings.length > 0) yield batch;
  yield { ...follower.look(), findings: [] };
  yield* follower.changes(signal);
}

/** Events may be as long as a line may be. */
const batchSize = 32;

/** Each event of a session once, in the order in which it comes in: what is there already first, then what is appended and merged. */
export class SessionFollower {
  readonly #at: SessionFolder;
  readonly #id: SessionId;
  readonly #told: Map<string, number>;
  readonly #copies: Set<string>;
  readonly #said = new Set<string>();
  #passed: Passed | undefined;
  #greatest: EventPosition | undefined;

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
    const { findings, ...passed } = findEvents(this.#at, this.#id);
    for (const placed of eventsOf(this.#at, passed)) {
      const followed = this.#tell(placed);
      if (followed !== undefined) events.push(followed);
      if (events.length < batchSize) continue;
      yield this.#batch(events, [], false);
      events = [];
    }
    this.#passed = passed;
    for (const finding of findings) this.#said.add(saying(finding));
    yield this.#batch(events, findings, false);
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
        const batch = gone ? this.#batch([], [], true, true) : this.look();
        if (batch.events.length > 0 || batch.findings.length > 0 || gone) yield batch;
        await bell.next();
      }
    } finally {
      await bell.close();
    }
  }

  /** What has come since the last look. */
  look(): FollowBatch {
    let fresh: PlacedEvent[] = [];
    const begin = (): void => {
      fresh = [];
    };
    // What was told before is let go here: a first look reads all there is.
    const segment: Visit['segment'] = ({ name }, { events }, from) => {
      const told = this.#told.get(name) ?? 0;
      for (const [index, event] of events.entries())
        if (event.seq > told) fresh.push({ event, file: `segments/${name}`, line: from.lines + index + 1 });
    };
    const { segments, rules } = passOver(this.#at, this.#id, { begin, segment }, this.#passed);
    this.#passed = { segments, rules };
    fresh.sort((a, b) => compareEvents(a.event, b.event));
    const events = fresh.flatMap((placed) => this.#tell(placed) ?? []);
    const stops = [...segments.values()].flatMap(({ name, stop }) =>
      stop === undefined || stop.level === 'torn' ? [] : [stopFinding(name, stop)],
    );
    const said = stops.filter((finding) => !this.#said.has(saying(finding)));
    for (const finding of said) this.#said.add(saying(finding));
    return this.#batch(events, said, true);
  }

  /** Undefined for what was told before: by its segment, or as a copy that another writer made of it. */
  #tell(placed: PlacedEvent): FollowedEvent | undefined {
    const { event } = placed;
    const name = placed.file.slice('segments/'.length);
    if (event.seq <= (this.#told.get(name) ?? 0)) return undefined;
    this.#told.set(name, event.seq);
    if (this.#passed?.rules.redacted.has(event.sum) === true || this.#copies.has(event.sum)) return undefined;
    if (!name.endsWith(`-${event.by}.ndjson`)) {
      const own = [...this.#told].find(([segment]) => segment.endsWith(`-${event.by}.ndjson`));
      if (own !== undefined && own[1] >= event.seq) return undefined;
      this.#copies.add(event.sum);
    }
    const merged = this.#greatest !== undefined && compareEvents(event, this.#greatest) < 0;
    if (!merged) this.#greatest = { seq: event.seq, by: event.by, sum: event.sum };
    return { ...placed, merged };
  }

  #batch(events: readonly FollowedEvent[], findings: readonly Finding[], upToDate: boolean, gone = false): FollowBatch {
    const position = { told: Object.fromEntries(this.#told), copies: [...this.#copies], greatest: this.#greatest };
    return { events, findings, gone, upToDate, position: JSON.stringify(position) };
  }
}

const saying = ({ file, line, message }: Finding): string => `${file} ${line} ${message}`;

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

function orderIn(value: unknown): EventPosition | undefined {
  if (!isJsonObject(value)) return undefined;
  const { seq, by, sum } = value;
  return typeof seq === 'number' && typeof by === 'string' && typeof sum === 'string'
    ? { seq, by: by as WriterId, sum: sum as EventSum }
    : undefined;
}
