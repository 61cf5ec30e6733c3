import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  listing,
  makeWorld,
  note,
  notes,
  pinOf,
  runStarted,
  textOf,
  type World,
} from '../../../property-tests/worlds/log-world.js';
import type { SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Projection } from '../port/projection.js';
import type { FileSessionLog } from '../file-session-log.js';
import { openFileStore, type FileStore } from '../file-store.js';
import { forgetSession } from '../carry/trash.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const key = Buffer.alloc(32, 7);
const sealed = { sealKey: (): Uint8Array => key };
let folded = 0;
const counting: typeof listing = {
  ...listing,
  fold: (state, events) => {
    folded += events.length;
    return listing.fold(state, events);
  },
};

/** More events than go without a snapshot. Returns where that is. */
async function fill<S>(store: FileStore<S>): Promise<string> {
  await store
    .create('ses_example' as SessionId)
    .append(notes(...Array.from({ length: limits.snapshotEvery + 3 }, (_, i) => `n${i}`)));
  await store.close();
  return join(world.root.folder, 'local', 'snapshots', 'ses_example.fold');
}

const coldFold = async (options: object = sealed): Promise<number> => {
  folded = 0;
  const { eventCount, findings } = await world.log({ ...options, projection: counting }).read();
  expect(findings).toEqual([]);
  expect(eventCount).toBeGreaterThan(limits.snapshotEvery);
  return folded;
};

test('a cold start folds only what came after', async () => {
  expect(existsSync(await fill(world.store(sealed)))).toBe(true);
  expect(await coldFold()).toBe(0);
  await world.log().append(notes('tail'));
  expect(await coldFold()).toBe(1);
  expect(await coldFold({})).toBe(limits.snapshotEvery + 4);
});

test('one that is not ours, of another fold, or does not agree with the segments is ignored', async () => {
  const file = await fill(world.store(sealed));
  const all = limits.snapshotEvery + 3;
  expect(await coldFold({ sealKey: () => Buffer.alloc(32, 8) })).toBe(all);
  const bytes = readFileSync(file);
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(file, bytes);
  expect(await coldFold()).toBe(all);
  rmSync(file);
  await fill(world.store(sealed));
  const segments = join(world.root.folder, 'sessions', 'ses_example', 'segments');
  for (const name of readdirSync(segments)) utimesSync(join(segments, name), 1, 1);
  expect(await coldFold()).toBe(all + all);
});

/** A fold of which only small parts are ever looked at. */
interface Numbered {
  readonly byText: Map<string, { text: string; again: number }>;
}

const numbering: Projection<Numbered> = {
  version: 'numbering 1',
  tables: ['byText'],
  empty: () => ({ byText: new Map() }),
  fold: (state, events) => {
    for (const event of events) {
      const known = state.byText.get(textOf(event));
      if (known === undefined) state.byText.set(textOf(event), { text: textOf(event), again: 0 });
      else known.again += 1;
    }
    return state;
  },
};

const numbered = (): FileStore<Numbered> =>
  openFileStore({
    roots: [world.root],
    newSessions: world.root,
    projection: numbering,
    now: () => new Date(),
    randomBytes: (count) => Buffer.alloc(count, 3),
    log: () => undefined,
    ...sealed,
  });
const only = (store: FileStore<Numbered>): FileSessionLog<Numbered> => store.create('ses_example' as SessionId);

test('what was changed after a snapshot was read is in the next one, and so is what nobody looked at', async () => {
  await fill(numbered());
  for (let turn = 1; turn <= 2; turn += 1) {
    const store = numbered();
    await only(store).append(
      notes('n7', ...Array.from({ length: limits.snapshotEvery }, (_, i) => `turn ${turn} ${i}`)),
    );
    await store.close();
    const { state, findings } = await only(numbered()).read();
    expect(findings).toEqual([]);
    expect(state.byText.get('n7')).toEqual({ text: 'n7', again: turn });
    expect(state.byText.size).toBe(3 + limits.snapshotEvery * (1 + turn));
    expect([...state.byText.keys()]).toEqual([...(await only(numbered()).verify()).state.byText.keys()]);
  }
});

test('who still reads from a snapshot is not disturbed by a newer one in its place, nor by none', async () => {
  const file = await fill(numbered());
  const early = only(numbered());
  const { state } = await early.read();
  const store = numbered();
  await only(store).append(notes(...Array.from({ length: limits.snapshotEvery }, (_, i) => `later ${i}`)));
  await store.close();
  expect(state.byText.get('n3')).toEqual({ text: 'n3', again: 0 });
  rmSync(file);
  expect(state.byText.get('n300')).toEqual({ text: 'n300', again: 0 });
  expect((await early.read()).state.byText.has('later 9')).toBe(true);
});

