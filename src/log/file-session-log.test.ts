import { placeOf } from './files/file-ref.js';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  listing,
  makeWorld,
  note,
  notes,
  pinOf,
  runStarted,
  type World,
} from '../../property-tests/worlds/log-world.js';
import type { EventSum, OriginId, WriterId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { Envelope, EventDraft } from '../events/event.js';
import { encodeLine } from '../events/line-codec.js';
import { prepareDataRoot } from './files/prepare-data-root.js';
import { openFileStore } from './file-store.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const session = (): string => join(world.root.folder, 'sessions', 'ses_example');
const segments = (): string[] => readdirSync(join(session(), 'segments')).toSorted();
const segment = (name: string): string => join(session(), 'segments', name);
const linesOf = (name: string): Record<string, unknown>[] =>
  readFileSync(segment(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('appending', () => {
  test('what was appended is there for the next process', async () => {
    const log = world.log();
    expect(await log.append(notes('one'))).toMatchObject({
      ok: true,
      answer: 'one',
      loaded: { eventCount: 1, position: { lastSeq: 1 } },
    });
    await log.append(notes('two', 'three'));
    const other = await world.log().read();
    expect(other.state.texts).toEqual(['one', 'two', 'three']);
    expect(other.findings).toEqual([]);
    expect(segments()).toHaveLength(1);
    const lines = linesOf(segments()[0]!);
    expect(lines.map(({ seq, prev, more, origin }) => ({ seq, prev, more, origin }))).toEqual([
      { seq: 1, prev: '', origin: 'ses_example' },
      { seq: 2, prev: lines[0]!['sum'], more: true },
      { seq: 3, prev: lines[1]!['sum'] },
    ]);
  });

  test('a new session makes its data root, which git can take as it is', async () => {
    expect(existsSync(world.root.folder)).toBe(false);
    const log = world.log();
    await log.read();
    expect(existsSync(world.root.folder)).toBe(false);
    await log.append(() => ({ answer: '', events: [note('x')], pins: [pinOf('{}')] }));
    expect(readFileSync(join(world.root.folder, '.gitignore'), 'utf8')).toContain('local/\nquarantine/\n');
    expect(readFileSync(join(world.root.folder, '.gitattributes'), 'utf8')).toContain('*.ndjson -text merge=union');
    expect(readdirSync(session()).toSorted()).toEqual(['pins', 'segments']);
  });

  test('a decision without events writes nothing', async () => {
    const log = world.log();
    expect(await log.append(({ eventCount }) => ({ answer: eventCount }))).toMatchObject({
      ok: true,
      answer: 0,
      written: [],
    });
    expect(existsSync(join(world.root.folder, 'sessions'))).toBe(false);
  });

  test('two processes take turns and each line says what its writer saw', async () => {
    const [a, b] = [world.log(), world.log()];
    for (const round of [1, 2, 3]) {
      await a.append(notes(`a${round}`));
      await b.append(notes(`b${round}`));
    }
    expect((await a.read()).state.texts).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect((await b.read()).state).toEqual((await a.read()).state);
    const [ofA, ofB] = segments().map(linesOf);
    expect(ofB![0]!['saw']).toEqual({ [ofA![0]!['by'] as string]: ofA![0]!['sum'] });
    expect(ofA![1]!['saw']).toEqual({ [ofB![0]!['by'] as string]: ofB![0]!['sum'] });
  });

  test('heads that another line names already are not named again', async () => {
    for (let i = 0; i < 5; i += 1) await world.log().append(notes(`writer ${i}`));
    for (const lines of segments().slice(1).map(linesOf))
      expect(Object.keys(lines[0]!['saw'] as object)).toHaveLength(1);
  });

  test('a segment that is full is followed by another', async () => {
    const log = world.log();
    const big = 'x'.repeat(limits.line - 1000);
    for (let i = 0; i < 10; i += 1) await log.append(notes(big));
    expect(segments()).toHaveLength(2);
    const [first, second] = segments();
    expect(statSync(segment(first!)).size).toBeGreaterThanOrEqual(limits.segment);
    expect(linesOf(second!)[0]).toMatchObject({ origin: 'ses_example', prev: linesOf(first!).at(-1)!['sum'], seq: 10 });
    expect(linesOf(second!)[0]!['saw']).toBeUndefined();
    expect(await world.log().read()).toMatchObject({ eventCount: 10, findings: [] });
  });

  test('a decision that throws leaves no trace', async () => {
    const log = world.log();
    await log.append(notes('one'));
    await expect(
      log.append(() => {
        throw new Error('a bug');
      }),
    ).rejects.toThrow('a bug');
    await expect(log.append(() => ({ answer: '', events: [note('x'.repeat(limits.line))] }))).rejects.toThrow(
      'must fit',
    );
    await log.append(notes('two'));
    expect((await world.log().read()).state.texts).toEqual(['one', 'two']);
  });
});

describe('pins', () => {
  const pin = pinOf('{"a":1}');

  test('are checked, named when missing, and can be put back', async () => {
    const log = world.log();
    await log.append(() => ({ answer: '', events: [runStarted(pin.hash)], pins: [pin] }));
    expect(await log.pin(pin.hash)).toEqual({ ok: true, text: pin.text });
    rmSync(join(session(), 'pins'), { recursive: true });
    // As on a machine that has not written it.
    rmSync(join(world.root.folder, 'local', 'running'), { recursive: true });
    const later = world.log();
    expect((await later.read()).findings).toMatchObject([{ level: 'incomplete', file: `pins/${pin.hash}.json` }]);
    expect(await later.append(notes('still writable'))).toMatchObject({ ok: true });
    expect(await later.putPin(pin.hash, pin.text)).toBeUndefined();
    expect((await later.read()).findings).toEqual([]);
    expect((await log.read()).findings).toEqual([]);
    expect(await world.log().read()).toMatchObject({ findings: [], eventCount: 2 });
  });

  test('a pin under a name that is not its own is our bug', async () => {
    await expect(world.log().putPin(pin.hash, 'other')).rejects.toThrow('named by the digest');
  });
});

describe('files that go, shrink or are replaced', () => {
  test('the segment vanished before a request: it is decided on what is left, in a new segment', async () => {
    const log = world.log();
    await log.append(notes('gone'));
    rmSync(segment(segments()[0]!));
    expect(await log.append(({ eventCount }) => ({ answer: eventCount, events: [note('new')] }))).toMatchObject({
      ok: true,
      answer: 0,
    });
    expect((await world.log().read()).state.texts).toEqual(['new']);
    expect((await log.read()).findings).toEqual([]);
  });

  test.each(['vanished', 'replaced', 'shrank', 'grew'])(
    'the segment %s while it was written to: nothing is acknowledged',
    async (how) => {
      const log = world.log();
      await log.append(notes('one'));
      await log.append(notes('two'));
      const file = segment(segments()[0]!);
      const bytes = readFileSync(file);
      const outcome = await log.append(() => {
        if (how === 'vanished') rmSync(file);
        if (how === 'shrank') truncateSync(file, 5);
        if (how === 'grew') appendFileSync(file, 'x');
        if (how === 'replaced') {
          rmSync(file);
          writeFileSync(file, bytes);
        }
        return { answer: '', events: [note('three')] };
      });
      expect(outcome).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
      expect((await log.read()).state.texts).toEqual(how === 'vanished' || how === 'shrank' ? [] : ['one', 'two']);
      rmSync(file, { force: true });
      expect(await log.append(notes('on'))).toMatchObject({ ok: true });
      expect((await world.log().read()).state.texts).toEqual(['on']);
    },
  );

  test('other files replaced under a running process are read again', async () => {
    await world.log().append(notes('a', 'b'));
    const log = world.log();
    await log.read();
    const file = segment(segments()[0]!);
    const [first] = readFileSync(file, 'utf8').replace('"more":true,', '').split('\n');
    const body = first!.slice(0, -26);
    writeFileSync(file, `${body},"sum":"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"}\n`);
    expect((await log.read()).state.texts).toEqual(['a']);
  });
});

describe('symbolic links', () => {
  test.each(['segments', 'pins', '.'])('%s as a link is refused', async (part) => {
    await world.log().append(() => ({ answer: '', events: [note('x')], pins: [pinOf('{}')] }));
    const real = join(session(), part);
    const elsewhere = join(world.folder, 'elsewhere');
    renameSync(real, elsewhere);
    symlinkSync(elsewhere, real);
    const log = world.log();
    expect(await log.read()).toMatchObject({ eventCount: 0, findings: [{ level: 'damage', file: part }] });
    expect(await log.append(notes('y'))).toMatchObject({ ok: false, error: { code: 'SESSION_DAMAGED' } });
  });

  test('a segment or a pin as a link is refused', async () => {
    await world.log().append(() => ({ answer: '', events: [note('x')], pins: [pinOf('{}')] }));
    const name = segments()[0]!;
    const log = world.log();
    await log.read();
    renameSync(segment(name), join(world.folder, 'moved'));
    symlinkSync(join(world.folder, 'moved'), segment(name));
    expect(await log.read()).toMatchObject({
      eventCount: 0,
      findings: [{ level: 'damage', file: `segments/${name}` }],
    });
    rmSync(segment(name));
    renameSync(join(world.folder, 'moved'), segment(name));
    expect((await log.read()).findings).toEqual([]);
    const pin = join(session(), 'pins', `${pinOf('{}').hash}.json`);
    renameSync(pin, join(world.folder, 'moved'));
    symlinkSync(join(world.folder, 'moved'), pin);
    expect((await world.log().read()).findings).toMatchObject([{ level: 'damage' }]);
  });

  test('a link in the place of local/ is not written through', async () => {
    mkdirSync(world.root.folder);
    mkdirSync(join(world.folder, 'elsewhere'));
    symlinkSync(join(world.folder, 'elsewhere'), join(world.root.folder, 'local'));
    expect(await world.log().append(notes('x'))).toMatchObject({ ok: true });
    await world.store().close();
    expect(readdirSync(join(world.folder, 'elsewhere'))).toEqual([]);
  });
});

describe('withdrawn lines', () => {
  test('are out of the fold, and chains accept that they are not there', async () => {
    const log = world.log();
    for (const text of ['keep 1', 'secret', 'keep 2']) await log.append(notes(text));
    const other = await world.log().append(notes('other'));
    expect(other.ok).toBe(true);
    const [name] = segments();
    const lines = readFileSync(segment(name!), 'utf8').split('\n');
    const sum = linesOf(name!)[1]!['sum'] as EventSum;
    await log.append(() => ({
      answer: '',
      events: [{ kind: 'lines_withdrawn', data: { sums: [sum], reason: 'redacted', detail: 'a secret' } }],
    }));
    // The bytes are still here: the fold leaves them out, in this process and in a fresh one.
    const expected = ['keep 1', 'keep 2', 'other', 'lines_withdrawn'];
    expect((await log.read()).state.texts).toEqual(expected);
    expect(await world.log().read()).toMatchObject({ state: { texts: expected }, findings: [] });
    const now = readFileSync(segment(name!), 'utf8').split('\n');
    writeFileSync(segment(name!), now.filter((line) => line !== lines[1]).join('\n'));
    expect(await world.log().read()).toMatchObject({ state: { texts: expected }, findings: [] });
    expect(await log.append(notes('goes on'))).toMatchObject({ ok: true });
  });

  test('a line withdrawn as damaged or lost counts again when its bytes come back, a redacted one does not', async () => {
    for (const [reason, comesBack] of [
      ['damaged', true],
      ['lost', true],
      ['redacted', false],
    ] as const) {
      const own = makeWorld();
      const log = own.log();
      for (const text of ['before', 'gone', 'after']) await log.append(notes(text));
      const folder = join(own.root.folder, 'sessions', 'ses_example', 'segments');
      const file = join(folder, readdirSync(folder)[0]!);
      const whole = readFileSync(file, 'utf8');
      const gone = whole.split('\n')[1]!;
      const { sum } = JSON.parse(gone) as { readonly sum: EventSum };
      await own.log().append(() => ({
        answer: '',
        events: [{ kind: 'lines_withdrawn', data: { sums: [sum], reason, detail: '' } }],
      }));
      writeFileSync(file, whole.replace(`${gone}\n`, ''));
      expect(await own.log().read(), reason).toMatchObject({
        state: { texts: ['before', 'after', 'lines_withdrawn'] },
        findings: [],
      });
      writeFileSync(file, whole);
      expect(await own.log().read(), reason).toMatchObject({
        state: {
          texts: comesBack ? ['before', 'gone', 'after', 'lines_withdrawn'] : ['before', 'after', 'lines_withdrawn'],
        },
        findings: [],
      });
      await own.close();
    }
  });
});

describe('one process after another', () => {
  const leave = async (text: string): Promise<void> => {
    const store = world.store();
    await store.create('ses_example' as never).append(notes(text));
    await store.close();
  };

  test('a segment that was ended cleanly is taken up', async () => {
    for (const text of ['a', 'b', 'c']) await leave(text);
    expect(segments()).toHaveLength(1);
    expect(await world.log().read()).toMatchObject({ state: { texts: ['a', 'b', 'c'] }, findings: [] });
  });

  test('not by two, not after it changed, and not in a copy of the folder', async () => {
    await leave('a');
    const [one, two] = [world.log(), world.log()];
    await one.append(notes('one'));
    await two.append(notes('two'));
    expect(segments()).toHaveLength(2);
    await world.store().close();

    const copy = makeWorld();
    await leave('b');
    cpSync(world.root.folder, copy.root.folder, { recursive: true });
    const before = readdirSync(join(copy.root.folder, 'sessions', 'ses_example', 'segments')).length;
    await copy.log().append(notes('in the copy'));
    expect(readdirSync(join(copy.root.folder, 'sessions', 'ses_example', 'segments'))).toHaveLength(before + 1);
    await copy.close();
  });

  test('an ended file that a crash brought back leads to nothing', async () => {
    await leave('a');
    const ended = join(world.root.folder, 'local', 'ended', 'ses_example');
    const [name] = readdirSync(ended);
    const record = readFileSync(join(ended, name!));
    await leave('b');
    writeFileSync(join(ended, name!), record);
    await leave('c');
    expect(segments()).toHaveLength(2);
    expect((await world.log().read()).state.texts).toEqual(['a', 'b', 'c']);
  });
});

describe('lines that are sound in themselves', () => {
  const written = (draft: EventDraft, around: Partial<Envelope> & Pick<Envelope, 'seq' | 'prev'>): string =>
    encodeLine(draft, { by: 'writer0000' as WriterId, at: '2026-01-01T00:00:00.000Z', ...around }).line;
  const origin = 'ses_example' as OriginId;

  test('a number that does not grow is damage', async () => {
    const first = encodeLine(note('a'), { seq: 5, by: 'writer0000' as WriterId, at: 'x', prev: '', origin });
    mkdirSync(join(session(), 'segments'), { recursive: true });
    writeFileSync(
      segment('000005-writer0000.ndjson'),
      first.line + written(note('b'), { seq: 5, prev: first.event.sum }),
    );
    expect(await world.log().read()).toMatchObject({ eventCount: 1, findings: [{ level: 'damage', line: 2 }] });
  });

  test('lines of another writer after the first own one, or an own first line without an origin, are damage', async () => {
    const first = encodeLine(note('a'), { seq: 1, by: 'writer0000' as WriterId, at: 'x', prev: '', origin });
    mkdirSync(join(session(), 'segments'), { recursive: true });
    const name = '000001-writer0000.ndjson';
    writeFileSync(
      segment(name),
      first.line + written(note('b'), { seq: 2, prev: first.event.sum, by: 'writer1111' as WriterId }),
    );
    expect(await world.log().read()).toMatchObject({ eventCount: 1, findings: [{ level: 'damage', line: 2 }] });
    writeFileSync(segment(name), written(note('b'), { seq: 1, prev: '' }));
    expect(await world.log().read()).toMatchObject({ eventCount: 0, findings: [{ level: 'damage', line: 1 }] });
    // Repeated lines of a writer in doubt come first and keep their own name.
    writeFileSync(segment(name), first.line);
    writeFileSync(
      segment('000001-writer1111.ndjson'),
      first.line + written(note('b'), { seq: 2, prev: first.event.sum, by: 'writer1111' as WriterId, origin }),
    );
    expect(await world.log().read()).toMatchObject({ eventCount: 2, findings: [] });
  });
});

describe('git', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', '-c', 'init.defaultBranch=main', ...args], {
      cwd: world.folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: join(world.folder, 'no-config'), GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    }).trim();

  test('when HEAD has moved, a new segment begins with the observation', async () => {
    git('init');
    git('commit', '--allow-empty', '-m', 'first');
    const log = world.log();
    await log.append(notes('a'));
    await log.append(notes('b'));
    git('add', '.');
    git('commit', '-m', 'second');
    await log.append(notes('c'));
    await log.append(notes('d'));
    expect(segments()).toHaveLength(2);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    const lines = linesOf(segments()[1]!);
    expect(lines.map(({ kind }) => kind)).toEqual(['observation', 'note_added', 'note_added']);
    expect(lines[0]!['data']).toMatchObject({ branch: 'main', commit: git('rev-parse', 'HEAD') });
    expect((await world.log().read()).findings).toEqual([]);
  });

  test('two clones that went on from the same session merge without a conflict and see both branches', async () => {
    git('init');
    await world.log().append(notes('common'));
    git('add', '.');
    git('commit', '-m', 'common');
    git('clone', '.', 'clone');
    const there = { kind: 'given' as const, folder: join(world.folder, 'clone', 'data') };
    const clone = world.store({ roots: [there], newSessions: there }).create('ses_example' as never);
    await clone.append(notes('there 1', 'there 2'));
    git('-C', 'clone', 'add', '.');
    git('-C', 'clone', 'commit', '-m', 'there');
    const here = world.log();
    await here.append(notes('here'));
    git('add', 'data');
    git('commit', '-m', 'here');
    git('pull', '--no-rebase', '--no-edit', 'clone', 'main');
    const merged = await here.read();
    // The order of branches that know nothing of each other is by writer, so it may be either.
    expect(merged.state.texts.toSorted()).toEqual(['common', 'here', 'there 1', 'there 2']);
    expect(merged.findings).toEqual([]);
    expect((await world.log().read()).state).toEqual(merged.state);
    expect(await here.append(notes('after'))).toMatchObject({ ok: true });
  });

  test('stash under a running process', async () => {
    git('init');
    prepareDataRoot(world.root);
    git('add', '.');
    git('commit', '-m', 'first');
    const log = world.log();
    await log.append(notes('a'));
    git('stash', '-u');
    expect(await log.append(({ eventCount }) => ({ answer: eventCount, events: [note('b')] }))).toMatchObject({
      ok: true,
      answer: 0,
    });
    git('add', 'data');
    git('commit', '-m', 'b');
    git('stash', 'pop');
    expect(await log.read()).toMatchObject({ findings: [] });
    expect((await log.read()).state.texts.toSorted()).toEqual(['a', 'b']);
  });
});

