import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { SessionId } from '../../src/base/ids.js';
import type { Event } from '../../src/events/event.js';
import type { EventRange, SessionLog } from '../../src/log/port/session-log.js';
import type { Claim } from '../../src/log/port/store-running.js';
import type { SessionStore } from '../../src/log/port/session-store.js';
import { note, pinOf, runStarted, type Seen, textOf } from './log-world.js';

type ClaimDeed = 'take' | 'check' | 'let go' | 'holder' | 'forget';

/** Something done with a store, by one of several processes, to one of a few sessions. */
export interface Deed {
  readonly process: number;
  readonly session: SessionId;
  readonly does:
    | { readonly kind: 'append'; readonly texts: readonly string[] }
    | { readonly kind: 'start'; readonly pin: string }
    | { readonly kind: 'refuse' }
    | { readonly kind: 'range'; readonly after: number; readonly upTo: number }
    | { readonly kind: 'follow'; readonly from: 'start' | 'end' | 'again' }
    | { readonly kind: 'claim'; readonly does: ClaimDeed }
    | { readonly kind: 'blob'; readonly text: string }
    | { readonly kind: 'agent'; readonly event: string; readonly name: string }
    | { readonly kind: 'read' | 'pins' | 'list' | 'find' | 'token' | 'let go' | 'look' | 'carry' | 'take away' };
}

const sessions = ['ALPHA-1', 'beta', 'ses_gamma'].map((id) => id as SessionId);
const plain = (['read', 'pins', 'list', 'find', 'token', 'let go', 'look', 'carry', 'take away'] as const).map(
  (kind) => ({
    kind,
  }),
);

export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    process: fc.nat(2),
    session: fc.constantFrom(...sessions),
    does: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('append' as const),
          texts: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('start' as const), pin: fc.constantFrom('one', 'two') }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'refuse' as const }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('range' as const), after: fc.nat(12), upTo: fc.nat(12) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('follow' as const),
          from: fc.constantFrom('start' as const, 'end' as const, 'again' as const),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('claim' as const),
          does: fc.constantFrom<ClaimDeed>('take', 'take', 'check', 'let go', 'let go', 'holder', 'forget'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('blob' as const), text: fc.string() }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('agent' as const),
          event: fc.constantFrom('0123456789abcdef', 'fedcba9876543210', '../sessions', ''),
          name: fc.constantFrom('one', 'other'),
        }),
      },
      { weight: 6, arbitrary: fc.constantFrom(...plain) },
    ),
  }),
  { minLength: 4, maxLength: 40 },
);

/** How a store is opened over what all processes share. */
export interface StoreWorld {
  open(): SessionStore<Seen>;
  close(): Promise<void>;
}

/** Does what is asked and says what came of it, in words that no choice of names or numbers shows in. */
export class StorePlay {
  readonly #world: StoreWorld;
  readonly #stores: (SessionStore<Seen> | undefined)[] = [];
  readonly #positions = new Map<SessionId, string>();
  /** The last claim that each process took of each name. */
  readonly #claims = new Map<string, Claim>();

  constructor(world: StoreWorld) {
    this.#world = world;
  }

  async do({ process, session, does }: Deed): Promise<unknown> {
    const store = (this.#stores[process] ??= this.#world.open());
    const log = store.create(session);
    switch (does.kind) {
      case 'append':
        return log.append(
          ({ eventCount }) => ({ answer: eventCount, events: does.texts.map(note) }),
          ({ state }, before) => ({ before, texts: [...state.texts] }),
        );
      case 'start': {
        const pin = pinOf(does.pin);
        return log.append(
          () => ({ answer: does.pin, events: [runStarted(pin.hash)], pins: [pin] }),
          ({ eventCount }, answer) => ({ answer, eventCount }),
        );
      }
      case 'refuse':
        return log.append(
          ({ state }) => ({ answer: state.texts.length }),
          ({ eventCount }, seen) => ({ eventCount, seen }),
        );
      case 'read':
        return [
          await log.confirm(),
          await log.read(({ state, findings, eventCount }) => ({
            texts: [...state.texts],
            findings: [...findings],
            eventCount,
          })),
        ];
      case 'range':
        return rangeOf(log, does.after, does.upTo);
      case 'follow':
        return this.#follow(log, does.from);
      case 'pins':
        return Promise.all(
          ['one', 'two', 'three'].map(async (text) => {
            const { hash } = pinOf(text);
            const read = await log.pin(hash);
            return [await log.hasPin(hash), read.ok ? read.text : read.finding.level];
          }),
        );
      case 'list':
        return (await store.list()).map(({ id, place }) => [id, place.kind]);
      case 'find':
        return [
          (await store.find(session.toUpperCase()))?.id,
          (await store.find(session))?.id,
          await store.find(`${session}x`),
        ];
      case 'token': {
        const prefix = BigInt(`0x${createHash('sha256').update(session).digest('hex').slice(0, 24)}`);
        const met = await store.byToken(prefix >> 62n, 34, 'anew');
        const closer = await store.byToken(prefix >> 14n, 82);
        return [met.map(({ id }) => id), closer.map(({ id }) => id)];
      }
      case 'claim':
        return this.#claim(store, `${process} ${session}`, session, does.does);
      case 'blob': {
        const digest = await store.running.putBlob(store.newSessions, Buffer.from(does.text));
        const none = await store.running.blob(store.newSessions, digest.replace(/^./u, 'x'));
        return [digest, (await store.running.blob(store.newSessions, digest))?.toString(), none];
      }
      case 'agent': {
        const before = store.running.agentOf(store.newSessions, does.event);
        store.running.noteAgent(store.newSessions, does.event, { name: does.name, version: '1' });
        return [before, store.running.agentOf(store.newSessions, does.event)];
      }
      case 'let go':
        log.letGo();
        return undefined;
      case 'look':
        return this.#look(store);
      case 'carry':
        return carry(store, session);
      case 'take away':
        return this.#takeAway(store, session);
    }
  }

  async #claim(
    { running, newSessions }: SessionStore<Seen>,
    mine: string,
    name: string,
    does: ClaimDeed,
  ): Promise<unknown> {
    const held = this.#claims.get(mine);
    if (does === 'take') {
      const taken = await running.take(newSessions, name);
      if (taken !== undefined) this.#claims.set(mine, taken);
      return taken;
    }
    if (does === 'holder') return running.holder(newSessions, name)?.isSeen;
    if (does === 'forget') return running.forget(newSessions, name);
    if (held === undefined) return 'none';
    return does === 'check' ? running.check(newSessions, held) : running.letGo(newSessions, held);
  }

