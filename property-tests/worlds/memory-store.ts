import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lasting } from '../../src/base/in-place.js';
import {
  type EventSum,
  idPatterns,
  type OriginId,
  type SessionId,
  type WorkflowHash,
  type WriterId,
} from '../../src/base/ids.js';
import { err, ok, type Result } from '../../src/base/result.js';
import { sessionPrefix } from '../../src/base/session-prefix.js';
import { compareEvents, type Event, type EventDraft } from '../../src/events/event.js';
import { decodeLine, encodeLine } from '../../src/events/line-codec.js';
import type { Finding } from '../../src/log/port/finding.js';
import type { LogRejection } from '../../src/log/port/log-rejection.js';
import type { Projection } from '../../src/log/port/projection.js';
import type {
  Decide,
  EventRange,
  FollowBatch,
  Loaded,
  LogPosition,
  PinRead,
  PlacedEvent,
  SessionLog,
} from '../../src/log/port/session-log.js';
import type { Place, SessionRef } from '../../src/log/port/session-ref.js';
import type { SessionStore } from '../../src/log/port/session-store.js';
import type { RawLine, StoreCare, TakenAway } from '../../src/log/port/store-care.js';
import type {
  LineSums,
  Part,
  SessionSurvey,
  Staging,
  StoreCarry,
  SurveyVisit,
} from '../../src/log/port/store-carry.js';
import type { StoreRetention } from '../../src/log/port/store-retention.js';
import type { AgentName } from '../../src/base/agent-name.js';
import type { StoreRunning } from '../../src/log/port/store-running.js';
import type { SeenMark, StoreLooks } from '../../src/log/port/store-looks.js';

/** The sessions of one place as whole texts: what processes share, and all that is left when they end. */
export interface Memory {
  readonly name: string;
  readonly sessions: Map<SessionId, Held>;
  readonly trash: { readonly id: SessionId; readonly held: Held }[];
  kept: Buffer | undefined;
  readonly claims: Map<string, { fence: number; held: boolean; of?: string | undefined }>;
  readonly blobs: Map<string, Buffer>;
  readonly agents: Map<string, AgentName>;
  readonly notes: Map<string, string>;
  readonly looks: Map<SessionId, number>;
  told: Buffer | undefined;
}

interface Held {
  /** By name, the text of each segment. */
  readonly segments: Map<string, string>;
  readonly pins: Map<WorkflowHash, string>;
  changes: number;
}

export const emptyMemory = (name = 'memory'): Memory => ({
  name,
  sessions: new Map(),
  trash: [],
  kept: undefined,
  claims: new Map(),
  blobs: new Map(),
  agents: new Map(),
  notes: new Map(),
  looks: new Map(),
  told: undefined,
});
const nothingHeld = (): Held => ({ segments: new Map(), pins: new Map(), changes: 0 });

/** Every line of a place, in the order they were numbered. */
export const linesInMemory = ({ sessions }: Memory): readonly (Event & { readonly session: string })[] =>
  [...sessions]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([session, held]) =>
      segmentsOf(held).flatMap(([, text]) => placed('', text).map(({ event }) => ({ ...event, session }))),
    );

const segmentsOf = ({ segments }: Held): readonly (readonly [string, string])[] =>
  [...segments].toSorted(([a], [b]) => (a < b ? -1 : 1));

function placed(file: string, text: string): readonly PlacedEvent[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const event = decodeLine(Buffer.from(line));
    if (!event.ok) throw new Error(`memory holds a line that cannot be read: ${event.error.message}`);
    return { event: event.value, file, line: index + 1 };
  });
}

/** The events of a session in the total order, those that were redacted left out. */
function eventsOf(held: Held): readonly PlacedEvent[] {
  const all = segmentsOf(held).flatMap(([name, text]) => placed(`segments/${name}`, text));
  const redacted = new Set<string>(
    all.flatMap(({ event }) =>
      event.kind === 'lines_withdrawn' && event.data.reason === 'redacted' ? event.data.sums : [],
    ),
  );
  const byOrder = all
    .filter(({ event }) => !redacted.has(event.sum))
    .toSorted((a, b) => compareEvents(a.event, b.event));
  return byOrder.filter(({ event }, index) => event.sum !== byOrder[index - 1]?.event.sum);
}

