import { createHash } from 'node:crypto';
import type * as Fs from 'node:fs';
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { EventSum, OriginId, SessionId, WriterId } from '../../src/base/ids.js';
import { compareEvents, type Event, type EventDraft } from '../../src/events/event.js';
import { encodeLine } from '../../src/events/line-codec.js';
import { examineSession } from '../../src/log/care/examine-session.js';
import type { PlacedEvent } from '../../src/log/port/session-log.js';
import type { CareFinding } from '../../src/log/port/store-care.js';
import { SessionFollower } from '../../src/log/reading/follow-session.js';
import { readEvents, readEventsBehind } from '../../src/log/reading/read-events.js';
import { surveySession } from '../../src/log/reading/survey-session.js';
import { readTail } from '../../src/log/reading/tail-reading.js';
import { readWhole } from '../../src/log/reading/whole-reading.js';
import { findingsOf } from '../../src/log/segments/reading.js';
import { segmentName } from '../../src/log/segments/segment-name.js';
import { type SessionFolder, sessionFolder } from '../../src/log/segments/session-folder.js';
import { allDamages, inflict, sessionPath, write, writings } from '../worlds/damage.js';
import { listing, makeWorld, note, notes, pinOf, runStarted, type World } from '../worlds/log-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** The file that the disk refuses to give. */
const sick = { path: '' };

vi.mock('node:fs', async (importOriginal) => {
  const { watchedDisk } = await import('../worlds/watched-disk.js');
  return watchedDisk(await importOriginal<typeof Fs>(), ['openSync'], (_, path) => {
    if (path === sick.path) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  });
});

/** What one reader tells of a session. */
interface Told {
  readonly events: readonly string[];
  readonly findings: readonly CareFinding[];
}

const own = 'ses_example' as SessionId;

const isMissingPin = ({ level, file }: CareFinding): boolean => level === 'incomplete' && file.startsWith('pins/');

function readWholly(at: SessionFolder, id: SessionId): Told {
  const reading = readWhole(at, id, listing);
  expect(reading.eventCount).toBe(reading.state.sums.length);
  return { events: reading.state.sums, findings: findingsOf(reading) };
}

function readByEvent(at: SessionFolder, id: SessionId): Told {
  const events: string[] = [];
  const all = readEvents(at, id);
  for (let next = all.next(); ; next = all.next()) {
    if (next.done === true) return { events, findings: next.value };
    events.push(next.value.event.sum);
  }
}

/** Whoever has read the session reads on from any line, and looks at nothing before it. */
function readBehindEach(at: SessionFolder, id: SessionId, findings: readonly CareFinding[]): void {
  const all = [...readEvents(at, id)];
  const reading = readWhole(at, id, listing);
  for (const [place, { event }] of all.entries()) {
    const behind = readEventsBehind(at, reading, event, undefined);
    const placed: PlacedEvent[] = [];
    let next = behind.next();
    for (; next.done !== true; next = behind.next()) placed.push(next.value);
    expect({ placed, findings: next.value }, `behind line ${place}`).toEqual({
      placed: all.slice(place + 1),
      findings,
    });
  }
}

function followFromStart(at: SessionFolder, id: SessionId): Told {
  const follower = new SessionFollower(at, id, undefined);
  const batches = [...follower.history()];
  // Nobody has written since: there is nothing to add.
  expect(follower.look()).toMatchObject({ events: [], findings: [] });
  return {
    events: batches.flatMap(({ events }) => events.map(({ event }) => event.sum)),
    findings: batches.flatMap(({ findings }) => findings),
  };
}

