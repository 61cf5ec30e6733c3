import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeWorld, notes, pinOf, runStarted, type World } from '../../../property-tests/worlds/log-world.js';
import type { SessionId } from '../../base/ids.js';
import { forgetSession, moveToTrash } from '../carry/trash.js';
import { sessionFolder } from '../segments/session-folder.js';
import { filesHolding, needlesOf } from './text-on-disk.js';
import { redactSession } from './redact-session.js';
import { repairSession } from './repair-session.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const id = 'ses_example' as SessionId;
const session = (...names: readonly string[]): string => join(world.root.folder, 'sessions', id, ...names);
const spares = (): readonly string[] =>
  readdirSync(join(world.root.folder, 'local', 'running', 'spare', id)).filter((name) => name !== 'taken');
const aside = (): string => join(world.folder, 'aside');

/** What git does in two moves, with what happens in between: it copies, and takes away later. */
async function setAside(meanwhile: () => unknown): Promise<void> {
  cpSync(session(), aside(), { recursive: true });
  await meanwhile();
  rmSync(session(), { recursive: true });
}
const bringBack = (): void => cpSync(aside(), session(), { recursive: true });
const read = (): Promise<{ readonly texts: readonly string[]; readonly findings: readonly unknown[] }> =>
  world.log().read(({ state, findings }) => ({ texts: [...state.texts], findings: [...findings] }));
const repair = (kept: 'of this branch' | 'all' = 'of this branch') =>
  world.log().maintain((care) => repairSession(care, { acceptLoss: false, kept }));
const onBranch = (name: string): void => {
  mkdirSync(join(world.folder, '.git', 'refs', 'heads'), { recursive: true });
  writeFileSync(join(world.folder, '.git', 'HEAD'), `ref: refs/heads/${name}\n`);
};

describe('what is appended between git’s copy and its removal', () => {
  test('is back with the copy, byte for byte, in the process that wrote it', async () => {
    const log = world.log();
    await log.append(notes('one'));
    const lines = (): string =>
      readdirSync(session('segments'))
        .map((name) => readFileSync(session('segments', name), 'utf8'))
        .join('');
    let before = '';
    await setAside(async () => {
      expect(await log.append(notes('two'))).toMatchObject({ ok: true });
      expect(await log.append(notes('three', 'four'))).toMatchObject({ ok: true });
      before = lines();
    });
    bringBack();
    expect((await log.read()).state.texts).toEqual(['one', 'two', 'three', 'four']);
    for (const line of before.trimEnd().split('\n')) expect(lines()).toContain(line);
    expect(await log.append(notes('five'))).toMatchObject({ ok: true });
    expect(await read()).toEqual({ texts: ['one', 'two', 'three', 'four', 'five'], findings: [] });
    expect(await world.log().verify()).toMatchObject({ eventCount: 5, findings: [] });
  });

  test.each(['ended', 'was killed'])('is back where its process %s meanwhile', async (how) => {
    const store = world.store();
    const log = store.create(id);
    await log.append(notes('one'));
    await setAside(async () => {
      await log.append(notes('two'));
      if (how === 'ended') await store.close();
    });
    expect(await read()).toEqual({ texts: [], findings: [] });
    bringBack();
    expect(await read()).toEqual({ texts: ['one', 'two'], findings: [] });
  });

  test('is back when local/ was cleared as well, as git clean -x does, from the file that is still open', async () => {
    const log = world.log();
    await log.append(notes('one'));
    await setAside(() => log.append(notes('two')));
    rmSync(join(world.root.folder, 'local'), { recursive: true });
    expect((await log.read()).state.texts).toEqual([]);
    log.letGo();
    bringBack();
    expect(await read()).toEqual({ texts: ['one', 'two'], findings: [] });
  });

  test('is back a second time, and a third', async () => {
    const log = world.log();
    await log.append(notes('0'));
    for (let round = 1; round <= 3; round += 1) {
      await setAside(() => log.append(notes(String(round))));
      bringBack();
      rmSync(aside(), { recursive: true });
      expect((await log.read()).state.texts).toHaveLength(round + 1);
      // Git takes away what was put back before anybody copied it.
      const [newest] = readdirSync(session('segments')).toSorted().slice(-1);
      rmSync(session('segments', newest!));
      expect((await log.read()).state.texts).toHaveLength(round + 1);
    }
    expect((await read()).findings).toEqual([]);
  });

  test('brings its workflow along, whose file was made in between too', async () => {
    const log = world.log();
    await log.append(notes('one'));
    const pin = pinOf('{"a":1}');
    await setAside(() => log.append(() => ({ answer: '', events: [runStarted(pin.hash)], pins: [pin] })));
    bringBack();
    expect(await read()).toEqual({ texts: ['one', 'run_started'], findings: [] });
    expect(await world.log().pin(pin.hash)).toEqual({ ok: true, text: pin.text });
  });

  test('is not there when its caller was told that it is not recorded', async () => {
    const log = world.log();
    await log.append(notes('one'));
    cpSync(session(), aside(), { recursive: true });
    const held = session('segments', readdirSync(session('segments'))[0]!);
    const told = await log.append(() => {
      rmSync(held);
      return { answer: '', events: notes('two')().events! };
    });
    expect(told).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
    rmSync(session(), { recursive: true });
    bringBack();
    expect(await read()).toEqual({ texts: ['one'], findings: [] });
  });

  test('is not missed by whoever starts from a snapshot', async () => {
    const sealKey = (): Uint8Array => new Uint8Array(32);
    const log = world.log({ sealKey });
    for (let count = 0; count < 300; count += 1) await log.append(notes(String(count)));
    log.letGo();
    const next = world.log({ sealKey });
    await setAside(() => next.append(notes('after')));
    next.letGo();
    bringBack();
    expect((await world.log({ sealKey }).read()).state.texts).toHaveLength(301);
  });
});

