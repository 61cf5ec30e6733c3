import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../../src/base/limits.js';
import type { DoctorReport } from '../../../src/contract/doctor-answers.js';
import type { RetentionAnswer } from '../../../src/contract/retention-answers.js';
import { openRequests, type Requests } from '../../../src/requests/requests.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const day = 24 * 60 * 60 * 1000;
let world: CommandLineWorld;
let logged: string[];
beforeEach(() => {
  world = makeCommandLineWorld();
  logged = [];
  writeFileSync(join(world.folder, 'one.yaml'), 'workflow: wr.one\nsteps:\n  - { id: one, prompt: Do it. }\n');
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});
const user = (): string => join(world.home, '.local', 'share', 'workrail');
const sessionsOf = (root: string): readonly string[] =>
  existsSync(join(root, 'sessions')) ? readdirSync(join(root, 'sessions')).toSorted() : [];

const open = (daysAgo: number, watch = false, workspace = world.workspace): Requests =>
  openRequests({
    workspace,
    dataDir: undefined,
    env: {},
    home: world.home,
    bundledWorkflows: world.folder,
    version: '0.0.0-test',
    now: () => new Date(Date.now() - daysAgo * day),
    randomBytes: (count) => randomBytes(count),
    watch,
    log: (line) => void logged.push(line),
  });

/** A session whose run was finished so long ago. */
async function finish(session: string, daysAgo: number, workspace?: string): Promise<void> {
  const requests = open(daysAgo, false, workspace);
  const { answer } = await requests.call('start_workflow', { workflowId: 'wr.one', session });
  const { stateToken, ackToken } = answer;
  await requests.call('continue_workflow', { stateToken, ackToken, output: { notesMarkdown: 'Done as asked.' } });
  await requests.close();
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const { out, code, err } = await world.run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as T;
}
const due = ({ due: entries }: RetentionAnswer): readonly string[] => entries.map(({ sessionId }) => sessionId);

/** A server that nobody calls, for as long as it takes to be sure of it. */
async function serveQuietly(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const server = open(0, true);
  await vi.advanceTimersByTimeAsync(3 * limits.quietMs);
  await server.close();
  vi.useRealTimers();
}

it('is off unless somebody switches it on, and says what it would take', async () => {
  await finish('OLD-1', 100);
  await finish('NEW-1', 10);
  expect(await json<RetentionAnswer>('retention')).toMatchObject({ acts: false, afterDays: 90, changed: false });
  expect(due(await json<RetentionAnswer>('retention'))).toEqual(['OLD-1']);
  const { out } = await world.run(['retention']);
  expect(out).toContain('Automatic pruning is off.');
  expect(out).toContain('workrail retention --finished 90d --act');
  await serveQuietly();
  expect(sessionsOf(user())).toEqual(['NEW-1', 'OLD-1']);
  expect(logged).toEqual([]);
});

it('moves what is due at a quiet moment, tells it on stderr, in retention and in doctor, and it comes back', async () => {
  await finish('OLD-1', 100);
  await finish('OLD-2', 100);
  await finish('NEW-1', 10);
  const looked = await json<{ readonly sessionId: string }>('show', 'OLD-2');
  expect(looked.sessionId).toBe('OLD-2');
  expect(await json<RetentionAnswer>('retention', '--finished', '4w', '--act')).toMatchObject({
    acts: true,
    afterDays: 28,
    changed: true,
  });
  expect(await json<RetentionAnswer>('retention', '--act')).toMatchObject({ afterDays: 28, changed: false });
  await serveQuietly();
  expect(sessionsOf(user())).toEqual(['NEW-1', 'OLD-2']);
  expect(logged).toEqual([
    expect.stringMatching(/^retention: moved 1 session to the trash.*OLD-1.*workrail retention$/u),
  ]);
  const told = await json<RetentionAnswer>('retention');
  expect(told.places).toMatchObject([{ folder: user(), runs: [{ afterDays: 28, moved: [{ sessionId: 'OLD-1' }] }] }]);
  expect((await json<DoctorReport>('doctor')).retention.places).toEqual(told.places);
  expect((await world.run(['doctor'])).out).toContain('Last moved: OLD-1, ');
  // What was moved is not deleted by the next look, and a server looks once a day.
  await finish('OLD-3', 100);
  await serveQuietly();
  expect(sessionsOf(user())).toEqual(['NEW-1', 'OLD-2', 'OLD-3']);
  expect((await world.run(['show', 'OLD-1'])).err).toContain('local/trash/OLD-1~');
  const { out } = await world.run(['retention']);
  execFileSync('sh', ['-c', /^ +(mv .*)$/mu.exec(out)?.[1] ?? 'false']);
  expect(sessionsOf(user())).toContain('OLD-1');
  expect(due(await json<RetentionAnswer>('retention'))).toEqual(['OLD-3']);
  await world.run(['retention', '--off']);
  expect(await json<RetentionAnswer>('retention')).toMatchObject({ acts: false, afterDays: 28 });
  expect(JSON.parse(readFileSync(join(world.home, '.config', 'workrail', 'config.json'), 'utf8'))).toEqual({
    pruneAfterDays: 28,
    pruneByItself: false,
  });
});