describe('the lease', () => {
  const lock = (): string => join(world.root.folder, 'local', 'locks', 'ses_example');

  test('a holder that lives is named when waiting ends; a dead one is not waited for', async () => {
    await world.log().append(notes('a'));
    await pause(limits.leaseIdleMs * 3);
    expect(existsSync(lock())).toBe(false);
    mkdirSync(lock());
    writeFileSync(`${lock()}.holder`, JSON.stringify({ pid: process.pid, host: hostname(), since: 'noon' }));
    const refused = await world.log().append(notes('b'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'SESSION_BUSY' } });
    expect(refused.ok ? '' : refused.error.message).toContain(`process ${process.pid} on ${hostname()} (since noon)`);
    writeFileSync(`${lock()}.holder`, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), since: 'noon' }));
    expect(await world.log().append(notes('b'))).toMatchObject({ ok: true });
  });

  test('a lock whose holder was killed before it could say its name is not waited for', async () => {
    mkdirSync(lock(), { recursive: true });
    expect(await world.log().append(notes('a'))).toMatchObject({ ok: true });
  });

  test('a lock that was stolen costs nothing', async () => {
    const log = world.log();
    await log.append(notes('a'));
    rmSync(lock(), { recursive: true });
    await log.append(notes('b'));
    utimesSync(world.root.folder, 0, 0);
    await pause(limits.leaseIdleMs * 3);
    await log.append(notes('c'));
    expect((await world.log().read()).state.texts).toEqual(['a', 'b', 'c']);
  });
});

