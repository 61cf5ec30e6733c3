import fc from 'fast-check';
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../src/base/ids.js';
import { compareEvents, type Event } from '../../src/events/event.js';
import { sessionFolder } from '../../src/log/segments/session-folder.js';
import { loadSnapshot, saveSnapshot } from '../../src/log/reading/snapshot.js';
import { openFileStore } from '../../src/log/file-store.js';
import { readTail } from '../../src/log/reading/tail-reading.js';
import { readWhole } from '../../src/log/reading/whole-reading.js';
import { foldSession, sessionProjection } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession } from '../../src/sessions/folded-session.js';
import { eventsOf, grow } from '../worlds/grown-sessions.js';
import { lives } from '../worlds/lives.js';
import { segmentTexts, sessionFolders } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** A session as text: maps and sets with the order they keep, and what is undefined said. */
function plain(session: FoldedSession): string {
  return JSON.stringify(session, (_, value: unknown) => {
    if (value instanceof Map) return { map: [...value] };
    if (value instanceof Set) return { set: [...value] };
    return value === undefined ? 'undefined' : value;
  });
}

const fold = (events: readonly Event[]): FoldedSession => foldSession(emptySession(), events);

type Dice = Iterator<number>;
const roll = (dice: Dice, sides: number): number => (dice.next().value as number) % Math.max(1, sides);
const dice = fc.infiniteStream(fc.nat(1_000_000));

