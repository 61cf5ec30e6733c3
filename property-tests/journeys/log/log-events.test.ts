import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventSum, SessionId } from '../../../src/base/ids.js';
import { compareEvents } from '../../../src/events/event.js';
import type { Finding } from '../../../src/log/port/finding.js';
import type { PlacedEvent } from '../../../src/log/port/session-log.js';
import { openFileStore } from '../../../src/log/file-store.js';
import { eventsIn } from '../../worlds/requests-world.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { listing, makeWorld, note, pinOf, type World } from '../../worlds/log-world.js';

const deeds = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        by: fc.nat(3),
        count: fc.integer({ min: 1, max: 4 }),
        long: fc.nat(40),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), by: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), by: fc.nat(3), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('double' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), which: fc.nat(), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(), link: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('spoil' as const), which: fc.nat(), at: fc.nat() }) },
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);
type Deed = Deeds[number];
type Deeds = typeof deeds extends fc.Arbitrary<infer T> ? T : never;

const segmentsOf = (world: World): string => join(world.root.folder, 'sessions', 'ses_example', 'segments');

/** Two processes on one folder and two on a copy of it, merged at the end: four writers, and what may befall their files. */
async function live(world: World, done: Deeds): Promise<void> {
  const first = world.log({ lock: 'off' });
  await first.append(() => ({ answer: '', events: [note('first')] }));
  const copy = { kind: 'given', folder: join(world.folder, 'copy') } as const;
  cpSync(join(world.root.folder, 'sessions'), join(copy.folder, 'sessions'), { recursive: true });
  const there = { roots: [copy], newSessions: copy, lock: 'off' } as const;
  const logs = [first, world.log({ lock: 'off' }), world.log(there), world.log(there)];
  for (const deed of done) {
    if (deed.do === 'append')
      await logs[deed.by]!.append(() => ({
        answer: '',
        events: Array.from({ length: deed.count }, (_, i) =>
          note(`${deed.by} ${i} ${'x'.repeat(deed.long === 0 ? 130_000 : deed.long)}`),
        ),
      }));
    else if (deed.do === 'end') logs[deed.by]!.letGo();
    else if (deed.do === 'withdraw') {
      await logs[deed.by]!.append(({ state }) => ({
        answer: '',
        events: [
          {
            kind: 'lines_withdrawn',
            data: { sums: [state.sums[deed.which % state.sums.length]! as EventSum], reason: 'redacted', detail: '' },
          },
        ],
      }));
    }
  }
  cpSync(join(copy.folder, 'sessions'), join(world.root.folder, 'sessions'), {
    recursive: true,
    force: false,
    errorOnExist: false,
  });
  for (const deed of done) befall(segmentsOf(world), deed);
}

function befall(folder: string, deed: Deed): void {
  const names = readdirSync(folder).toSorted();
  if (!('which' in deed) || deed.do === 'withdraw') return;
  const name = names[deed.which % names.length];
  if (name === undefined || lstatSync(join(folder, name)).isSymbolicLink()) return;
  if (deed.do === 'remove') {
    const link = join(folder, '000001-linklinkl1.ndjson');
    // Where it has no second name it stays missing, as on a machine that has not written it.
    if (deed.which % 3 === 0)
      rmSync(join(folder, '..', '..', '..', 'local', 'running'), { recursive: true, force: true });
    if (!deed.link) rmSync(join(folder, name));
    else if (!existsSync(link)) symlinkSync('/dev/null', link);
    return;
  }
  const bytes = readFileSync(join(folder, name));
  if (deed.do === 'cut') writeFileSync(join(folder, name), bytes.subarray(0, deed.at % (bytes.length + 1)));
  else if (deed.do === 'spoil' && bytes.length > 0) {
    bytes[deed.at % bytes.length]! ^= 1;
    writeFileSync(join(folder, name), bytes);
  } else if (deed.do === 'double' && !existsSync(join(folder, name.replace(/-.*/u, '-zzzzzzzzzz.ndjson')))) {
    // As after a failed sync: another segment repeats the lines byte for byte, and goes on from them.
    writeFileSync(join(folder, name.replace(/-.*/u, '-zzzzzzzzzz.ndjson')), bytes);
  }
}