describe('the store', () => {
  test('lists and finds sessions in all roots, links among them, and leaves out what is none', async () => {
    const user = { kind: 'user' as const, folder: join(world.folder, 'user') };
    const store = world.store({ roots: [world.root, user] });
    expect(await store.list()).toEqual([]);
    await store.create('AUTH-12' as never).append(notes('x'));
    await world
      .store({ newSessions: user })
      .create('ses_b' as never)
      .append(notes('x'));
    await world
      .store({ newSessions: user })
      .create('auth-12' as never)
      .append(notes('x'));
    mkdirSync(join(user.folder, 'sessions', '.hidden'));
    symlinkSync(session(), join(user.folder, 'sessions', 'ses_link'));
    writeFileSync(join(user.folder, 'sessions', 'ses_file'), '');
    expect((await store.list()).map(({ id, place }) => `${place.kind} ${id}`)).toEqual([
      'given AUTH-12',
      'user auth-12',
      'user ses_b',
      'user ses_link',
    ]);
    expect(await store.find('auth-12')).toEqual({ id: 'AUTH-12', place: placeOf(world.root) });
    expect(await store.find('SES_B')).toEqual({ id: 'ses_b', place: placeOf(user) });
    expect(await store.find('ses_none')).toBeUndefined();
    expect(store.open((await store.find('ses_b'))!)).toBe(store.open((await store.find('ses_b'))!));
  });

  test('keeps a bounded number of segments open and goes on with all of them', async () => {
    const store = world.store();
    const ids = Array.from({ length: limits.heldSegments + 6 }, (_, i) => `ses_${i}`);
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const id of ids) await store.create(id as never).append(notes('x'));
    expect(open() - before).toBeLessThanOrEqual(limits.heldSegments + 4);
    for (const id of ids)
      expect(await store.create(id as never).append(notes('y'))).toMatchObject({ loaded: { eventCount: 2 } });
    for (const id of ids) expect(readdirSync(join(world.root.folder, 'sessions', id, 'segments'))).toHaveLength(1);
  });

  test('a data root without a place for locks and caches serves all the same', async () => {
    await world.log().append(notes('x'));
    const blocked = openFileStore({
      roots: [world.root],
      newSessions: world.root,
      projection: listing,
      now: () => new Date(),
      randomBytes: () => new Uint8Array(10),
      log: () => undefined,
    });
    rmSync(join(world.root.folder, 'local'), { recursive: true });
    writeFileSync(join(world.root.folder, 'local'), 'in the way');
    const log = blocked.create('ses_example' as never);
    expect(await log.read()).toMatchObject({ eventCount: 1 });
    expect(await log.append(notes('y'))).toMatchObject({ ok: true });
    await blocked.close();
  });
});
