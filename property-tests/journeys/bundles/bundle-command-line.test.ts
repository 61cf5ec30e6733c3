import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { treeOf } from '../../worlds/bundle-world.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const worlds: CommandLineWorld[] = [];

afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

function makeWorld(): CommandLineWorld {
  const world = makeCommandLineWorld();
  worlds.push(world);
  return world;
}

async function begun(world: CommandLineWorld, session = 'AUTH-1'): Promise<void> {
  const started = await world.run([
    'start',
    'wr.bug_investigation',
    '--session',
    session,
    '--input',
    'symptom=Login loops',
    '--json',
  ]);
  expect(started.err).toBe('');
  expect(started.code).toBe(0);
}

test('a person exports a session and another takes it in', async () => {
  const [ann, bob] = [makeWorld(), makeWorld()];
  await begun(ann);
  const exported = await ann.run(['export']);
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(exported.out).toMatch(
    /^Exported AUTH-1 to AUTH-1\.workrail: [\d.]+ KB, 2 log lines, 1 run, 1 workflow\.\n {2}bundle {2}[0-9a-f]{64}\n\nTo import it:\n {2}workrail import AUTH-1\.workrail$/u,
  );
  const file = join(ann.workspace, 'AUTH-1.workrail');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

  const taken = await ann.run(['export', 'AUTH-1']);
  expect(taken.code).toBe(1);
  expect(taken.err).toContain(`${file} already exists; nothing was written`);
  expect(taken.err).toContain('--force');
  expect((await ann.run(['export', 'AUTH-1', '--force', '--json'])).code).toBe(0);
  mkdirSync(join(ann.workspace, 'out'));
  expect((await ann.run(['export', 'auth', '-o', 'out'])).code).toBe(0);
  expect(readFileSync(join(ann.workspace, 'out', 'AUTH-1.workrail')).equals(readFileSync(file))).toBe(true);
  const piped = await ann.run(['export', 'AUTH-1', '-o', '-']);
  expect(piped.out).toBe('');
  expect(piped.bytes.equals(readFileSync(file))).toBe(true);
  expect(readdirSync(ann.workspace).toSorted()).toEqual(['AUTH-1.workrail', 'out']);

  const imported = await bob.run(['import', file]);
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(imported.out).toContain('Imported AUTH-1 into your own sessions: 2 log lines, 1 run, 1 workflow.');
  expect(imported.out).toContain('workrail show AUTH-1');
  expect(imported.out).toContain('resume_session {"query":"AUTH-1"}');
  expect((await bob.run(['show', 'AUTH-1'])).code).toBe(0);
  expect(JSON.parse((await bob.run(['import', file, '--json'])).out)).toMatchObject({
    outcome: 'already_here',
    sessionId: 'AUTH-1',
    place: 'user',
  });
  await bob.run(['note', 'AUTH-1', 'went on here']);
  expect((await bob.run(['import', file])).out).toMatch(
    /^Imported as ses_[0-9a-f]{12} into your own sessions, because AUTH-1 is another session/u,
  );
  await bob.run(['export', 'AUTH-1', '-o', 'back']);
  expect((await ann.run(['import', join(bob.workspace, 'back'), '--merge'])).out).toContain(
    'Merged into AUTH-1: 1 new segment, 0 extended.',
  );
});

test('what a merge would hide is named; it asks at a terminal, and elsewhere takes a flag', async () => {
  const [ann, bob] = [makeWorld(), makeWorld()];
  const logOf = async (world: CommandLineWorld): Promise<string> =>
    (await world.run(['log', 'AUTH-1'])).bytes.toString('utf8');
  await begun(ann);
  await ann.run(['note', 'AUTH-1', 'only I know this']);
  await ann.run(['export']);
  await bob.run(['import', join(ann.workspace, 'AUTH-1.workrail')]);
  expect((await bob.run(['redact', 'AUTH-1', 'only I know', '--yes'])).code).toBe(0);
  await bob.run(['export', 'AUTH-1', '-o', 'back']);
  const file = join(bob.workspace, 'back');
  const refused = await ann.run(['import', file, '--merge']);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('1 line in your copy of AUTH-1');
  expect(refused.err).toContain('--hide-redacted');
  expect(await logOf(ann)).toContain('only I know this');
  const no = await ann.run(['import', file, '--merge'], { terminal: true, stdin: 'n\n' });
  expect(no.out).toContain('note_added');
  expect(await logOf(ann)).toContain('only I know this');
  const yes = await ann.run(['import', file, '--merge'], { terminal: true, stdin: 'y\n' });
  expect(yes.out).toContain('Merged into AUTH-1');
  expect(await logOf(ann)).not.toContain('only I know this');
});