test(
  'events come in the order in which a session is folded, each once, and stand where they are said to stand',
  async () => {
    let met = 0;
    let damaged = 0;
    let lacking = 0;
    await fc.assert(
      fc.asyncProperty(deeds, async (done) => {
        const world = makeWorld();
        try {
          await live(world, done);
          const log = openFileStore({
            roots: [world.root],
            newSessions: world.root,
            projection: listing,
            now: () => new Date(0),
            randomBytes: (count) => Buffer.alloc(count, 7),
            log: () => undefined,
          }).create('ses_example' as SessionId);
          const { state, findings } = await log.verify();
          const { placed, told } = readToEnd(log.events());
          expect(told).toEqual(findings);
          lacking += lacks(told) ? 1 : 0;
          expect(placed.map(({ event }) => event.sum)).toEqual(state.sums);
          expect(placed.map(({ event }) => event)).toEqual(placed.map(({ event }) => event).toSorted(compareEvents));
          standsThere(world, placed);
          met += placed.length;
          damaged += findings.length > 0 ? 1 : 0;
        } finally {
          await world.close();
        }
      }),
      runs(60),
    );
    console.log(`events in order: ${met} events, ${damaged} sessions with findings, ${lacking} incomplete`);
    expect(damaged).toBeGreaterThan(0);
    expect(lacking).toBeGreaterThan(0);
  },
  patience,
);

function readToEnd(events: Generator<PlacedEvent, readonly Finding[], undefined>): {
  readonly placed: readonly PlacedEvent[];
  readonly told: readonly Finding[];
} {
  const placed: PlacedEvent[] = [];
  for (let next = events.next(); ; next = events.next()) {
    if (next.done === true) return { placed, told: next.value };
    placed.push(next.value);
  }
}

const lacks = (findings: readonly Finding[]): boolean => findings.some(({ level }) => level === 'incomplete');

test('a log that is read to its end tells of links, and of pins that are gone or changed', async () => {
  const world = makeWorld();
  try {
    const { hash, text } = pinOf('{"a workflow":1}');
    const log = world.log();
    await log.append(() => ({ answer: '', events: [note('one')], pins: [{ hash, text }] }));
    const told = (): readonly string[] =>
      readToEnd(world.log().events()).told.map(({ level, file }) => `${level} ${file}`);
    expect(told()).toEqual([]);
    const pin = join(segmentsOf(world), '..', 'pins', `${hash}.json`);
    writeFileSync(pin, '{"another":1}');
    expect(told()).toEqual([`damage pins/${hash}.json`]);
    rmSync(pin);
    symlinkSync('/dev/null', pin);
    expect(told()).toEqual([`damage pins/${hash}.json`]);
    rmSync(pin);
    symlinkSync('/dev/null', join(segmentsOf(world), '000009-linklinkl1.ndjson'));
    expect(told()).toEqual(['damage segments/000009-linklinkl1.ndjson']);
  } finally {
    await world.close();
  }
});

function standsThere(world: World, placed: readonly PlacedEvent[]): void {
  for (const { event, file, line } of placed) {
    const text = readFileSync(join(segmentsOf(world), '..', file), 'utf8').split('\n')[line - 1]!;
    expect(eventsIn(`${text}\n`)[0]?.sum).toBe(event.sum);
  }
}

test('a session of many segments is read with few of them in memory', async () => {
  const world = makeWorld();
  try {
    const text = 'x'.repeat(60_000);
    for (let segment = 0; segment < 25; segment += 1) {
      const log = world.log();
      for (let i = 0; i < 5; i += 1)
        await log.append(() => ({ answer: '', events: Array.from({ length: 10 }, () => note(text)) }));
      log.letGo();
    }
    // 75 MB lie on disk; a program with room for a fraction of it reads them all.
    const program = `
      import { openFileStore } from ${JSON.stringify(new URL('../../../dist/log/file-store.js', import.meta.url).href)};
      const root = { kind: 'given', folder: process.argv[1] };
      const nothing = { version: '', empty: () => 0, fold: (state) => state };
      const store = openFileStore({ roots: [root], newSessions: root, projection: nothing, now: () => new Date(0), randomBytes: (count) => Buffer.alloc(count), log: () => undefined });
      let count = 0;
      for (const { event } of store.create('ses_example').events()) count += event.kind === 'note_added' ? 1 : 0;
      console.log(count);`;
    const read = spawnSync(
      process.execPath,
      ['--max-old-space-size=40', '--input-type=module', '-e', program, world.root.folder],
      { encoding: 'utf8' },
    );
    expect({ out: read.stdout, err: read.stderr }).toEqual({ out: '1250\n', err: '' });
  } finally {
    await world.close();
  }
});