/** Changes the last piece on disk, in which the last texts are. Their names stand behind it. */
function spoil(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.indexOf(`n${limits.snapshotEvery}`)]! ^= 1;
  writeFileSync(file, bytes);
}

test('a snapshot of which a part has changed on disk is answered as a fault once, and is gone then', async () => {
  const file = await fill(numbered());
  spoil(file);
  const log = only(numbered());
  const { state } = await log.read();
  expect(state.byText.get('n3')).toEqual({ text: 'n3', again: 0 });
  expect(() => state.byText.get(`n${limits.snapshotEvery}`)).toThrow('has changed since it was written');
  expect(existsSync(file)).toBe(false);
  expect((await log.read()).state.byText.get(`n${limits.snapshotEvery}`)?.again).toBe(0);
});

test('a spoilt snapshot that cannot be taken away is left aside by the process that has met it', async () => {
  const file = await fill(numbered());
  spoil(file);
  const bytes = readFileSync(file);
  const log = only(numbered());
  const { state } = await log.read();
  expect(() => [...state.byText.values()]).toThrow('has changed since it was written');
  writeFileSync(file, bytes);
  expect([...(await log.read()).state.byText.values()]).toHaveLength(limits.snapshotEvery + 3);
});

test('so is one into which a spoilt part went over from an earlier one, unread', async () => {
  const file = await fill(numbered());
  spoil(file);
  const store = numbered();
  await only(store).append(() => ({
    answer: '',
    events: Array.from({ length: limits.snapshotEvery }, (_, i) => note(`later ${i}`)),
  }));
  await store.close();
  const { state } = await only(numbered()).read();
  expect(state.byText.get('later 9')).toEqual({ text: 'later 9', again: 0 });
  expect(() => state.byText.get(`n${limits.snapshotEvery}`)).toThrow('has changed since it was written');
});

test('one that was cut short is not even begun with', async () => {
  const file = await fill(numbered());
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  const { state } = await only(numbered()).read();
  expect([...state.byText.keys()]).toHaveLength(limits.snapshotEvery + 3);
  expect(existsSync(file)).toBe(true);
});

test('nobody has to wait for the lease while a snapshot is written', async () => {
  const lock = join(world.root.folder, 'local', 'locks', 'ses_example');
  const locked: boolean[] = [];
  // The key is asked for when there is something to read, and again when there is something to write.
  const sealKey = (): Uint8Array => {
    locked.push(existsSync(lock));
    return key;
  };
  for (const leave of ['by closing', 'by resting']) {
    const store = world.store({ sealKey });
    await store
      .create('ses_example' as SessionId)
      .append(notes(...Array.from({ length: limits.snapshotEvery * 2 }, (_, i) => `${leave} ${i}`)));
    locked.length = 0;
    if (leave === 'by resting') await pause(limits.leaseIdleMs * 4);
    else await store.close();
    expect(locked).toContain(false);
    expect(locked).not.toContain(true);
  }
});

test('a pin that is damaged or gone is told as in a whole reading, and a session without it can still be written to', async () => {
  const store = world.store(sealed);
  const pin = pinOf('{"a":1}');
  await store.create('ses_example' as SessionId).append(() => ({
    answer: '',
    events: [runStarted(pin.hash), ...Array.from({ length: limits.snapshotEvery }, (_, i) => note(`n${i}`))],
    pins: [pin],
  }));
  await store.close();
  const file = join(world.root.folder, 'sessions', 'ses_example', 'pins', `${pin.hash}.json`);
  expect((await world.log(sealed).read()).findings).toEqual([]);
  for (const spoilt of [() => writeFileSync(file, '{"a":2}'), () => rmSync(file)]) {
    spoilt();
    const { findings } = await world.log(sealed).read();
    expect(findings).toHaveLength(1);
    expect(findings).toEqual((await world.log().read()).findings);
  }
  expect(await world.log(sealed).append(notes('on'))).toMatchObject({ ok: true });
});

test('what a killed writer left goes with the next snapshot, and with the session', async () => {
  const snapshots = join(world.root.folder, 'local', 'snapshots');
  const ofDead = join(snapshots, `.ses_example.fold.${2 ** 22 + 1}`);
  const ofOther = join(snapshots, `.ses_example.fold.${process.ppid}`);
  await fill(world.store(sealed));
  for (const file of [ofDead, ofOther]) writeFileSync(file, 'a part of a session');
  const store = world.store(sealed);
  await store
    .create('ses_example' as SessionId)
    .append(notes(...Array.from({ length: limits.snapshotEvery }, (_, i) => `later ${i}`)));
  await store.close();
  expect([existsSync(ofDead), existsSync(ofOther)]).toEqual([false, true]);
  forgetSession(world.root, 'ses_example' as SessionId);
  expect(readdirSync(snapshots)).toEqual([]);
});