test('what is wrong is said with what to do next', async () => {
  const world = makeWorld();
  const none = await world.run(['export']);
  expect(none).toMatchObject({ code: 1 });
  expect(none.err).toContain('no sessions yet');
  await begun(world);
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [['export', 'nope'], 1, 'no session named "nope"'],
    [['export', 'AUTH-1', 'BETA'], 2, 'unexpected argument'],
    [['export', '-o', '-', '--json'], 2, 'cannot be combined with --json'],
    [['export', '-o', join('nowhere', 'x')], 3, 'ENOENT'],
    [['import'], 2, 'which file?'],
    [['import', 'nothere'], 1, 'does not exist'],
    [['import', '.'], 1, 'is not a file'],
  ];
  for (const [args, code, message] of cases) {
    const ran = await world.run(args);
    // Whoever asks for JSON gets a refusal as JSON as well.
    const said = args.includes('--json') ? ran.out : ran.err;
    expect({ code: ran.code, said: said.includes(message) ? message : said }, args.join(' ')).toEqual({
      code,
      said: message,
    });
  }
  const terminal = await world.run(['export', '-o', '-'], { terminal: true });
  expect(terminal).toMatchObject({ code: 2 });
  expect((await world.run(['import', '-'], { terminal: true })).code).toBe(2);
  writeFileSync(join(world.workspace, 'text'), 'hello\n');
  const text = await world.run(['import', 'text']);
  expect(text).toMatchObject({
    code: 1,
    err: 'workrail import: not a WorkRail bundle; nothing imported\nNext: use an unchanged file made by workrail export',
  });
  expect(JSON.parse((await world.run(['import', 'text', '--json'])).out)).toMatchObject({
    error_code: 'BUNDLE_INVALID_FORMAT',
  });
  expect((await world.run(['import', '-'], { stdin: 'hello' })).err).toContain('not a WorkRail bundle');
});

test('what looks like a credential is listed by file, line and event, and stops the export unless told otherwise', async () => {
  const world = makeWorld();
  await begun(world);
  await world.run(['note', 'AUTH-1', `it is AKIA${'QYLPMN5HFIQR7XYA'}`]);
  const refused = await world.run(['export', 'AUTH-1']);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /^ {2}segments\/\S+ line \d+, event [0-9a-f]{16}, \/text: an AWS access key \(AKIA… \(20 characters\)\)$/mu,
  );
  expect(refused.err).toContain('workrail redact AUTH-1');
  expect(refused.err).not.toContain('QYLPMN5HFIQR7XYA');
  expect(readdirSync(world.workspace)).toEqual([]);
  const allowed = await world.run(['export', 'AUTH-1', '--allow-secrets']);
  expect(allowed.code).toBe(0);
  expect(allowed.out).toContain('Warning: it contains 1 possible credential, as you allowed.');
});

test('a title of another installation reaches the terminal as text', async () => {
  const [ann, bob] = [makeWorld(), makeWorld()];
  await begun(ann);
  const { openRequests } = await import('../../../src/requests/requests.js');
  const requests = openRequests({
    workspace: ann.workspace,
    dataDir: undefined,
    env: {},
    home: ann.home,
    bundledWorkflows: ann.folder,
    version: '0',
    now: () => new Date(),
    randomBytes: (count) => new Uint8Array(count).fill(5),
    log: () => undefined,
  });
  await requests.call('start_session', { session: 'AUTH-1', title: 'red\u001b[31m \u202egnp.exe' });
  await requests.close();
  await ann.run(['export', 'AUTH-1']);
  const imported = await bob.run(['import', join(ann.workspace, 'AUTH-1.workrail')], { terminal: true });
  expect(imported.code).toBe(0);
  expect(imported.out).toContain('red␛[31m');
  expect(imported.out).not.toContain('\u001b[31m');
  expect(imported.out).not.toContain('\u202e');
});

/** The built program, as a shell runs it. */
const surroundingsOf = (world: CommandLineWorld): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: world.home,
});