/** Which pins a session needs is for whoever carries it to ask: a survey tells of all but those. */
async function survey(at: SessionFolder, id: SessionId): Promise<Told> {
  const reading = readWhole(at, id, listing);
  let shown = new Map<EventSum, Event>();
  const surveyed = await surveySession(at, id, {
    begin: () => void (shown = new Map()),
    line: (event) => void shown.set(event.sum, event),
    progress: () => undefined,
  });
  const kept = [...shown.values()].filter(({ sum }) => !surveyed.redacted.has(sum));
  expect(surveyed.origin).toBe(reading.origin);
  expect([...surveyed.redacted].toSorted()).toEqual([...reading.redacted].toSorted());
  const begun = [...reading.segments.values()].filter(({ position }) => position.offset > 0);
  expect(surveyed.segments).toEqual(
    begun.map(({ name, position }) => {
      const bytes = readFileSync(join(at.segments, name)).subarray(0, position.offset);
      return {
        name: `segments/${name}`,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    }),
  );
  return {
    events: kept.toSorted(compareEvents).map(({ sum }) => sum),
    findings: [...surveyed.findings, ...findingsOf(reading).filter(isMissingPin)],
  };
}

/** All readers of a session as it lies there, held against a reading of the whole. */
async function agree(world: World, id: SessionId): Promise<Told> {
  const at = sessionFolder(world.root, id);
  const whole = readWholly(at, id);
  expect(readByEvent(at, id), 'event by event').toEqual(whole);
  readBehindEach(at, id, whole.findings);
  expect(followFromStart(at, id), 'followed').toEqual(whole);
  const { events, findings } = await survey(at, id);
  expect(events, 'surveyed').toEqual(whole.events);
  expect(inAnyOrder(findings), 'surveyed').toEqual(inAnyOrder(whole.findings));
  const examined = await examineSession({ root: world.root, id });
  const found = examined.findings.filter(({ level }) => level !== 'note' && level !== 'returned');
  expect({ events: examined.events, found }, 'examined').toEqual({ events: events.length, found: whole.findings });
  return whole;
}

const inAnyOrder = (findings: readonly CareFinding[]): readonly string[] =>
  findings.map((finding) => JSON.stringify(finding)).toSorted();

/** What a machine remembers of its own writing is no reader's business here; nor is any write under way. */
function settle(world: World, id: SessionId): void {
  rmSync(join(world.root.folder, 'local'), { recursive: true, force: true });
  const { segments } = sessionFolder(world.root, id);
  const longAgo = new Date('2025-01-01');
  for (const name of readdirSync(segments))
    if (lstatSync(join(segments, name)).isFile()) utimesSync(join(segments, name), longAgo, longAgo);
}

const begin = (world: World): Promise<unknown> => {
  const pin = pinOf('{"steps":[]}');
  const events: readonly EventDraft[] = [runStarted(pin.hash), note('begun')];
  return world.log({ lock: 'off' }).append(() => ({ answer: '', events, pins: [pin] }));
};

test(
  'law 7: whoever reads a session, in whatever way, reads the same events in the same order and finds the same amiss',
  async () => {
    const met = new Map<string, number>();
    let grown = 0;
    const lives = fc.record({
      first: writings,
      more: writings,
      damage: allDamages,
      renamed: fc.boolean(),
      begun: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(lives, async ({ first, more, damage, renamed, begun }) => {
        const world = makeWorld();
        try {
          if (begun) await begin(world);
          await write(world, first);
          const at = sessionFolder(world.root, own);
          const tail = readWhole(at, own, listing);
          const kept = world.log({ lock: 'off' });
          await kept.read();
          const follower = new SessionFollower(at, own, undefined);
          const heard = heardBy(follower);
          await write(world, more);
          if (readTail(at, listing, tail)) {
            grown += 1;
            const whole = readWhole(at, own, listing);
            expect({ ...tail, pinNames: whole.pinNames }).toEqual(whole);
          }
          for (const one of damage) inflict(world, one);
          settle(world, own);
          const { state, findings } = await kept.read();
          const whole = readWholly(at, own);
          expect({ events: state.sums, findings }, 'gone on with').toEqual(whole);
          for (const { event } of follower.look().events) heard.push(event.sum);
          expect(heard, 'heard').toEqual([...new Set(heard)]);
          expect(whole.events.filter((sum) => !heard.includes(sum))).toEqual([]);
          const id = renamed ? ('renamed' as SessionId) : own;
          renameSync(at.folder, sessionFolder(world.root, id).folder);
          const told = await agree(world, id);
          for (const level of new Set(told.findings.map((finding) => finding.level)))
            met.set(level, (met.get(level) ?? 0) + 1);
        } finally {
          await world.close();
        }
      }),
      runs(120),
    );
    console.log(`readers agree: ${grown} readings went on from where they stood; found ${JSON.stringify([...met])}`);
    expect(grown).toBeGreaterThan(0);
    expect([...met.keys()]).toEqual(expect.arrayContaining(['damage', 'incomplete', 'torn']));
  },
  patience,
);

function heardBy(follower: SessionFollower): string[] {
  return [...follower.history()].flatMap(({ events }) => events.map(({ event }) => event.sum));
}

test('a file that the disk refuses to give fails every reader alike', async () => {
  const world = makeWorld();
  try {
    await write(
      world,
      [0, 1, 2].map((by) => ({ by, lines: 1 })),
    );
    const at = sessionFolder(world.root, own);
    const log = world.log({ lock: 'off' });
    for (const name of readdirSync(at.segments)) {
      sick.path = join(at.segments, name);
      expect(() => readWholly(at, own)).toThrow('EIO');
      expect(() => readByEvent(at, own)).toThrow('EIO');
      expect(() => followFromStart(at, own)).toThrow('EIO');
      expect(() => new SessionFollower(at, own, undefined).look()).toThrow('EIO');
      await expect(survey(at, own)).rejects.toThrow('EIO');
      await expect(examineSession({ root: world.root, id: own })).rejects.toThrow('EIO');
      await expect(log.read()).rejects.toThrow('EIO');
    }
    sick.path = '';
    expect((await agree(world, own)).events).toHaveLength(3);
  } finally {
    sick.path = '';
    await world.close();
  }
});

describe('cases in which readers once told different things', () => {
  const segmentsOf = (world: World): readonly string[] => readdirSync(sessionPath(world, 'segments')).toSorted();

  test('lines that stand behind damage are not missed as well', async () => {
    const world = makeWorld();
    try {
      const [one, other] = [world.log({ lock: 'off' }), world.log({ lock: 'off' })];
      for (const text of ['first', 'second', 'third']) await one.append(notes(text));
      await other.append(notes('has seen the third'));
      const [name] = segmentsOf(world);
      const path = sessionPath(world, 'segments', name!);
      writeFileSync(path, readFileSync(path, 'utf8').replace('second', 'sECOND'));
      settle(world, own);
      const { findings } = await agree(world, own);
      expect(findings).toMatchObject([{ level: 'damage', file: `segments/${name!}`, line: 2 }]);
    } finally {
      await world.close();
    }
  });

  test('a segment that goes on from a line behind damage does not miss it', async () => {
    const world = makeWorld();
    try {
      const segments = sessionPath(world, 'segments');
      await world.log({ lock: 'off' }).append(notes('first'));
      const [name] = segmentsOf(world);
      const first = readFileSync(join(segments, name!), 'utf8');
      const { sum, seq, by } = JSON.parse(first) as Event;
      const second = encodeLine(note('second'), { seq: seq + 1, by, at: 'x', prev: sum });
      const third = encodeLine(note('third'), { seq: seq + 2, by, at: 'x', prev: second.event.sum });
      const next = 'next00000' as WriterId;
      const goesOn = encodeLine(note('goes on from the third'), {
        seq: seq + 3,
        by: next,
        at: 'x',
        prev: third.event.sum,
        origin: 'ses_example' as OriginId,
      });
      writeFileSync(join(segments, name!), `${first}${second.line.replace('second', 'sECOND')}${third.line}`);
      writeFileSync(join(segments, segmentName(seq + 3, next)), goesOn.line);
      settle(world, own);
      const { findings, events } = await agree(world, own);
      expect(events).toEqual([sum, goesOn.event.sum]);
      expect(findings).toMatchObject([{ level: 'damage', file: `segments/${name!}`, line: 2 }]);
    } finally {
      await world.close();
    }
  });

  test('who follows a session is not told of another one whose file lies in its folder', async () => {
    const world = makeWorld();
    try {
      await world.log({ lock: 'off' }).append(notes('first'));
      inflict(world, { kind: 'another session', file: 0, at: 0, length: 1 });
      settle(world, own);
      const { findings, events } = await agree(world, own);
      expect(events).toHaveLength(1);
      expect(findings).toMatchObject([{ level: 'damage', file: 'segments/000001-other0000.ndjson', line: 1 }]);
    } finally {
      await world.close();
    }
  });

  test('who goes on from where it stood notices lines that were put in before that', async () => {
    const world = makeWorld();
    try {
      const log = world.log({ lock: 'off' });
      await log.append(notes('first'));
      const kept = world.log({ lock: 'off' });
      await kept.read();
      inflict(world, { kind: 'stranger', file: 0, at: 0, length: 1 });
      const whole = readWholly(sessionFolder(world.root, own), own);
      const { state, findings } = await kept.read();
      expect({ events: state.sums, findings }).toEqual(whole);
      expect(findings).toMatchObject([{ level: 'damage' }]);
    } finally {
      await world.close();
    }
  });
});