  async #follow(log: SessionLog<Seen>, from: 'start' | 'end' | 'again'): Promise<unknown> {
    const position = this.#positions.get(log.id);
    const stop = new AbortController();
    const start = from === 'again' ? (position === undefined ? 'start' : { position }) : from;
    const batches = log.follow(start, stop.signal);
    if (batches === undefined) return 'no position';
    const texts: string[] = [];
    for await (const batch of batches) {
      texts.push(...batch.events.map(({ event }) => textOf(event)));
      this.#positions.set(log.id, batch.position);
      if (batch.upToDate) break;
    }
    stop.abort();
    return [texts, log.follow({ position: 'nonsense' }, stop.signal) === undefined];
  }

  async #look({ looks, places }: SessionStore<Seen>): Promise<unknown> {
    const seen: unknown[] = [];
    for (const place of places) {
      for (const ref of looks.listIn(place).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const { taken, mark } = await looks.read(ref, ({ state }) => [...state.texts]);
        seen.push([ref.id, taken, looks.same(looks.refresh(ref, mark, 'whole'), mark), looks.same(looks.unseen, mark)]);
      }
    }
    return seen;
  }

  async #takeAway(store: SessionStore<Seen>, id: SessionId): Promise<unknown> {
    const ref = (await store.list()).find((one) => one.id === id);
    if (ref === undefined) return 'not here';
    const log = store.open(ref);
    const judge = (): Promise<number> => log.read(({ eventCount }) => eventCount);
    const now = new Date('2026-02-02T02:02:02.000Z');
    const taken = await store.care.takeAway(ref, now, judge, (count) => count % 2 === 0);
    // What a process has open of a session that is gone, it finds gone.
    for (const other of this.#stores) other?.create(id).letGo();
    return [
      taken,
      store.care
        .trash()
        .map((trashed) => `${trashed.id} ${[...trashed.lines()].length}`)
        .toSorted(),
    ];
  }

  async close(): Promise<void> {
    await this.#world.close();
  }
}

/** Positions are named by how many events stand before them, since their numbers are each store's own. */
async function rangeOf(log: SessionLog<Seen>, after: number, upTo: number): Promise<unknown> {
  const all: Event[] = [];
  for await (const { event } of log.events()) all.push(event);
  const range: EventRange = { after: all[after - 1], upTo: all[upTo - 1] };
  const texts: string[] = [];
  for await (const { event } of log.events(range)) texts.push(textOf(event));
  const expected = all.slice(range.after === undefined ? 0 : after, range.upTo === undefined ? undefined : upTo);
  return [all.length, texts, expected.map(textOf)];
}

/** A session as parts, taken in again under another name and merged into itself. */
async function carry({ carry: carrying, newSessions }: SessionStore<Seen>, id: SessionId): Promise<unknown> {
  const ref = { id, place: newSessions };
  const lines: string[] = [];
  const survey = await carrying.survey(ref, {
    line: (event) => lines.push(textOf(event)),
    begin: () => (lines.length = 0),
  });
  const parts = [...survey.pins, ...survey.segments];
  carrying.confirm(ref, parts);
  const staged = carrying.stage(newSessions);
  for (const part of parts) await staged.put(part.name, chunksOf(carrying.read(ref, part)));
  const again = await staged.survey(id, {});
  const merged = parts.length === 0 ? undefined : await staged.merge(ref);
  staged.discard();
  return [
    lines.toSorted(),
    survey.findings,
    carrying.parts(ref).length === survey.segments.length,
    carrying.origin(ref) === survey.origin,
    survey.segments.map(({ sha256 }) => sha256).join() === again.segments.map(({ sha256 }) => sha256).join(),
    survey.lines.meets(again.lines),
    merged,
  ];
}

async function* chunksOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
