import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DoctorReport } from '../../../src/contract/doctor-answers.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

let world: CommandLineWorld;
beforeEach(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.workrail'));
  await world.run(['start', 'wr.bug_investigation', '--session', 'AUTH-1', '--input', 'symptom=Login fails']);
  for (const text of ['one', 'two', 'three']) await world.run(['note', 'AUTH-1', `Note ${text}`]);
});
afterEach(() => world.close());

const session = (...names: readonly string[]): string =>
  join(world.workspace, '.workrail', 'sessions', 'AUTH-1', ...names);
/** As where files cannot have two names: all that is known is how far each went. */
const forgetKept = (): void => rmSync(join(world.workspace, '.workrail', 'local', 'running'), { recursive: true });
const segments = (): readonly string[] => readdirSync(session('segments')).map((name) => session('segments', name));

async function doctor(...args: readonly string[]): Promise<{ readonly code: number; readonly report: DoctorReport }> {
  const { code, out, err } = await world.run(['doctor', '--json', ...args]);
  expect(err).toBe('');
  return { code, report: JSON.parse(out) as DoctorReport };
}

/** What can befall a file without a line being wrong in itself, so that no chain and no sum tells of it. */
const harms: Readonly<Record<string, (file: string, bytes: Buffer) => void>> = {
  'taken away': (file) => rmSync(file),
  emptied: (file) => writeFileSync(file, ''),
  'all zeros': (file, bytes) => writeFileSync(file, Buffer.alloc(bytes.length)),
  'cut at the end of a line': (file, bytes) =>
    writeFileSync(file, bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1)),
  'cut within its last line': (file, bytes) => writeFileSync(file, bytes.subarray(0, bytes.length - 20)),
};

describe('what this machine knows to have been on disk', () => {
  test.each(Object.entries(harms))(
    'a segment that was %s is told of, also after the work went on, until its loss is accepted',
    async (_, harm) => {
      const [file] = segments();
      const bytes = readFileSync(file!);
      harm(file!, bytes);
      forgetKept();
      const found = await doctor();
      expect(found.code).toBe(4);
      expect(found.report.findings.filter(({ level }) => level === 'incomplete' || level === 'damage')).toMatchObject([
        {
          session: 'AUTH-1',
          message: expect.stringContaining('recorded'),
          remedy: expect.stringContaining('--accept-loss'),
        },
      ]);
      expect(found.report.findings.some(({ level }) => level === 'torn')).toBe(false);
      // Whoever writes next begins another file, which names nothing of what is gone.
      await world.run(['note', 'AUTH-1', 'gone on with']);
      expect((await doctor()).code).toBe(4);
      expect((await doctor('--repair')).code).toBe(4);
      expect(await doctor('--repair', '--accept-loss')).toMatchObject({
        code: 0,
        report: { repairs: [{ withdrawn: { damaged: 0 } }] },
      });
      expect((await doctor()).code).toBe(0);
      writeFileSync(file!, bytes);
      expect((await doctor()).code).toBe(0);
      expect((await world.run(['log', 'AUTH-1'])).bytes.toString()).toContain('Note three');
    },
  );

  test('where git has moved since, another branch may not hold it: that is a note', async () => {
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
        cwd: world.workspace,
        stdio: 'pipe',
      });
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'before');
    await world.run(['note', 'AUTH-1', 'Note on a branch']);
    const [, last] = segments().toSorted();
    git('commit', '-q', '--allow-empty', '-m', 'after');
    rmSync(last!);
    forgetKept();
    const { code, report } = await doctor();
    expect(report.findings.filter(({ message }) => message.includes('HEAD has moved'))).toMatchObject([
      { level: 'note', session: 'AUTH-1' },
    ]);
    expect(code).toBe(0);
  });

  test('a session that is gone whole is a note, and one that was taken away on purpose is nothing', async () => {
    await world.run(['start', 'wr.bug_investigation', '--session', 'SHOP-2', '--input', 'symptom=Shop closed']);
    await world.run(['sessions', 'move', 'SHOP-2', '--to', 'user']);
    rmSync(session(), { recursive: true });
    const { code, report } = await doctor();
    expect(code).toBe(0);
    expect(report.findings.filter(({ file }) => file.startsWith('sessions/'))).toMatchObject([
      { level: 'note', file: 'sessions/AUTH-1' },
    ]);
  });

  test('a session of which the workflows are here and no line is told of and listed', async () => {
    rmSync(session('segments'), { recursive: true });
    rmSync(join(world.workspace, '.workrail', 'local'), { recursive: true });
    const { code, report } = await doctor();
    expect(code).toBe(4);
    expect(report.findings).toMatchObject([{ level: 'incomplete', session: 'AUTH-1', file: 'segments' }]);
    const { out } = await world.run(['sessions', '--json']);
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ sessionId: 'AUTH-1', trouble: 'incomplete' }] });
  });

  test('a session that lies in two folders is told of, and a move puts the two together', async () => {
    const own = join(world.home, '.local', 'share', 'workrail', 'sessions', 'AUTH-1');
    cpSync(session(), own, { recursive: true });
    expect(await doctor()).toMatchObject({
      code: 0,
      report: {
        findings: [
          { level: 'note', session: 'AUTH-1', remedy: expect.stringContaining('sessions move AUTH-1 --to project') },
        ],
      },
    });
    expect(await doctor('AUTH-1')).toMatchObject({ code: 0, report: { findings: [{ level: 'note' }] } });
    await world.run(['note', 'AUTH-1', 'Note four']);
    expect(await doctor()).toMatchObject({
      code: 4,
      report: {
        findings: [{ level: 'incomplete', session: 'AUTH-1', message: expect.stringContaining('does not show') }],
      },
    });
    expect((await world.run(['sessions', 'move', 'AUTH-1', '--to', 'project'])).code).toBe(0);
    expect((await doctor()).report.findings.filter(({ level }) => level !== 'note')).toEqual([]);
    expect((await world.run(['log', 'AUTH-1'])).bytes.toString()).toContain('Note four');
  });
});