describe('what does not come back by itself', () => {
  test('a session that was removed whole and begun anew: it is told, and a repair puts it back', async () => {
    await world.log().append(notes('one'));
    rmSync(session(), { recursive: true });
    const log = world.log();
    expect(await log.append(notes('anew'))).toMatchObject({ ok: true });
    const finding = {
      level: 'incomplete',
      kept: true,
      remedy: expect.stringContaining(`workrail doctor ${id} --repair`),
    };
    expect(await read()).toMatchObject({ texts: ['anew'], findings: [finding] });
    expect([...log.events()]).toHaveLength(1);
    expect(await repair()).toMatchObject({ ok: true, value: { broughtBack: 1, left: [] } });
    const { texts, findings } = await read();
    expect({ texts: texts.toSorted(), findings }).toEqual({ texts: ['anew', 'one'], findings: [] });
  });

  test('a session that is gone whole, until a repair is asked for it', async () => {
    const pin = pinOf('{}');
    await world.log().append(() => ({ answer: '', events: [runStarted(pin.hash)], pins: [pin] }));
    rmSync(session(), { recursive: true });
    expect(await read()).toEqual({ texts: [], findings: [] });
    expect(existsSync(session())).toBe(false);
    expect(await repair()).toMatchObject({ ok: true, value: { broughtBack: 1, left: [] } });
    expect(await read()).toEqual({ texts: ['run_started'], findings: [] });
  });

  test('lines of another branch, until a repair of all is asked for', async () => {
    onBranch('work');
    const log = world.log();
    await log.append(notes('one'));
    await setAside(() => log.append(notes('two')));
    onBranch('main');
    bringBack();
    expect(await read()).toEqual({ texts: ['one'], findings: [] });
    expect(await repair()).toMatchObject({ ok: true, value: { broughtBack: 0 } });
    onBranch('work');
    expect(await read()).toEqual({ texts: ['one', 'two'], findings: [] });
  });

  test.each(['keeps time', 'was put back by an hour'])(
    'what was taken away on purpose, also for who still holds its file, where the clock %s',
    async (clock) => {
      const log = world.log();
      await log.append(notes('one'));
      const time = clock === 'keeps time' ? undefined : vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
      const trashed = moveToTrash(world.root, id, new Date(), 'mark');
      forgetSession(world.root, id);
      time?.mockRestore();
      rmSync(trashed.at.folder, { recursive: true });
      expect((await log.read()).state.texts).toEqual([]);
      log.letGo();
      expect(filesHolding(world.root.folder, needlesOf(['"one"']))).toEqual([]);
      await world.log().append(notes('anew'));
      expect(await read()).toEqual({ texts: ['anew'], findings: [] });
    },
  );

  test('what was taken away, where it is begun anew before that is over; what is new is kept as ever', async () => {
    await world.log().append(notes('one'));
    moveToTrash(world.root, id, new Date(), 'mark');
    const log = world.log({ lock: 'off' });
    await log.append(notes('anew'));
    forgetSession(world.root, id);
    cpSync(session(), aside(), { recursive: true });
    await log.append(notes('after the copy'));
    rmSync(session(), { recursive: true });
    await log.read();
    log.letGo();
    bringBack();
    expect(await read()).toEqual({ texts: ['anew', 'after the copy'], findings: [] });
  });

  test.each([
    ['stands in the log', false],
    ['is only kept', true],
  ])('a text that was redacted, where it %s', async (_, onlyKept) => {
    const log = world.log({ lock: 'off' });
    await log.append(notes('begin'));
    cpSync(session(), aside(), { recursive: true });
    await log.append(notes('safe'));
    await log.append(notes('a secret'));
    await log.append(notes('safe too'));
    if (onlyKept) {
      rmSync(session(), { recursive: true });
      onBranch('elsewhere');
      bringBack();
    }
    const needles = needlesOf(['secret']);
    const redacted = await world.log({ lock: 'off' }).maintain((care) =>
      redactSession(
        care,
        {
          redact: ({ data }) =>
            'text' in data && data.text === 'a secret'
              ? { draft: { kind: 'note_added', data: { text: '[redacted]' } }, places: ['/text'] }
              : undefined,
          inBytes: (bytes) => needles.some((needle) => bytes.includes(needle)),
        },
        false,
      ),
    );
    expect(redacted.ok).toBe(true);
    // Who holds the old file open brings nothing of it back.
    await log.read();
    log.letGo();
    expect(filesHolding(join(world.root.folder), needles)).toEqual([]);
    rmSync(join(world.folder, '.git'), { recursive: true, force: true });
    const { texts } = await read();
    expect(texts.filter((text) => text !== 'lines_withdrawn')).toEqual(
      onlyKept ? ['begin', 'safe'] : ['begin', 'safe', '[redacted]', 'safe too'],
    );
    if (onlyKept) {
      await repair();
      expect((await read()).texts).toEqual(['begin', 'safe', 'safe too']);
    }
  });

  test('anything, while the session is damaged', async () => {
    const log = world.log();
    for (const text of ['one', 'one more']) await log.append(notes(text));
    await setAside(() => log.append(notes('two')));
    bringBack();
    const [name] = readdirSync(session('segments'));
    const bytes = readFileSync(session('segments', name!));
    bytes[20]! ^= 1;
    writeFileSync(session('segments', name!), bytes);
    expect(await read()).toMatchObject({ texts: [], findings: [{ level: 'damage' }] });
    expect(readdirSync(session('segments'))).toEqual([name]);
    // Then nothing is lost: what cannot be read here stands there whole.
    expect(await repair()).toMatchObject({ ok: true, value: { withdrawn: { damaged: 0 }, left: [] } });
    expect((await read()).texts).toEqual(['one', 'one more', 'two']);
  });
});

describe('second names', () => {
  test('go with their files’ rest, and no name is left of what nothing is missed of', async () => {
    const log = world.log();
    await log.append(notes('one'));
    expect(spares()).toHaveLength(1);
    await setAside(() => log.append(notes('two')));
    bringBack();
    await log.read();
    // Those of the two files that hold it now.
    expect(spares()).toHaveLength(2);
    const names = readdirSync(session('segments'));
    expect(spares().every((name) => names.some((segment) => name.startsWith(segment)))).toBe(true);
  });

  test('are below a folder that git is told to pass by, whatever becomes of the data root’s own word', async () => {
    await world.log().append(notes('one'));
    expect(readFileSync(join(world.root.folder, 'local', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('are done without where there can be none', async () => {
    const local = join(world.root.folder, 'local');
    mkdirSync(join(local, 'running'), { recursive: true });
    writeFileSync(join(local, 'running', 'spare'), '');
    const log = world.log();
    expect(await log.append(notes('one'))).toMatchObject({ ok: true });
    renameSync(sessionFolder(world.root, id).folder, aside());
    expect((await log.read()).state.texts).toEqual([]);
    expect(await log.append(notes('anew'))).toMatchObject({ ok: true });
  });
});
