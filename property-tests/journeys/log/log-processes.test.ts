import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../worlds/log-world.js';

const child = fileURLToPath(new URL('../../worlds/log-child.mjs', import.meta.url));
const hasStrace = spawnSync('strace', ['-V']).status === 0;
const untraced = hasStrace ? '' : ' (skipped: strace is not installed)';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

function run(
  args: readonly string[],
  through: readonly string[] = [],
): { readonly process: ChildProcess; readonly lines: string[]; readonly ended: Promise<unknown> } {
  const [command, ...rest] = [...through, process.execPath, child, ...args];
  // A group of its own, so that a traced process goes with its tracer.
  const started = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines: string[] = [];
  let text = '';
  started.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const parts = text.split('\n');
    text = parts.pop()!;
    lines.push(...parts);
  });
  return { process: started, lines, ended: once(started, 'close') };
}

const acked = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('acked ')).map((line) => line.slice(6));

describe('law 3: several processes over one session', () => {
  test.each(['lease', 'off'])('four at once lose nothing that was acknowledged (lock: %s)', async (lock) => {
    const count = 60;
    const runs = ['a', 'b', 'c', 'd'].map((name) => run(['burst', world.root.folder, name, String(count), lock]));
    await Promise.all(runs.map(({ ended }) => ended));
    const all = runs.flatMap(({ lines }) => acked(lines));
    expect(all).toHaveLength(4 * count);
    const { state, findings } = await world.log().read();
    expect(findings).toEqual([]);
    expect(state.texts.toSorted()).toEqual(all.toSorted());
    for (const name of ['a', 'b', 'c', 'd']) {
      const own = state.texts.filter((text) => text.startsWith(name));
      expect(own).toEqual(Array.from({ length: count }, (_, i) => `${name} ${i}`));
    }
  });

  test('killed at random, again and again, over the same session', async () => {
    const expected: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { process: victim, lines, ended } = run(['burst', world.root.folder, `r${round}`, '100000', 'lease']);
      while (lines.length === 0) await pause(2);
      await pause((round * 7) % 40);
      victim.kill('SIGKILL');
      await ended;
      const told = acked(lines);
      expect(told.length).toBeGreaterThan(0);
      expected.push(...told);
      const { state, findings } = await world.log().read();
      const recorded = new Set(state.texts);
      expect(expected.filter((text) => !recorded.has(text))).toEqual([]);
      expect(findings.filter(({ level }) => level !== 'torn')).toEqual([]);
    }
  });

  test('calls that end cleanly go on in one segment; a killed one leaves its segment alone', async () => {
    const segments = (): string[] => readdirSync(join(world.root.folder, 'sessions', 'ses_example', 'segments'));
    for (let call = 0; call < 4; call += 1) await run(['burst', world.root.folder, `call${call}`, '2', 'lease']).ended;
    expect(segments()).toHaveLength(1);
    const { process: victim, lines, ended } = run(['burst', world.root.folder, 'victim', '100000', 'lease']);
    while (lines.length === 0) await pause(2);
    victim.kill('SIGKILL');
    await ended;
    expect(segments()).toHaveLength(1);
    await run(['burst', world.root.folder, 'after', '2', 'lease']).ended;
    expect(segments()).toHaveLength(2);
    expect((await world.log().read()).findings.filter(({ level }) => level !== 'torn')).toEqual([]);
  });
});

