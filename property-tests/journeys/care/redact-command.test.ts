import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SecretsReport } from '../../../src/contract/doctor-answers.js';
import type { SessionRedacted } from '../../../src/contract/redact-answers.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const key = `${'AK'}IAQWERTYUIOPASDFGH`;

let world: CommandLineWorld;
beforeEach(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.workrail'));
  await world.run([
    'start',
    'wr.bug_investigation',
    '--session',
    'AUTH-1',
    '--input',
    `symptom=Login fails for ${key}`,
  ]);
  await world.run(['note', 'AUTH-1', `The key is ${key}, the colour is mauve`]);
});
afterEach(() => world.close());

const root = (...names: readonly string[]): string => join(world.workspace, '.workrail', ...names);
const holding = (text: string): readonly string[] =>
  readdirSync(root(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map((entry) => join(entry.parentPath, entry.name).slice(root().length + 1));
const logOf = async (session: string): Promise<string> => (await world.run(['log', session])).bytes.toString();

async function redacted(...args: readonly string[]): Promise<SessionRedacted> {
  const { code, out, err } = await world.run(['redact', ...args, '--json']);
  expect(err).toBe('');
  expect(code, out).toBe(0);
  return JSON.parse(out) as SessionRedacted;
}

describe('workrail redact', () => {
  test('takes out what looks like a credential, wherever it stands, and nothing else', async () => {
    const plan = await redacted('AUTH-1', '--secrets', '--dry-run');
    expect(plan).toMatchObject({ dryRun: true, returned: 0, tails: 0, scrubbed: [], stillIn: [] });
    expect(plan.lines.filter(({ places }) => places.length > 0).map(({ kind }) => kind)).toEqual([
      'run_started',
      'note_added',
    ]);
    expect(holding(key)).not.toEqual([]);
    expect(await redacted('AUTH-1', '--secrets', '--yes')).toEqual({ ...plan, dryRun: false });
    expect(holding(key)).toEqual([]);
    const log = await logOf('AUTH-1');
    expect(log).toContain('Login fails for [redacted]');
    expect(log).toContain('The key is [redacted], the colour is mauve');
    expect((await world.run(['continue', '--session', 'AUTH-1'])).out).toContain('State the problem');
    expect((await world.run(['doctor', '--secrets'])).code).toBe(0);
    expect((await world.run(['doctor'])).code).toBe(0);
    expect((await world.run(['redact', 'AUTH-1', '--secrets', '--yes'])).code).toBe(1);
  });

  test('takes it out of the copy that a move left in the trash of the other folder, and doctor --secrets --everywhere sees it there', async () => {
    expect((await world.run(['sessions', 'move', 'AUTH-1', '--to', 'user'])).code).toBe(0);
    expect(holding(key)).not.toEqual([]);
    const secrets = JSON.parse(
      (await world.run(['doctor', '--secrets', '--everywhere', '--json'])).out,
    ) as SecretsReport;
    expect(secrets.secrets.filter(({ trash }) => trash !== undefined)).not.toEqual([]);
    const done = await redacted('AUTH-1', '--secrets', '--yes');
    expect(done.scrubbed.filter((file) => file.includes('.workrail/local/trash/AUTH-1~'))).toHaveLength(1);
    expect(done.stillIn).toEqual([]);
    expect(holding(key)).toEqual([]);
    expect((await world.run(['doctor', '--secrets', '--everywhere'])).code).toBe(0);
  });

  test('a copy in the trash is found where the session itself holds nothing any more', async () => {
    cpSync(root('sessions', 'AUTH-1'), root('local', 'trash', `AUTH-1~${Date.now().toString(36)}~mark`), {
      recursive: true,
    });
    cpSync(root('sessions', 'AUTH-1'), root('local', 'trash', 'mine'), { recursive: true });
    await redacted('AUTH-1', key, '--yes');
    cpSync(root('local', 'trash', 'mine'), root('local', 'trash', 'AUTH-1~0~mark'), { recursive: true });
    rmSync(root('local', 'trash', 'mine'), { recursive: true });
    const { lines, scrubbed } = await redacted('AUTH-1', '--secrets', '--yes');
    expect({ lines, scrubbed }).toEqual({ lines: [], scrubbed: ['local/trash/AUTH-1~0~mark'] });
    expect(holding(key)).toEqual([]);
  });

  test('an event gives the text away; one that looks like nothing loses all that its caller wrote', async () => {
    const sumOf = async (kind: string): Promise<string> =>
      (await redacted('AUTH-1', key, '--dry-run')).lines.find((line) => line.kind === kind)!.event;
    const [note] = [await sumOf('note_added')];
    await redacted('AUTH-1', note, '--yes');
    expect(holding(key)).toEqual([]);
    expect(await logOf('AUTH-1')).toContain('the colour is mauve');
    expect((await world.run(['note', 'AUTH-1', 'a private matter'])).code).toBe(0);
    const { lines } = await redacted('AUTH-1', 'a private matter', '--dry-run');
    await redacted('AUTH-1', lines[0]!.event, '--yes');
    expect(holding('private')).toEqual([]);
    expect(await logOf('AUTH-1')).toContain('note; [redacted]');
  });

  test('reads the text from stdin, and never prints it', async () => {
    const { code, out, err } = await world.run(['redact', 'AUTH-1', '-', '--yes'], { stdin: `${key}\n` });
    expect(code).toBe(0);
    expect(out + err).not.toContain(key);
    expect(out).toContain('revoke it');
    expect(holding(key)).toEqual([]);
  });

  test('asks on a terminal, and wants --yes where there is none', async () => {
    for (const args of [
      ['AUTH-1', key],
      ['AUTH-1', '-'],
      ['AUTH-1', key, '--json'],
    ])
      expect((await world.run(['redact', ...args], { stdin: key })).code).toBe(2);
    expect((await world.run(['redact'])).code).toBe(2);
    expect((await world.run(['redact', 'AUTH-1', key, '--secrets', '--yes'])).code).toBe(2);
    const refused = await world.run(['redact', 'AUTH-1', key], { terminal: true, stdin: 'n\n' });
    expect(refused.out).toContain('Nothing was changed.');
    expect(holding(key)).not.toEqual([]);
    expect((await world.run(['redact', 'AUTH-1', key], { terminal: true, stdin: 'y\n' })).code).toBe(0);
    expect(holding(key)).toEqual([]);
  });

  test('says where the text still is: other sessions, quarantine, unfinished writes, git', async () => {
    await world.run(['note', 'SHOP-2', `again ${key}`]);
    await world.run(['start', 'wr.bug_investigation', '--session', 'SHOP-2', '--input', `symptom=${key}`]);
    const segments = root('sessions', 'AUTH-1', 'segments');
    const [name] = readdirSync(segments);
    writeFileSync(join(segments, name!), `{"v":1,"text":"unfinished ${key}`, { flag: 'a' });
    mkdirSync(root('quarantine', 'AUTH-1', 'segments'), { recursive: true });
    writeFileSync(root('quarantine', 'AUTH-1', 'segments', 'old'), `before ${key} after`);
    mkdirSync(join(world.workspace, '.git'));
    writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const done = await redacted('AUTH-1', key, '--yes');
    expect(done).toMatchObject({ tails: 1, scrubbed: ['quarantine/AUTH-1/segments/old'], inGit: true });
    expect(done.stillIn).toEqual([expect.stringMatching(/^sessions\/SHOP-2\/segments\//u)]);
    expect(readFileSync(root('quarantine', 'AUTH-1', 'segments', 'old'), 'utf8')).toBe(
      `before ${'*'.repeat(key.length)} after`,
    );
    const { out } = await world.run(['redact', 'SHOP-2', key, '--yes']);
    expect(out).toContain('git log --all');
    expect(holding(key)).toEqual([]);
  });

  test('refuses what would hit everything, what is not there, and a session that is damaged, each with the next step', async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, err } = await world.run(['redact', 'AUTH-1', ...args, '--yes']);
      expect([1, 4]).toContain(code);
      return err;
    };
    expect(await refused('a')).toContain('would match too much');
    expect(await refused('nowhere to be seen')).toContain('no line of AUTH-1');
    expect(await refused()).toContain('has come back');
    const segments = root('sessions', 'AUTH-1', 'segments');
    const file = join(
      segments,
      readdirSync(segments).find((name) => readFileSync(join(segments, name), 'utf8').includes('mauve'))!,
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('"run_started"', '"run_Started"'));
    expect(await refused(key)).toContain('workrail doctor AUTH-1 --repair');
    await world.run(['doctor', 'AUTH-1', '--repair']);
    expect((await world.run(['redact', 'AUTH-1', key, '--yes'])).code).toBe(0);
    expect(holding(key)).toEqual([]);
  });

  test('what a merge brings back is told by doctor, stays out, and is cut out again', async () => {
    const segments = root('sessions', 'AUTH-1', 'segments');
    const old = readdirSync(segments).map((name) => ({ name, bytes: readFileSync(join(segments, name)) }));
    await redacted('AUTH-1', key, '--yes');
    for (const { name, bytes } of old) writeFileSync(join(segments, name), bytes);
    const { code, out } = await world.run(['doctor']);
    expect(code).toBe(4);
    expect(out).toContain('redacted lines are back');
    expect(out).toContain('workrail redact AUTH-1');
    expect(await logOf('AUTH-1')).not.toContain(key);
    expect(await redacted('AUTH-1', '--yes')).toMatchObject({ lines: [], returned: 3 });
    expect(holding(key)).toEqual([]);
    expect((await world.run(['doctor'])).code).toBe(0);
    rmSync(root('local'), { recursive: true });
    expect(await logOf('AUTH-1')).toContain('[redacted]');
  });
});