it('leaves to people what a git repository carries', async () => {
  const project = join(world.workspace, '.workrail');
  mkdirSync(project);
  await finish('OLD-1', 100);
  expect(sessionsOf(project)).toEqual(['OLD-1']);
  expect(due(await json<RetentionAnswer>('retention', '--act'))).toEqual(['OLD-1']);
  mkdirSync(join(world.workspace, '.git'));
  writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  expect(due(await json<RetentionAnswer>('retention'))).toEqual([]);
  await serveQuietly();
  expect(sessionsOf(project)).toEqual(['OLD-1']);
  expect((await world.run(['retention'])).out).toContain(`in a git repository, so use workrail prune: ${project}`);
});

it('says what is wrong with how it was asked, and with a configuration that it cannot understand', async () => {
  for (const wrong of [
    ['--finished', 'soon'],
    ['--finished', '12h'],
    ['--finished', '0d'],
    ['--act', '--off'],
  ])
    expect(await world.run(['retention', ...wrong])).toMatchObject({ code: 2 });
  mkdirSync(join(world.home, '.config', 'workrail'), { recursive: true });
  writeFileSync(join(world.home, '.config', 'workrail', 'config.json'), '{ "pruneByItself": "yes" }');
  expect(await world.run(['retention', '--act'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('pruneByItself should be true or false'),
  });
  await finish('OLD-1', 100);
  await serveQuietly();
  expect(sessionsOf(user())).toEqual(['OLD-1']);
});

it('is named in lists while it is soon, as long as it is switched on, and nothing else is', async () => {
  for (const [session, age] of [
    ['DUE-1', 100],
    ['SOON-1', 80],
    ['LATER-1', 60],
    ['KEPT-1', 100],
  ] as const)
    await finish(session, age);
  const begun = open(100);
  await begun.call('start_workflow', { workflowId: 'wr.one', session: 'OPEN-1' });
  await begun.close();
  await world.run(['sessions', 'keep', 'KEPT-1']);
  const named = async (): Promise<unknown> => {
    const requests = open(0);
    const listed = await requests.people.browseSessions({});
    await requests.close();
    if (!listed.ok) throw new Error(listed.error.message);
    return Object.fromEntries(
      listed.value.sessions.flatMap(({ sessionId, goesAt }) =>
        goesAt === undefined ? [] : [[sessionId, Math.round((Date.parse(goesAt) - Date.now()) / day)]],
      ),
    );
  };
  expect(await named()).toEqual({});
  expect((await world.run(['sessions'])).out).not.toContain('goes to the trash');
  expect(due(await json<RetentionAnswer>('retention', '--act'))).toEqual(['DUE-1']);
  expect(await named()).toEqual({ 'DUE-1': -10, 'SOON-1': 10 });
  const { out } = await world.run(['sessions'], { terminal: true });
  expect(out).toMatch(/SOON-1[\s\S]*goes to the trash on \d{4}-\d\d-\d\d/u);
  expect(out).toMatch(/DUE-1[\s\S]*goes to the trash soon/u);
  expect(out.split('goes to the trash')).toHaveLength(3);
  const [head = [], ...rows] = (await world.run(['sessions'])).out.split('\n').map((line) => line.split('\t'));
  const trash = rows.map((row) => row[head.indexOf('trash')] ?? '');
  expect(trash.filter((one) => /^\d{4}-/u.test(one))).toHaveLength(2);
  // A list is no look at a session; opening one is.
  expect(await named()).toEqual({ 'DUE-1': -10, 'SOON-1': 10 });
  await world.run(['show', 'SOON-1']);
  expect(await named()).toEqual({ 'DUE-1': -10 });
  await world.run(['retention', '--off']);
  expect(await named()).toEqual({});
});

it('does not take a session for finished while its shared state is open', async () => {
  await finish('OLD-1', 100);
  const isFinished = async (): Promise<unknown> =>
    (await json<{ readonly sessions: readonly { readonly finished?: true }[] }>('sessions')).sessions[0]?.finished;
  expect(await isFinished()).toBe(true);
  const then = open(100);
  const { people } = then;
  await people.addSchema({ name: 'any', json: true });
  expect(await people.createState({ session: 'OLD-1', schemaName: 'any', initialData: {} })).toMatchObject({
    ok: true,
  });
  expect(await isFinished()).toBe(undefined);
  expect(await people.closeState({ session: 'OLD-1' })).toMatchObject({ ok: true });
  await then.close();
  expect(await isFinished()).toBe(true);
});