export interface MemoryOptions<S> {
  readonly projection: Projection<S>;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** A store of texts in memory, in the plainest way there is: everything is read again from its beginning each time. */
export class MemoryStore<S> implements SessionStore<S> {
  readonly newSessions: Place;
  readonly places: readonly Place[];
  readonly looks: StoreLooks<S>;
  readonly care: StoreCare;
  readonly carry: StoreCarry;
  readonly running: StoreRunning;
  readonly retention: StoreRetention;
  readonly #memory: Memory;
  readonly #options: MemoryOptions<S>;
  readonly #logs = new Map<SessionId, MemoryLog<S>>();

  constructor(memory: Memory, options: MemoryOptions<S>) {
    this.newSessions = { kind: 'given', name: memory.name };
    this.places = [this.newSessions];
    this.#memory = memory;
    this.#options = options;
    this.looks = this.#makeLooks();
    this.carry = new MemoryCarry(memory);
    this.care = this.#makeCare();
    this.running = runningIn(memory);
    this.retention = retentionIn(memory);
  }

  async list(): Promise<readonly SessionRef[]> {
    return this.looks.listIn(this.newSessions).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async find(id: string): Promise<SessionRef | undefined> {
    const all = await this.list();
    return all.find((ref) => ref.id === id) ?? all.find((ref) => ref.id.toLowerCase() === id.toLowerCase());
  }

  async byToken(prefix: bigint, bits: 34 | 82): Promise<readonly SessionLog<S>[]> {
    return (await this.list()).filter(({ id }) => sessionPrefix(id, bits) === prefix).map((ref) => this.open(ref));
  }

  open({ id }: SessionRef): SessionLog<S> {
    const known = this.#logs.get(id) ?? new MemoryLog(id, this.newSessions, this.#memory, this.#options);
    this.#logs.set(id, known);
    return known;
  }

  glance(ref: SessionRef): SessionLog<S> {
    return this.open(ref);
  }

  create(id: SessionId): SessionLog<S> {
    return this.open({ id, place: this.newSessions });
  }

  async close(): Promise<void> {
    this.#logs.clear();
  }

  #makeLooks(): StoreLooks<S> {
    const memory = this.#memory;
    const unseen: SeenMark = { settled: true };
    const markOf = ({ id }: SessionRef): SeenMark & { readonly changes: number } => ({
      settled: true,
      changes: memory.sessions.get(id)?.changes ?? -1,
    });
    const same = (a: SeenMark, b: SeenMark): boolean => 'changes' in a && 'changes' in b && a.changes === b.changes;
    return {
      unseen,
      same,
      listIn: (place) => [...memory.sessions.keys()].map((id) => ({ id, place })),
      listedAt: () => undefined,
      touchedAt: ({ id }) => memory.sessions.get(id)?.changes ?? 0,
      hints: () => ({ look: () => ({ unknown: true, ids: new Set() }) }),
      read: async (ref, take) => {
        const mark = markOf(ref);
        return { mark, taken: await this.open(ref).read(take) };
      },
      refresh: (ref, mark) => (same(markOf(ref), mark) ? mark : markOf(ref)),
      kept: () => memory.kept,
      keep: (_, bytes) => {
        memory.kept = bytes();
        return true;
      },
    };
  }

