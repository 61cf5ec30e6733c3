import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DoctorReport } from '../../../src/contract/doctor-answers.js';
import { filesHolding, needlesOf } from '../../../src/log/care/text-on-disk.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

let world: CommandLineWorld;
let token: string;
beforeEach(async () => {
  world = makeCommandLineWorld();
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'before');
  mkdirSync(data());
  const args = ['start', 'wr.bug_investigation', '--session', 'AUTH-1', '--input', 'symptom=Login fails', '--json'];
  token = (JSON.parse((await world.run(args)).out) as { stateToken: string }).stateToken;
  for (const text of ['one', 'two']) await world.run(['note', 'AUTH-1', `Note ${text}`]);
});
afterEach(() => world.close());

const data = (...names: readonly string[]): string => join(world.workspace, '.workrail', ...names);
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
    cwd: world.workspace,
    stdio: 'pipe',
  }).toString('utf8');
const logOf = async (session = 'AUTH-1'): Promise<string> => (await world.run(['log', session])).bytes.toString();
async function doctor(...args: readonly string[]): Promise<{ readonly code: number; readonly report: DoctorReport }> {
  const { code, out } = await world.run(['doctor', '--json', ...args]);
  return { code, report: JSON.parse(out) as DoctorReport };
}
/** The command of ours that a text tells somebody to run. */
const commandIn = (text: string): readonly string[] =>
  /workrail (doctor \S+ --repair)/u.exec(text)?.[1]?.split(' ') ?? [];

describe('a session that git has taken away', () => {
  test('is told to who holds a token of it, and git stash pop brings it back', async () => {
    git('stash', '-u', '-q');
    expect(existsSync(data('sessions'))).toBe(false);
    const { code, err } = await world.run(['continue', token]);
    expect(code).not.toBe(0);
    expect(JSON.parse((await world.run(['continue', token, '--json'])).out)).toMatchObject({
      error_code: 'SESSION_CHANGED',
    });
    expect(err).toContain('git stash pop');
    expect((await world.run(['note', 'AUTH-1', 'Not now'])).err).toContain('its files are gone');
    git('stash', 'pop', '-q');
    expect((await world.run(['continue', token])).code).toBe(0);
    expect(await logOf()).toContain('Note two');
    expect((await doctor()).code).toBe(0);
  });

  test('and that no stash holds, comes back with the command that is told', async () => {
    git('clean', '-fdq');
    git('clean', '-fdq');
    expect(existsSync(data('local'))).toBe(true);
    const { err } = await world.run(['continue', token]);
    expect(err).toContain('its files are gone');
    const remedy = commandIn(err);
    expect(remedy).toEqual(['doctor', 'AUTH-1', '--repair']);
    const [away] = (await doctor()).report.findings.filter(({ file }) => file === 'sessions/AUTH-1');
    expect(away).toMatchObject({ level: 'note', message: expect.stringContaining('local/') });
    expect(commandIn(away!.remedy)).toEqual(remedy);
    const { code, out } = await world.run(remedy);
    expect(code).toBe(0);
    expect(out).toContain('that git had removed are back');
    expect((await world.run(['continue', token])).code).toBe(0);
    expect(await logOf()).toContain('Note two');
    expect((await doctor()).report.findings.filter(({ level }) => level !== 'note')).toEqual([]);
  });

  test('is forgotten once what is kept of it is removed as the doctor says', async () => {
    rmSync(data('sessions', 'AUTH-1'), { recursive: true });
    const [away] = (await doctor()).report.findings.filter(({ file }) => file === 'sessions/AUTH-1');
    const [, folder] = /remove (\S+)$/u.exec(away!.remedy) ?? [];
    rmSync(folder!, { recursive: true });
    await world.run(['note', 'AUTH-1', 'x']);
    expect((await world.run(['doctor', 'AUTH-1', '--repair'])).code).not.toBe(0);
    expect(existsSync(data('sessions', 'AUTH-1'))).toBe(false);
  });

  test('stays away where another branch does not hold it, and a repair that names no session leaves it so', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'with it');
    git('checkout', '-q', '-b', 'other', 'HEAD~1');
    expect(existsSync(data('sessions', 'AUTH-1'))).toBe(false);
    expect((await doctor('--repair')).code).toBe(0);
    expect(existsSync(data('sessions', 'AUTH-1'))).toBe(false);
    git('checkout', '-q', 'main');
    expect((await doctor()).report.findings.filter(({ level }) => level !== 'note')).toEqual([]);
    expect(await logOf()).toContain('Note two');
  });
});

describe('lines that are in no file of a session', () => {
  test('come back by themselves where the branch is theirs, and are a note where it is not', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'with it');
    await world.run(['note', 'AUTH-1', 'Note of main']);
    const [, newest] = readdirSync(data('sessions', 'AUTH-1', 'segments')).toSorted();
    rmSync(data('sessions', 'AUTH-1', 'segments', newest!));
    git('checkout', '-q', '-b', 'other');
    const { code, report } = await doctor();
    expect(code).toBe(0);
    expect(report.findings.filter(({ message }) => message.includes('local/'))).toMatchObject([
      { level: 'note', session: 'AUTH-1', message: expect.stringContaining('a different branch') },
    ]);
    expect(await logOf()).not.toContain('Note of main');
    git('checkout', '-q', 'main');
    const before = await doctor();
    expect(before.code).toBe(4);
    expect(await logOf()).toContain('Note of main');
    expect((await doctor()).code).toBe(0);
  });

  test('are dropped by prune, and looked through for credentials and redacted where only they hold one', async () => {
    await world.run(['note', 'AUTH-1', 'password: hunter2-Zk8vQ1xw9']);
    git('checkout', '-q', '-b', 'other');
    const segments = data('sessions', 'AUTH-1', 'segments');
    await world.run(['note', 'AUTH-1', 'deploy with AKIAIOSFODNN7EXAMPLQ']);
    const newest = readdirSync(segments).toSorted().at(-1)!;
    rmSync(join(segments, newest));
    git('checkout', '-q', 'main');
    const secret = ['AKIAIOSFODNN7EXAMPLQ'];
    expect(filesHolding(data(), needlesOf(secret))).toHaveLength(1);
    expect((await world.run(['doctor', '--secrets', '--everywhere'])).out).toContain('local/running/spare/AUTH-1');
    const redacted = await world.run(['redact', 'AUTH-1', '--secrets', '--yes', '--json']);
    expect(redacted.code).toBe(0);
    expect(filesHolding(data(), needlesOf(secret))).toEqual([]);
    expect((await world.run(['prune', '--session', 'AUTH-1', '--in-use', '--yes', '--damaged'])).code).toBe(0);
    rmSync(data('local', 'trash'), { recursive: true, force: true });
    expect(filesHolding(data(), needlesOf(['Note two']))).toEqual([]);
    expect((await doctor()).report.findings.filter(({ file }) => file === 'sessions/AUTH-1')).toEqual([]);
  });
});