async function largeBundle(): Promise<string> {
  const ann = makeWorld();
  await begun(ann);
  for (let number = 0; number < 8; number += 1) {
    const words = Array.from({ length: 6000 }, (_, index) =>
      ((index * 7919 + number * 104_729) % 1_000_003).toString(36),
    ).join(' ');
    expect((await ann.run(['note', 'AUTH-1', words])).code).toBe(0);
  }
  expect((await ann.run(['export', 'AUTH-1'])).code).toBe(0);
  return join(ann.workspace, 'AUTH-1.workrail');
}

test.skipIf(process.platform === 'win32')('a disk that is full in the middle leaves nothing half-done', async () => {
  const file = await largeBundle();
  const bob = makeWorld();
  const before = treeOf(bob.home);
  // A limit on the size of a file stands in for the end of the disk: the write is refused in the middle.
  const limited = spawnSync('sh', ['-c', `ulimit -f 64; exec "${process.execPath}" "${program}" import "${file}"`], {
    cwd: bob.workspace,
    env: surroundingsOf(bob),
    encoding: 'utf8',
  });
  expect({ code: limited.status, err: limited.stderr }).toEqual({
    code: 3,
    err: expect.stringMatching(
      /^workrail import: Could not import the bundle: the file would be larger than is allowed \(EFBIG, \/.+\)\. Nothing was left behind\nNext: fix that, then import it again\n$/u,
    ) as unknown,
  });
  expect(treeOf(bob.home)).toEqual(before);
  const target = join(bob.workspace, 'out.workrail');
  const exporting = spawnSync(
    'sh',
    [
      '-c',
      `"${process.execPath}" "${program}" import "${file}" && ulimit -f 8 && exec "${process.execPath}" "${program}" export AUTH-1 -o "${target}"`,
    ],
    { cwd: bob.workspace, env: surroundingsOf(bob), encoding: 'utf8' },
  );
  expect(exporting.status).toBe(3);
  expect(exporting.stderr).toContain('EFBIG');
  expect(readdirSync(bob.workspace)).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'an import killed in the middle shows nothing, and the next one tidies up after it',
  async () => {
    const file = await largeBundle();
    const bob = makeWorld();
    const data = join(bob.home, '.local', 'share', 'workrail');
    const bytes = readFileSync(file);
    const child = spawn(process.execPath, [program, 'import', '-'], {
      cwd: bob.workspace,
      env: surroundingsOf(bob),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.write(bytes.subarray(0, bytes.length / 2));
    const staged = (): readonly string[] => (existsSync(join(data, 'local')) ? readdirSync(join(data, 'local')) : []);
    for (let tries = 0; tries < 400 && staged().length === 0; tries += 1) await pause(25);
    expect(staged()).toEqual([expect.stringMatching(/^import-/u)]);
    await pause(50);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(staged()).toHaveLength(1);
    expect(existsSync(join(data, 'sessions'))).toBe(false);
    expect((await bob.run(['import', file])).code).toBe(0);
    expect(staged()).toEqual([]);
    expect(readdirSync(join(data, 'sessions'))).toEqual(['AUTH-1']);
  },
);

test.skipIf(process.platform === 'win32')('an import that is interrupted says so and leaves nothing', async () => {
  const file = await largeBundle();
  const bob = makeWorld();
  const bytes = readFileSync(file);
  const child = spawn(process.execPath, [program, 'import', '-'], {
    cwd: bob.workspace,
    env: surroundingsOf(bob),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number, string]>;
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  child.stdin.write(bytes.subarray(0, bytes.length / 2));
  const local = join(bob.home, '.local', 'share', 'workrail', 'local');
  for (let tries = 0; tries < 400 && !existsSync(local); tries += 1) await pause(25);
  // Whoever sends the bytes may be slow, or may never send the rest.
  child.kill('SIGINT');
  const [code] = await exited;
  expect({ code, said: Buffer.concat(said).toString() }).toEqual({
    code: 1,
    said: 'workrail import: it was stopped; nothing was left behind\nNext: import it again\n',
  });
  expect(existsSync(join(bob.home, '.local'))).toBe(false);
});

test('the measure of large sessions works, on a small one', () => {
  const bench = fileURLToPath(new URL('../../bench/big-session.mjs', import.meta.url));
  const ran = spawnSync(process.execPath, [bench, '1'], { encoding: 'utf8' });
  expect({ code: ran.status, err: ran.stderr }).toEqual({ code: 0, err: '' });
  expect(
    ran.stdout
      .split('\n')
      .slice(1, -1)
      .map((line) => line.slice(21, 35).trim()),
  ).toEqual(['export', 'import', 'import again']);
});