  #makeCare(): StoreCare {
    const memory = this.#memory;
    const place = this.newSessions;
    const lines = (held: Held): readonly RawLine[] =>
      segmentsOf(held).flatMap(([name, text]) => placed(`segments/${name}`, text));
    const unknown: LogRejection = { code: 'STORAGE_FAULT', message: 'memory cannot do that' };
    return {
      examine: async ({ id }) => {
        const held = memory.sessions.get(id) ?? nothingHeld();
        return { events: eventsOf(held).length, findings: [], pins: [...held.pins.keys()] };
      },
      examineBeside: () => [],
      examineTogether: async () => [],
      repair: async () => err(unknown),
      redact: async () => err(unknown),
      lines: ({ id }) => lines(memory.sessions.get(id) ?? nothingHeld()),
      takeAway: async <V>(ref: SessionRef, _: Date, judge: () => Promise<V>, mayGo: (verdict: V) => boolean) => {
        const verdict = await judge();
        if (!mayGo(verdict)) return { kind: 'spared', verdict } satisfies TakenAway<V>;
        const held = memory.sessions.get(ref.id);
        if (held !== undefined) memory.trash.push({ id: ref.id, held });
        memory.sessions.delete(ref.id);
        return { kind: 'gone', verdict } satisfies TakenAway<V>;
      },
      away: () => [],
      keptBeside: () => [],
      trash: () =>
        memory.trash.map(({ id, held }, index) => ({
          id,
          place,
          where: `trash/${index}`,
          at: `${memory.name}/trash/${index}`,
          home: `${memory.name}/${id}`,
          lines: () => lines(held),
        })),
      emptyTrash: (_, remove) => {
        const sessions = memory.trash.length;
        if (remove) memory.trash.length = 0;
        return { sessions, bytes: 0 };
      },
      size: ({ id }) =>
        segmentsOf(memory.sessions.get(id) ?? nothingHeld()).reduce((sum, [, text]) => sum + text.length, 0),
      isInGit: () => false,
    };
  }
}

function retentionIn(memory: Memory): StoreRetention {
  return {
    noteLook: ({ id }) => void memory.looks.set(id, Date.now()),
    lookedAt: ({ id }) => memory.looks.get(id),
    told: () => memory.told,
    tell: (_, bytes) => {
      memory.told = bytes;
      return true;
    },
  };
}

/** Nobody dies in memory: a claim is free once it was let go. */
function runningIn({ claims, blobs, agents, notes }: Memory): StoreRunning {
  return {
    noteAgent: (_, event, agent) => {
      if (idPatterns.sum.test(event)) agents.set(event, agent);
    },
    agentOf: (_, event) => agents.get(event),
    take: async (_, name, of) => {
      const last = claims.get(name) ?? { fence: 0, held: false };
      if (last.held) return undefined;
      claims.set(name, { fence: last.fence + 1, held: true, of });
      return { name, fence: last.fence + 1 };
    },
    check: async (_, { name, fence }) => claims.get(name)?.fence === fence && claims.get(name)?.held === true,
    letGo: async (_, { name, fence }) => {
      if (claims.get(name)?.fence === fence) claims.set(name, { fence, held: false, of: claims.get(name)?.of });
    },
    holder: (_, name) => (claims.get(name)?.held === true ? { isSeen: true } : undefined),
    letGoFor: async () => undefined,
    claimed: () =>
      [...new Set([...claims.keys(), ...notes.keys()])]
        .filter((name) => claims.get(name)?.held !== true)
        .map((name) => ({ name, noted: notes.get(name), of: claims.get(name)?.of, at: 0 })),
    forget: (_, name) => {
      if (claims.get(name)?.held === true) return;
      claims.delete(name);
      notes.delete(name);
    },
    note: (_, name, text) => void notes.set(name, text),
    noted: (_, name) => notes.get(name),
    blob: async (_, digest) => blobs.get(digest),
    putBlob: async (_, bytes) => {
      const digest = hash('sha256', bytes);
      blobs.set(digest, Buffer.from(bytes));
      return digest;
    },
  };
}

class MemoryLog<S> implements SessionLog<S> {
  readonly id: SessionId;
  readonly place: Place;
  readonly #memory: Memory;
  readonly #options: MemoryOptions<S>;
  /** The segment that this process appends to. */
  #own: { readonly name: string; readonly writer: WriterId } | undefined;

  constructor(id: SessionId, place: Place, memory: Memory, options: MemoryOptions<S>) {
    this.id = id;
    this.place = place;
    this.#memory = memory;
    this.#options = options;
  }