function shuffled<T>(list: readonly T[], by: Dice): readonly T[] {
  return list
    .map((item) => ({ item, place: roll(by, 1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

test(
  'law 2: a session is a function of the set of its events, however they are split, doubled, ordered or brought',
  async () => {
    let [folded, fromSnapshots] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, dice, async (seed, life, by) => {
        const { world, data } = await grow(seed, life);
        try {
          for (const session of sessionFolders(data)) {
            const events = eventsOf(data, session);
            const whole = plain(fold(events));
            folded += events.length;
            foldsInParts(events, whole, by);
            foldsAsASet(events, whole, by);
            await readsTheSame(data, session, whole, events.length);
            await readsPieceByPiece(data, join(world.folder, 'pieces'), session, { whole, by });
            fromSnapshots += goesOnFromSnapshots(data, join(world.folder, 'kept'), session as SessionId, { whole, by });
          }
        } finally {
          await world.close();
        }
      }),
      runs(40),
    );
    console.log(`law 2: ${folded} events folded, ${fromSnapshots} times from a snapshot`);
    expect(fromSnapshots).toBeGreaterThan(0);
  },
  patience,
);

function foldsInParts(events: readonly Event[], whole: string, by: Dice): void {
  for (let tries = 0; tries < 3; tries += 1) {
    const at = roll(by, events.length + 1);
    expect(plain(foldSession(fold(events.slice(0, at)), events.slice(at)))).toBe(whole);
  }
  let oneByOne = emptySession();
  for (const event of events) oneByOne = foldSession(oneByOne, [event]);
  expect(plain(oneByOne)).toBe(whole);
  // A session that was kept as a copy goes on as the one it was copied from.
  const at = roll(by, events.length + 1);
  expect(plain(foldSession(structuredClone(fold(events.slice(0, at))), events.slice(at)))).toBe(whole);
}

/** Segments of any shape, with lines in several of them: sorted by the total order, each sum once, it is the same session. */
function foldsAsASet(events: readonly Event[], whole: string, by: Dice): void {
  const segments: Event[][] = Array.from({ length: 1 + roll(by, 5) }, () => []);
  for (const event of events)
    for (let copies = 0; copies < 1 + roll(by, 3); copies += 1) segments[roll(by, segments.length)]!.push(event);
  const met = shuffled(segments, by).flatMap((segment) => shuffled(segment, by));
  const once = [...new Map(met.map((event) => [event.sum, event])).values()].toSorted(compareEvents);
  expect(plain(fold(once))).toBe(whole);
}

function storeOn(folder: string): ReturnType<typeof openFileStore<FoldedSession>> {
  const root = { kind: 'given', folder } as const;
  return openFileStore({
    roots: [root],
    newSessions: root,
    projection: sessionProjection,
    now: () => new Date(0),
    randomBytes: (count) => Buffer.alloc(count, 7),
    log: () => undefined,
  });
}

async function readsTheSame(data: string, session: string, whole: string, count: number): Promise<void> {
  const store = storeOn(data);
  const { state, findings, eventCount } = await store.create(session as SessionId).read();
  expect(plain(state)).toBe(whole);
  expect(findings).toEqual([]);
  expect(eventCount).toBe(count);
  await store.close();
}

/** Files come in any order, cut at any byte, as a copy or a checkout brings them; whoever reads in between ends at the same session. */
async function readsPieceByPiece(
  data: string,
  to: string,
  session: string,
  { whole, by }: { readonly whole: string; readonly by: Dice },
): Promise<void> {
  const [from, goal] = [join(data, 'sessions', session), join(to, 'sessions', session)];
  for (const part of ['segments', 'pins']) mkdirSync(join(goal, part), { recursive: true });
  for (const pin of readdirSync(join(from, 'pins'))) copyFileSync(join(from, 'pins', pin), join(goal, 'pins', pin));
  const store = storeOn(to);
  const log = store.create(session as SessionId);
  const files = segmentTexts(data, session).map(({ name, text }) => ({
    name,
    bytes: Buffer.from(text, 'utf8'),
    written: 0,
  }));
  for (let open = files; open.length > 0; open = files.filter(({ bytes, written }) => written < bytes.length)) {
    const file = open[roll(by, open.length)]!;
    const piece = roll(by, 3) === 0 ? file.bytes.length : 1 + roll(by, 3000);
    const next = Math.min(file.bytes.length, file.written + piece);
    writeFileSync(join(goal, 'segments', file.name), file.bytes.subarray(file.written, next), { flag: 'a' });
    file.written = next;
    if (roll(by, 2) === 0) await log.read();
  }
  const { state, findings } = await log.read();
  expect(plain(state)).toBe(whole);
  expect(findings).toEqual([]);
  expect(plain((await log.verify()).state)).toBe(whole);
  await store.close();
}

/** Lines come in, and each time somebody reads who remembers nothing but what the one before left. Says how often that was of use. */
function goesOnFromSnapshots(
  data: string,
  to: string,
  id: SessionId,
  { whole, by }: { readonly whole: string; readonly by: Dice },
): number {
  const root = { kind: 'given', folder: to } as const;
  const at = sessionFolder(root, id);
  mkdirSync(at.segments, { recursive: true });
  cpSync(join(data, 'sessions', id, 'pins'), at.pins, { recursive: true });
  const lines = segmentTexts(data, id).flatMap(({ name, text }) =>
    text.split(/(?<=\n)/u).map((line) => ({ name, line })),
  );
  let used = 0;
  let told = '';
  for (let next = 0; next < lines.length;) {
    for (let count = 1 + roll(by, 6); count > 0 && next < lines.length; count -= 1, next += 1)
      writeFileSync(join(at.segments, lines[next]!.name), lines[next]!.line, { flag: 'a' });
    const of = { root, id, projection: sessionProjection, key: Buffer.alloc(32, 5), pieceSize: 1 + roll(by, 5) };
    const kept = loadSnapshot(of, at, () => expect.unreachable('the snapshot is as it was written'));
    const goesOn = kept !== undefined && readTail(at, sessionProjection, kept);
    const reading = goesOn ? kept : readWhole(at, id, sessionProjection);
    used += goesOn ? 1 : 0;
    // Some look into all of it before they leave their own, some into nothing.
    if (roll(by, 2) === 0) told = plain(reading.state);
    saveSnapshot(of, reading);
    if (next === lines.length) told = plain(reading.state);
  }
  expect(told).toBe(whole);
  return used;
}
