import type * as Fs from 'node:fs';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { EventSum, SessionId } from '../../../src/base/ids.js';
import { compareEvents, type Event, type EventDraft } from '../../../src/events/event.js';
import { examineSession } from '../../../src/log/care/examine-session.js';
import type { CareFinding } from '../../../src/log/port/store-care.js';
import { redactSession as redactLog } from '../../../src/log/care/redact-session.js';
import { holdAny, needlesOf, scrubBeside } from '../../../src/log/care/text-on-disk.js';
import { foldSession } from '../../../src/sessions/fold-session.js';
import { emptySession } from '../../../src/sessions/folded-session.js';
import { redactEvent } from '../../../src/secrets/redact-event.js';
import { sessionPath } from '../../worlds/damage.js';
import { draftOf, eventKinds } from '../../worlds/event-generators.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { makeWorld, type World } from '../../worlds/log-world.js';
import { disk } from '../../worlds/watched-disk.js';

vi.mock('node:fs', async (importOriginal) =>
  (await import('../../worlds/watched-disk.js')).killableDisk(await importOriginal<typeof Fs>()),
);

/** With everything that JSON escapes, and more bytes than characters. */
const secret = 'tök"en\\-\u{1F511}-of-ours';

/** One append: events of any kind, some of which hold the secret in a value, a key or both. */
interface Append {
  readonly by: number;
  readonly drafts: readonly { readonly draft: EventDraft; readonly leak: boolean }[];
}
const appends: fc.Arbitrary<readonly Append[]> = fc.array(
  fc.record({
    by: fc.nat(2),
    drafts: fc.array(
      fc.record({
        draft: fc.constantFrom(...eventKinds.filter((kind) => kind !== 'lines_withdrawn')).chain(draftOf),
        leak: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

function leaky(draft: EventDraft): EventDraft {
  const leak = { kind: 'leak', [secret]: [`a${secret}b`, { n: secret }], [`${secret} 2`]: 1 };
  if (draft.kind === 'note_added') return { ...draft, data: { text: `${secret} and ${secret}` } };
  if (draft.kind === 'session_labelled') return { ...draft, data: { title: secret, tags: ['a', secret] } };
  if (draft.kind === 'run_started')
    return { ...draft, data: { ...draft.data, inputs: leak, context: { [secret]: null } } };
  if (draft.kind !== 'step_acked' && draft.kind !== 'checkpoint') return draft;
  return { ...draft, data: { ...draft.data, output: { notes: `it is ${secret}`, artifacts: [leak] } } } as EventDraft;
}

async function write(world: World, writing: readonly Append[]): Promise<void> {
  const logs = [0, 1, 2].map(() => world.log({ lock: 'off' }));
  const sums: EventSum[] = [];
  for (const { by, drafts } of writing) {
    const done = await logs[by]!.append(() => ({
      answer: '',
      events: drafts.map(({ draft, leak }) => referring(leak ? leaky(draft) : draft, sums)),
    }));
    if (!done.ok) throw new Error(done.error.message);
    sums.push(...done.written.map(({ sum }) => sum));
  }
}

/** An answer to a fork speaks of earlier lines by their sums. */
function referring(draft: EventDraft, sums: readonly EventSum[]): EventDraft {
  if (draft.kind !== 'step_acked' || draft.data.fork === undefined || sums.length === 0) return draft;
  return { ...draft, data: { ...draft.data, fork: { ...draft.data.fork, recap: [sums.at(-1)!, sums[0]!] } } };
}

async function redact(world: World, texts: readonly string[]): Promise<void> {
  const needles = needlesOf(texts);
  const done = await world.log({ lock: 'off' }).maintain((care) => {
    redactLog(
      care,
      { redact: (event) => redactEvent(event, { texts }), inBytes: (bytes) => holdAny(bytes, needles) },
      false,
    );
    scrubBeside(care.root, care.id, needles);
  });
  if (!done.ok) throw new Error(done.error.message);
}

function eventsOf(world: World): readonly Event[] {
  const folder = sessionPath(world, 'segments');
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1),
  );
  const events = [
    ...new Map(lines.map((line) => JSON.parse(line) as Event).map((event) => [event.sum, event])).values(),
  ].toSorted(compareEvents);
  const redacted = new Set(
    events.flatMap((event) =>
      event.kind === 'lines_withdrawn' && event.data.reason === 'redacted' ? event.data.sums : [],
    ),
  );
  return events.filter(({ sum }) => !redacted.has(sum));
}

/** What stays the same of an event, whatever its own sum is; a sum that it names stands as the place of the line in the order. */
function lasting(events: readonly Event[]): readonly unknown[] {
  const places = new Map<string, string>(events.map(({ sum }, index) => [sum, `line ${index}`]));
  return events.map(
    ({ seq, by, at, kind, run, node, data }) =>
      JSON.parse(
        JSON.stringify({ seq, by, at, kind, run, node, data }, (key, value: unknown) =>
          typeof value === 'string' && key !== 'by' ? (places.get(value) ?? value) : value,
        ),
      ) as unknown,
  );
}

/** Everything of a fold but sums. */
const shapeOf = (events: readonly Event[]): unknown => {
  const { runs: folded, nodes, ...rest } = foldSession(emptySession(), events);
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) =>
        key === 'sum' ||
        key === 'prev' ||
        key === 'saw' ||
        key === 'more' ||
        key === 'origin' ||
        key === 'newest' ||
        key === 'recap'
          ? undefined
          : inner instanceof Map
            ? [...inner]
            : inner instanceof Set
              ? [...inner]
              : inner,
      ),
    );
  return plain({ runs: folded, nodes, ...rest, lastAt: '', entries: rest.entries.size });
};

function redactedPlainly(events: readonly Event[]): readonly Event[] {
  return events.map((event) => {
    const now = redactEvent(event, { texts: [secret] });
    return now === undefined ? event : ({ ...event, data: now.draft.data } as Event);
  });
}

const holdsSecret = (world: World): boolean =>
  readdirSync(world.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => holdAny(readFileSync(join(entry.parentPath, entry.name)), needlesOf([secret])));

const withoutOwn = (events: readonly Event[], before: readonly Event[]): readonly Event[] =>
  events.filter((event) => event.kind !== 'lines_withdrawn' || before.some(({ sum }) => sum === event.sum));

/** The runs' workflows are made up, and not here. */
async function findingsOf(world: World): Promise<readonly CareFinding[]> {
  return (await examineSession({ root: world.root, id: 'ses_example' as SessionId })).findings.filter(
    ({ file }) => !file.startsWith('pins/'),
  );
}

async function isDone(world: World, before: readonly Event[]): Promise<void> {
  expect(holdsSecret(world)).toBe(false);
  expect(await findingsOf(world)).toEqual([]);
  const after = withoutOwn(eventsOf(world), before);
  expect(lasting(after)).toEqual(lasting(redactedPlainly(before)));
  expect(shapeOf(after)).toEqual(shapeOf(redactedPlainly(before)));
}

describe('what is taken out of a log', () => {
  test(
    'is nowhere on disk any more, and everything else is as it was',
    async () => {
      await fc.assert(
        fc.asyncProperty(appends, async (writing) => {
          const world = makeWorld();
          try {
            await write(world, writing);
            const before = eventsOf(world);
            await redact(world, [secret]);
            await isDone(world, before);
            const done = readdirSync(sessionPath(world, 'segments'));
            await redact(world, [secret]);
            expect(readdirSync(sessionPath(world, 'segments'))).toEqual(done);
            const log = world.log({ lock: 'off' });
            expect(
              await log.append(() => ({ answer: '', events: [{ kind: 'note_added', data: { text: 'goes on' } }] })),
            ).toMatchObject({ ok: true });
          } finally {
            await world.close();
          }
        }),
        runs(80),
      );
    },
    patience,
  );

  test(
    'a redaction that is killed before any change to the disk is finished by the next',
    async () => {
      let killed = 0;
      await fc.assert(
        fc.asyncProperty(appends, fc.nat(), async (writing, kill) => {
          const world = makeWorld();
          try {
            await write(world, writing);
            const before = eventsOf(world);
            Object.assign(disk, { armed: true, changes: 0, killAt: 1 + (kill % 25) });
            await redact(world, [secret]).catch((cause: unknown) => cause);
            disk.armed = false;
            if (disk.changes >= disk.killAt) killed += 1;
            // Wherever it was cut short, the session is the old one or the new one.
            const cut = withoutOwn(eventsOf(world), before);
            expect([JSON.stringify(lasting(before)), JSON.stringify(lasting(redactedPlainly(before)))]).toContain(
              JSON.stringify(lasting(cut)),
            );
            rmSync(join(world.root.folder, 'local'), { recursive: true, force: true });
            await redact(world, [secret]);
            await isDone(world, before);
          } finally {
            disk.armed = false;
            await world.close();
          }
        }),
        runs(80),
      );
      expect(killed).toBeGreaterThan(0);
    },
    patience,
  );

  test(
    'stays out when a merge brings the old lines back, and they are found and cut out again',
    async () => {
      await fc.assert(
        fc.asyncProperty(appends, async (writing) => {
          const world = makeWorld();
          try {
            await write(world, writing);
            const before = eventsOf(world);
            cpSync(sessionPath(world, 'segments'), join(world.folder, 'clone'), { recursive: true });
            await redact(world, [secret]);
            const after = eventsOf(world);
            cpSync(join(world.folder, 'clone'), sessionPath(world, 'segments'), { recursive: true });
            rmSync(join(world.folder, 'clone'), { recursive: true });
            const findings = await findingsOf(world);
            expect(findings.some(({ level }) => level === 'returned')).toBe(holdsSecret(world));
            expect(findings.filter(({ level }) => level !== 'returned')).toEqual([]);
            expect((await world.log({ lock: 'off' }).verify()).state.sums).toEqual(after.map(({ sum }) => sum));
            await redact(world, []);
            await isDone(world, before);
          } finally {
            await world.close();
          }
        }),
        runs(40),
      );
    },
    patience,
  );
});