  get #held(): Held {
    return this.#memory.sessions.get(this.id) ?? nothingHeld();
  }

  #load(): Loaded<S> {
    const { projection } = this.#options;
    const events = eventsOf(this.#held).map(({ event }) => event);
    return {
      state: projection.fold(projection.empty(), events),
      findings: [],
      eventCount: events.length,
      position: { lastSeq: events.at(-1)?.seq ?? 0 },
    };
  }

  async read<A>(take: (loaded: Loaded<S>) => A): Promise<Lasting<A>> {
    return take(this.#load()) as Lasting<A>;
  }

  async append<D, A>(
    decide: Decide<S, D>,
    answer: (loaded: Loaded<S>, decided: D) => A,
    _known?: LogPosition,
  ): Promise<Result<Lasting<A>, LogRejection>> {
    // Asked twice, as where somebody else was faster: the first answer must leave no trace.
    decide(this.#load());
    const { answer: decided, events = [], pins = [] } = decide(this.#load());
    if (events.length > 0) this.#write(events, pins);
    return ok(answer(this.#load(), decided) as Lasting<A>);
  }

  #write(events: readonly EventDraft[], pins: readonly { hash: WorkflowHash; text: string }[]): void {
    const held = this.#held;
    const { position } = this.#load();
    const at = this.#options.now().toISOString();
    this.#memory.sessions.set(this.id, held);
    for (const { hash: name, text } of pins) held.pins.set(name, text);
    const own = (this.#own ??= this.#beginSegment(position.lastSeq + 1));
    let text = held.segments.get(own.name) ?? '';
    let prev: EventSum | '' = text === '' ? '' : placed('', text).at(-1)!.event.sum;
    for (const [index, draft] of events.entries()) {
      const { line, event } = encodeLine(draft, {
        seq: position.lastSeq + 1 + index,
        by: own.writer,
        at,
        prev,
        ...(text === '' && { origin: originOf(held) ?? (this.id as string as OriginId) }),
        ...(index < events.length - 1 && { more: true }),
      });
      text += line;
      prev = event.sum;
    }
    held.segments.set(own.name, text);
    held.changes += 1;
  }

  #beginSegment(seq: number): { readonly name: string; readonly writer: WriterId } {
    const letters = '0123456789abcdefghjkmnpqrstvwxyz';
    const writer = Array.from(this.#options.randomBytes(10), (byte) => letters[byte & 31]).join('') as WriterId;
    return { writer, name: `${String(seq).padStart(6, '0')}-${writer}.ndjson` };
  }

  async confirm(): Promise<undefined> {
    return undefined;
  }

  async *events({ after, upTo }: EventRange = {}): AsyncGenerator<PlacedEvent, readonly Finding[], undefined> {
    for (const one of eventsOf(this.#held)) {
      if (upTo !== undefined && compareEvents(one.event, upTo) > 0) continue;
      if (after === undefined || compareEvents(one.event, after) > 0) yield one;
    }
    return [];
  }

  follow(
    from: { readonly position: string } | 'start' | 'end',
    signal: AbortSignal,
  ): AsyncIterable<FollowBatch> | undefined {
    let told: readonly string[] = [];
    if (typeof from !== 'string') {
      if (!from.position.startsWith('["') && from.position !== '[]') return undefined;
      told = JSON.parse(from.position) as readonly string[];
    }
    if (from === 'end') told = eventsOf(this.#held).map(({ event }) => event.sum);
    return this.#batches(new Set(told), signal);
  }

  async *#batches(told: Set<string>, signal: AbortSignal): AsyncGenerator<FollowBatch, void, undefined> {
    for (let first = true; first || !signal.aborted; first = false) {
      const gone = !this.#memory.sessions.has(this.id);
      const fresh = eventsOf(this.#held).filter(({ event }) => !told.has(event.sum));
      for (const { event } of fresh) told.add(event.sum);
      if (first || gone || fresh.length > 0)
        yield {
          events: fresh.map((one) => ({ ...one, merged: false })),
          findings: [],
          gone,
          upToDate: true,
          position: JSON.stringify([...told]),
        };
      await pause(5);
    }
  }

  async pin(name: WorkflowHash): Promise<PinRead> {
    const text = this.#held.pins.get(name);
    if (text !== undefined) return { ok: true, text };
    return {
      ok: false,
      finding: { level: 'incomplete', file: `pins/${name}.json`, message: 'it is not here', remedy: 'bring it back' },
    };
  }

  async hasPin(name: WorkflowHash): Promise<boolean> {
    return this.#held.pins.has(name);
  }

  async putPin(name: WorkflowHash, text: string): Promise<undefined> {
    this.#memory.sessions.get(this.id)?.pins.set(name, text);
  }

  letGo(): void {
    this.#own = undefined;
  }
}

const originOf = (held: Held): OriginId | undefined =>
  segmentsOf(held)
    .flatMap(([, text]) => placed('', text))
    .find(({ event }) => event.origin !== undefined)?.event.origin;

const sha256 = (text: string): string => hash('sha256', text);

function sumsOf(sums: readonly string[]): LineSums {
  const sorted = (): BigUint64Array => BigUint64Array.from(sums, (sum) => BigInt(`0x${sum}`)).sort();
  return {
    sorted,
    strike: (wanted) => sums.forEach((sum) => wanted.delete(sum)),
    meets: (other) => {
      const theirs = new Set(other.sorted());
      return sorted().some((sum) => theirs.has(sum));
    },
  };
}

function survey(held: Held, { begin, line, progress }: SurveyVisit): SessionSurvey {
  const segments = segmentsOf(held).map(([name, text]) => ({ name: `segments/${name}`, text }));
  begin?.(new Set());
  for (const { name, text } of segments) {
    for (const one of placed(name, text)) line?.(one.event, one.file, one.line);
    progress?.(Buffer.byteLength(text));
  }
  const part = (name: string, text: string): Part & { readonly sha256: string } => ({
    name,
    size: Buffer.byteLength(text),
    sha256: sha256(text),
  });
  return {
    origin: originOf(held),
    segments: segments.map(({ name, text }) => part(name, text)),
    pins: [...held.pins].map(([name, text]) => part(`pins/${name}.json`, text)),
    findings: [],
    lines: sumsOf(segments.flatMap(({ text }) => placed('', text).map(({ event }) => event.sum))),
    redacted: new Set(),
  };
}

class MemoryCarry implements StoreCarry {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  #held({ id }: SessionRef): Held {
    return this.#memory.sessions.get(id) ?? nothingHeld();
  }

  parts(ref: SessionRef): readonly Part[] {
    return survey(this.#held(ref), {}).segments;
  }

  origin(ref: SessionRef): OriginId | undefined {
    return originOf(this.#held(ref));
  }

  async survey(ref: SessionRef, visit: SurveyVisit = {}): Promise<SessionSurvey> {
    return survey(this.#held(ref), visit);
  }

  read(ref: SessionRef, part: Part): Iterable<Buffer> {
    return bytesOf(this.#held(ref), part);
  }

  confirm(): void {
    return undefined;
  }

  stage(): Staging {
    const staged = nothingHeld();
    const { sessions } = this.#memory;
    return {
      put: async (name, bytes) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of bytes) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        const [kind, file = ''] = name.split('/');
        if (kind === 'pins') staged.pins.set(file.replace(/\.json$/u, '') as WorkflowHash, text);
        else staged.segments.set(file, text);
      },
      survey: async (_, visit) => survey(staged, visit),
      read: (part) => bytesOf(staged, part),
      install: (id) => {
        if (sessions.has(id)) return 'taken';
        sessions.set(id, staged);
        return 'installed';
      },
      merge: async ({ id }) => {
        const into = sessions.get(id) ?? nothingHeld();
        const diverged = [...staged.segments].find(([name, text]) => {
          const here = into.segments.get(name) ?? '';
          return !here.startsWith(text) && !text.startsWith(here);
        });
        if (diverged !== undefined) return ok(err({ diverged: `segments/${diverged[0]}` }));
        const coming = [...staged.segments].filter(
          ([name, text]) => text.length > (into.segments.get(name) ?? '').length,
        );
        const grown = coming.filter(([name]) => into.segments.has(name)).length;
        for (const [name, text] of coming) into.segments.set(name, text);
        for (const [name, text] of staged.pins) into.pins.set(name, text);
        into.changes += 1;
        sessions.set(id, into);
        return ok(ok({ added: coming.length - grown, grown }));
      },
      discard: () => undefined,
    };
  }
}

function bytesOf({ segments, pins }: Held, { name, size }: Part): readonly Buffer[] {
  const [kind, file = ''] = name.split('/');
  const text = kind === 'pins' ? pins.get(file.replace(/\.json$/u, '') as WorkflowHash) : segments.get(file);
  return [Buffer.from(text ?? '').subarray(0, size)];
}