describe.skipIf(!hasStrace)(`system calls${untraced}`, () => {
  const trace = (name: string): string => join(world.folder, name);

  test('a step is one write and one sync: no rename, no file, no folder', async () => {
    const steps = 30;
    const calls =
      'write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat,rmdir,link,linkat,ftruncate,utimensat,openat,open';
    await run(
      ['steps', world.root.folder, 'x', String(steps), 'lease'],
      ['strace', '-qq', '-e', `trace=${calls}`, '-o', trace('steps')],
    ).ended;
    const lines = readFileSync(trace('steps'), 'utf8').split('\n');
    const within = lines.slice(
      lines.findIndex((line) => line.includes('"begin\\n"')) + 1,
      lines.findIndex((line) => line.includes('"end\\n"')),
    );
    expect(within.length).toBeGreaterThan(steps);
    const counts: Record<string, number> = {};
    for (const line of within) {
      const name = /^(\w+)\(/u.exec(line)?.[1] ?? 'other';
      const kind = name !== 'openat' ? name : line.includes('O_CREAT') ? 'create' : 'look';
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    delete counts['look'];
    expect(counts).toEqual({ write: steps, fdatasync: steps });
  });

  /** What was synced before the first line on stdout that begins so, and what after. */
  async function syncs(
    args: readonly string[],
    word: string,
  ): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
    const log = trace(`syncs-${args[0]!}`);
    await run(args, ['strace', '-qq', '-y', '-e', 'trace=fsync,fdatasync,write', '-o', log]).ended;
    const lines = readFileSync(log, 'utf8').split('\n');
    const told = lines.findIndex((line) => line.startsWith('write(1<') && line.includes(`"${word}`));
    const paths = (part: readonly string[]): string[] =>
      part.flatMap((line) => /^f(?:data)?sync\(\d+<(.*?)>\)/u.exec(line)?.[1] ?? []);
    expect(told).toBeGreaterThan(0);
    return { before: paths(lines.slice(0, told)), after: paths(lines.slice(told)) };
  }

  test('before an answer, every file and every name that leads to it is synced, whoever wrote it', async () => {
    const root = world.root.folder;
    const session = join(root, 'sessions', 'ses_example');
    const names = [world.folder, root, join(root, 'sessions'), session, join(session, 'segments')];
    const made = await syncs(['burst', root, 'x', '1', 'lease'], 'acked');
    const segment = join(session, 'segments', readdirSync(join(session, 'segments'))[0]!);
    expect(made.before).toEqual(expect.arrayContaining([...names, segment]));
    const looked = await syncs(['look', root, 'x', '1', 'lease'], 'answered');
    expect(looked.before).toEqual(expect.arrayContaining([...names.slice(1), segment]));
    expect(looked.after).toEqual([]);
  });

  /** How many such calls node itself makes before the first that is ours. */
  async function callsBefore(call: string): Promise<number> {
    const folder = join(world.folder, 'dry');
    mkdirSync(folder);
    await run(
      ['retry', folder, 'dry', '1', 'off'],
      ['strace', '-qq', '-y', '-o', trace('dry.log'), '-e', `trace=${call}`],
    ).ended;
    const before = readFileSync(trace('dry.log'), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(folder));
    expect(before).toBeGreaterThanOrEqual(0);
    return before;
  }

  const faults = [
    ['write', 'ENOSPC'],
    ['write', 'EIO'],
    ['fdatasync', 'EIO'],
    ['fsync', 'EIO'],
    ['mkdir', 'ENOSPC'],
  ] as const;

  test.each(faults)(
    '%s fails with %s at each position: never acknowledged and lost, never recorded twice',
    async (call, code) => {
      let hits = 0;
      const before = await callsBefore(call);
      for (let position = 1; position <= 8; position += 1) {
        const name = `p${position}`;
        const folder = join(world.folder, name);
        mkdirSync(folder);
        const log = trace(`${name}.log`);
        const inject = `inject=${call}:error=${code}:when=${before + position}`;
        const {
          process: tracer,
          lines,
          ended,
        } = run(
          ['retry', folder, name, '4', 'off'],
          ['strace', '-qq', '-y', '-o', log, '-e', `trace=${call}`, '-e', inject],
        );
        const stuck = setTimeout(() => process.kill(-tracer.pid!, 'SIGKILL'), 8000);
        await ended;
        clearTimeout(stuck);
        // Node writes to wake its own threads; what it makes of a fault there is not our question.
        const injected = readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.includes('INJECTED'));
        if (!injected.some((line) => line.includes(folder))) continue;
        hits += 1;
        const told = JSON.parse(lines[0] ?? '{}') as { acked: string[]; refusals: string[] };
        expect(told.acked, `${call} ${position}`).toEqual([0, 1, 2, 3].map((i) => `${name} ${i}`));
        for (const refusal of told.refusals) expect(refusal).toBe('STORAGE_FAULT');
        const here = makeWorld();
        const { state, findings } = await here
          .store({ roots: [{ kind: 'given', folder }], newSessions: { kind: 'given', folder } })
          .create('ses_example' as never)
          .read();
        await here.close();
        expect(state.texts, `${call} ${position}`).toEqual(told.acked.flatMap((text) => [text, `${text}+`]));
        expect(findings.filter(({ level }) => level !== 'torn')).toEqual([]);
      }
      expect(hits).toBeGreaterThan(2);
    },
    60_000,
  );

  test('lines of which nobody knows whether they are on disk are written once more, in a segment of their own', async () => {
    const inject = `inject=fdatasync:error=EIO:when=${(await callsBefore('fdatasync')) + 2}`;
    await run(
      ['retry', world.root.folder, 'd', '3', 'off'],
      ['strace', '-qq', '-o', trace('doubt'), '-e', 'trace=fdatasync', '-e', inject],
    ).ended;
    const folder = join(world.root.folder, 'sessions', 'ses_example', 'segments');
    const texts = readdirSync(folder)
      .toSorted()
      .map((name) =>
        readFileSync(join(folder, name), 'utf8')
          .match(/"text":"[^"]*"/gu)!
          .map((text) => text.slice(8, -1)),
      );
    expect(texts.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1))).toEqual([
      ['d 0', 'd 0+', 'd 1', 'd 1+'],
      ['d 1', 'd 1+', 'd 2', 'd 2+'],
    ]);
    expect(await world.log().read()).toMatchObject({ eventCount: 6, findings: [] });
  });

  test('a disk that stays full refuses, leaves no heap of files, and serves again', async () => {
    const first = (await callsBefore('write')) + 1;
    const when = `${first + 4}..${first + 11}`;
    const { lines, ended } = run(
      ['retry', world.root.folder, 'full', '6', 'off'],
      ['strace', '-qq', '-o', trace('full'), '-e', 'trace=write', '-e', `inject=write:error=ENOSPC:when=${when}`],
    );
    await ended;
    const told = JSON.parse(lines[0] ?? '{}') as { acked: string[]; refusals: string[] };
    expect(told.refusals.length).toBeGreaterThan(3);
    expect(told.acked.length).toBeGreaterThan(3);
    const { state, findings } = await world.log().read();
    expect(new Set(state.texts).size).toBe(state.texts.length);
    expect(told.acked.filter((text) => !state.texts.includes(text))).toEqual([]);
    expect(findings).toEqual([]);
    expect(readdirSync(join(world.root.folder, 'sessions', 'ses_example', 'segments')).length).toBeLessThan(4);
  });
});

test.skipIf(process.platform === 'win32')(
  'a write that takes only a part of its bytes is gone on with, and the fault that ends it is told',
  async () => {
    const { lines, ended } = run(
      ['retry', world.root.folder, 'limit', '40', 'off'],
      ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh'],
    );
    await ended;
    const told = JSON.parse(lines[0] ?? '{}') as { acked: string[]; refusals: string[] };
    expect(new Set(told.refusals)).toEqual(new Set(['STORAGE_FAULT']));
    const { state, findings } = await world.log().read();
    expect(told.acked.filter((text) => !state.texts.includes(text))).toEqual([]);
    expect(new Set(state.texts).size).toBe(state.texts.length);
    expect(findings.filter(({ level }) => level !== 'torn')).toEqual([]);
  },
);

test('the program is built', () => {
  expect(existsSync(fileURLToPath(new URL('../../../dist/log/file-store.js', import.meta.url)))).toBe(true);
});
