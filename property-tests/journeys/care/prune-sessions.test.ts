import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PruneAnswer } from '../../../src/contract/prune-answers.js';
import type { SessionLabelled } from '../../../src/contract/people-answers.js';
import type { SessionMoved } from '../../../src/contract/session-moved.js';
import type { SessionList } from '../../../src/contract/session-list.js';
import { openRequests } from '../../../src/requests/requests.js';
import { textOf } from '../../worlds/requests-world.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const day = 24 * 60 * 60 * 1000;
let world: CommandLineWorld;
const project = (): string => join(world.workspace, '.workrail');
const user = (): string => join(world.home, '.local', 'share', 'workrail');
const trashOf = (root: string): readonly string[] =>
  existsSync(join(root, 'local', 'trash')) ? readdirSync(join(root, 'local', 'trash')) : [];
const sessionsOf = (root: string): readonly string[] =>
  existsSync(join(root, 'sessions')) ? readdirSync(join(root, 'sessions')).toSorted() : [];

beforeEach(() => {
  world = makeCommandLineWorld();
  mkdirSync(project());
});
afterEach(() => world.close());

/** A session whose last work is so long ago, in the project or in a folder that is named. */
async function begin(
  session: string,
  daysAgo: number,
  place: { readonly dataDir?: string; readonly workspace?: string } = {},
): Promise<string> {
  const requests = openRequests({
    workspace: place.workspace ?? world.workspace,
    dataDir: place.dataDir,
    env: {},
    home: world.home,
    bundledWorkflows: world.folder,
    version: '0.0.0-test',
    now: () => new Date(Date.now() - daysAgo * day),
    randomBytes: (count) => randomBytes(count),
    log: () => undefined,
  });
  const { answer } = await requests.call('start_session', { session, title: `About ${session}` });
  await requests.close();
  return textOf(answer['sessionToken']);
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const { out, code, err } = await world.run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as T;
}
const names = (entries: readonly { readonly sessionId: string }[]): readonly string[] =>
  entries.map(({ sessionId }) => sessionId);

/** Spoils its second line of three. */
async function hurt(key: string): Promise<void> {
  const folder = join(project(), 'sessions', key, 'segments');
  for (const text of ['one', 'two']) await world.run(['note', key, text]);
  const files = readdirSync(folder).map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replace('"text":"one"', '"text":"eno"'));
}

describe('workrail prune', () => {
  it('shows what it would take away, with age and size, and takes nothing on a dry run', async () => {
    await begin('OLD-1', 200);
    await begin('OLD-2', 95);
    await begin('NEW-1', 80);
    const plan = await json<PruneAnswer>('prune', '--dry-run');
    expect(names(plan.pruned)).toEqual(['OLD-1', 'OLD-2']);
    expect(plan.pruned[0]).toMatchObject({ about: 'About OLD-1', place: 'project' });
    expect(plan.pruned[0]?.bytes).toBeGreaterThan(100);
    expect(sessionsOf(project())).toEqual(['NEW-1', 'OLD-1', 'OLD-2']);
    const { out } = await world.run(['prune', '--dry-run'], { terminal: true });
    expect(out).toContain('6 months ago');
    expect(out).toContain('About OLD-1');
    expect(names((await json<PruneAnswer>('prune', '--dry-run', '--older-than', '1y')).pruned)).toEqual([]);
    expect(names((await json<PruneAnswer>('prune', '--dry-run', '--older-than', '11w')).pruned)).toEqual([
      'OLD-1',
      'OLD-2',
      'NEW-1',
    ]);
  });

  it('takes them to the trash, and deletes with the next run what an earlier one took', async () => {
    await begin('OLD-1', 200);
    const done = await json<PruneAnswer>('prune', '--yes');
    expect(names(done.pruned)).toEqual(['OLD-1']);
    expect(sessionsOf(project())).toEqual([]);
    const [name = ''] = trashOf(project());
    expect(readdirSync(join(project(), 'local', 'trash', name, 'segments'))).toHaveLength(1);
    // A move that is under way in another process is younger than this, and is left alone.
    const underWay = name.replace(/~over$/u, '');
    expect(underWay).not.toBe(name);
    cpSync(join(project(), 'local', 'trash', name), join(project(), 'local', 'trash', underWay), { recursive: true });
    expect(await json<PruneAnswer>('prune', '--dry-run')).toMatchObject({ trash: { sessions: 1 } });
    expect(trashOf(project())).toHaveLength(2);
    expect(await json<PruneAnswer>('prune', '--yes')).toMatchObject({ pruned: [], trash: { sessions: 1 } });
    expect(trashOf(project())).toEqual([underWay]);
  });

  it('deletes what a move left with a run that has nothing else to take, at once, and says so', async () => {
    await begin('NEW-1', 1);
    expect((await json<SessionMoved>('sessions', 'move', 'NEW-1', '--to', 'user')).outcome).toBe('moved');
    expect(trashOf(project())).toHaveLength(1);
    expect((await world.run(['doctor'])).out).toContain('moved to another folder');
    const { out, code } = await world.run(['prune', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('The trash holds 1 session from before');
    expect(out).toContain('this run deletes it permanently');
    expect(out).toContain('Deleted permanently: 1 session from the trash');
    expect(trashOf(project())).toEqual([]);
    expect(sessionsOf(user())).toEqual(['NEW-1']);
  });

  it('leaves alone what is marked, named, damaged or not whole', async () => {
    for (const key of ['KEPT-1', 'NAMED-1', 'HURT-1', 'OLD-2', 'OLD-1']) await begin(key, 200);
    expect(await json<SessionLabelled>('sessions', 'keep', 'KEPT-1')).toMatchObject({ keep: true, changed: true });
    expect(await json<SessionLabelled>('sessions', 'keep', 'KEPT-1')).toMatchObject({ keep: true, changed: false });
    await hurt('HURT-1');
    const plan = await json<PruneAnswer>('prune', '--older-than', '0d', '--keep', 'NAMED-1', '--yes');
    expect(names(plan.pruned).toSorted()).toEqual(['OLD-1', 'OLD-2']);
    const again = await json<PruneAnswer>('prune', '--older-than', '0d', '--keep', 'NAMED-1', '--dry-run');
    expect(again.spared.map(({ sessionId, why }) => `${sessionId} ${why}`).toSorted()).toEqual([
      'HURT-1 unsound',
      'KEPT-1 kept',
      'NAMED-1 named',
    ]);
    expect(
      names((await json<PruneAnswer>('prune', '--older-than', '0d', '--keep', 'NAMED-1', '--damaged', '--yes')).pruned),
    ).toEqual(['HURT-1']);
    expect(await world.run(['prune', '--keep', 'nowhere', '--dry-run'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nowhere'),
    });
    await json('sessions', 'keep', 'KEPT-1', '--off');
    expect(names((await json<PruneAnswer>('prune', '--older-than', '0d', '--dry-run')).pruned)).toEqual(['NAMED-1']);
  });

  it('is no success where a session that was named stays, and says why', async () => {
    for (const key of ['KEPT-1', 'HURT-1', 'OLD-1']) await begin(key, 200);
    await json<SessionLabelled>('sessions', 'keep', 'KEPT-1');
    await hurt('HURT-1');
    const named = ['KEPT-1', 'HURT-1', 'OLD-1'].flatMap((key) => ['--session', key]);
    const { code, out } = await world.run(['prune', ...named, '--yes', '--json']);
    const answer = JSON.parse(out) as PruneAnswer;
    expect({
      code,
      pruned: names(answer.pruned),
      spared: answer.spared.map(({ sessionId, why }) => `${sessionId} ${why}`).toSorted(),
    }).toEqual({ code: 1, pruned: ['OLD-1'], spared: ['HURT-1 unsound', 'KEPT-1 kept'] });
    // Nobody asked for what merely is old.
    expect((await world.run(['prune', '--older-than', '0d', '--yes'])).code).toBe(0);
  });

  it('leaves what was worked on just now, named or not, and takes it where that is said; then says where it is to whoever asks for it', async () => {
    await begin('OLD-1', 200);
    const started = await json<{ readonly stateToken: string }>(
      'start',
      'wr.bug_investigation',
      '--session',
      'NEW-1',
      '--input',
      'symptom=Login fails',
    );
    expect(names((await json<PruneAnswer>('prune', '--older-than', '0d', '--yes')).pruned)).toEqual(['OLD-1']);
    const spared = await json<PruneAnswer>('prune', '--older-than', '0d', '--dry-run');
    expect(spared.spared).toMatchObject([
      { sessionId: 'NEW-1', why: 'used', message: expect.stringContaining('workrail prune --session NEW-1 --in-use') },
    ]);
    const named = await world.run(['prune', '--session', 'NEW-1', '--yes', '--json']);
    expect({ code: named.code, ...(JSON.parse(named.out) as PruneAnswer) }).toMatchObject({
      code: 1,
      pruned: [],
      spared: [{ sessionId: 'NEW-1', why: 'used' }],
    });
    expect((await world.run(['prune', '--in-use', '--yes'])).code).toBe(2);
    expect(names((await json<PruneAnswer>('prune', '--session', 'NEW-1', '--in-use', '--dry-run')).pruned)).toEqual([
      'NEW-1',
    ]);
    expect(sessionsOf(project())).toEqual(['NEW-1']);
    const { out } = await world.run(['prune', '--session', 'NEW-1', '--in-use', '--yes', '--data-dir', project()]);
    expect(out).toContain('To restore one');
    // What was in the trash before is left there: nobody has said anything of it.
    expect(trashOf(project())).toHaveLength(2);
    for (const args of [
      ['show', 'NEW-1'],
      ['export', 'new-1'],
      ['continue', started.stateToken],
    ]) {
      const { code, err } = await world.run(args);
      expect({ args, code, err }).toMatchObject({
        code: 1,
        err: expect.stringMatching(/local\/trash\/NEW-1~[\s\S]*restore it[\s\S]*sessions\/NEW-1/u),
      });
    }
    // The command that was printed brings it back as it stands.
    execFileSync('sh', ['-c', /^ +(mv .*)$/mu.exec(out)?.[1] ?? 'false']);
    expect((await world.run(['continue', started.stateToken])).code).toBe(0);
    expect((await world.run(['prune', '--session', 'NEW-1', '--older-than', '1d', '--yes'])).code).toBe(2);
    expect((await world.run(['prune', '--session', 'nowhere', '--yes'])).code).toBe(1);
  });

  it('asks on a terminal and wants a word elsewhere', async () => {
    await begin('OLD-1', 200);
    expect(await world.run(['prune'])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    for (const stdin of ['n\n', '', 'maybe\n'])
      expect(await world.run(['prune'], { terminal: true, stdin })).toMatchObject({
        code: 0,
        out: expect.stringContaining('Nothing was pruned.'),
      });
    expect(sessionsOf(project())).toEqual(['OLD-1']);
    expect(await world.run(['prune'], { terminal: true, stdin: 'y\n' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Pruned: 1 session'),
    });
    expect(sessionsOf(project())).toEqual([]);
    expect(await world.run(['prune', '--older-than', 'long ago'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('90d'),
    });
  });

  it('looks into both roots, or into the one that is named', async () => {
    await begin('OLD-1', 200);
    await begin('OLD-2', 200, { workspace: world.folder });
    const other = join(world.folder, 'other');
    await begin('OLD-3', 200, { dataDir: other });
    expect(names((await json<PruneAnswer>('prune', '--dry-run')).pruned).toSorted()).toEqual(['OLD-1', 'OLD-2']);
    expect(names((await json<PruneAnswer>('prune', '--dry-run', '--data-dir', other)).pruned)).toEqual(['OLD-3']);
    expect(names((await json<SessionList>('sessions', '--data-dir', other)).sessions)).toEqual(['OLD-3']);
  });

  it('takes its age from the configuration where the call names none', async () => {
    await begin('OLD-1', 40);
    mkdirSync(join(world.home, '.config', 'workrail'), { recursive: true });
    writeFileSync(join(world.home, '.config', 'workrail', 'config.json'), '{ "pruneAfterDays": 30 }');
    expect(names((await json<PruneAnswer>('prune', '--dry-run')).pruned)).toEqual(['OLD-1']);
    expect(names((await json<PruneAnswer>('prune', '--dry-run', '--older-than', '50d')).pruned)).toEqual([]);
  });
});

describe('workrail sessions move', () => {
  it('takes a session out of the repository and back: its id, its bytes and its tokens stay', async () => {
    const token = await begin('WORK-1', 1);
    const before = sessionsOf(project()).flatMap((id) =>
      readdirSync(join(project(), 'sessions', id, 'segments')).map((name) =>
        readFileSync(join(project(), 'sessions', id, 'segments', name), 'utf8'),
      ),
    );
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'user')).toMatchObject({
      outcome: 'moved',
      from: 'project',
      to: 'user',
      folder: user(),
    });
    expect({ project: sessionsOf(project()), user: sessionsOf(user()) }).toEqual({ project: [], user: ['WORK-1'] });
    const after = readdirSync(join(user(), 'sessions', 'WORK-1', 'segments')).map((name) =>
      readFileSync(join(user(), 'sessions', 'WORK-1', 'segments', name), 'utf8'),
    );
    expect(after).toEqual(before);
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'user')).toMatchObject({
      outcome: 'already_there',
    });
    expect(await json('checkpoint', token, '--notes', 'Goes on where it is now.')).toMatchObject({
      kind: 'ok',
      session: { sessionId: 'WORK-1' },
    });
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'project')).toMatchObject({
      outcome: 'moved',
    });
    expect(sessionsOf(project())).toEqual(['WORK-1']);
    expect((await world.run(['log', 'WORK-1'])).bytes.toString('utf8')).toContain('Goes on where it is now.');
    expect(readdirSync(join(project(), 'local')).filter((name) => name.startsWith('import-'))).toEqual([]);
  });

  it('is found by its key from where it went, and not taken for the work of another repository', async () => {
    const repository = (name: string): string => {
      const folder = join(world.folder, name);
      mkdirSync(join(folder, '.git'), { recursive: true });
      writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      return folder;
    };
    const [one, two] = [repository('one'), repository('two')];
    mkdirSync(join(one, '.workrail'));
    await begin('WORK-1', 1, { workspace: one });
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'user', '--workspace', one)).toMatchObject({
      outcome: 'moved',
    });
    await begin('WORK-1', 1, { workspace: two });
    await begin('WORK-1', 1, { workspace: one });
    const others = sessionsOf(user()).filter((id) => id !== 'WORK-1');
    expect(sessionsOf(user())).toContain('WORK-1');
    expect(others).toEqual([expect.stringMatching(/^two-[0-9a-f]{6}-WORK-1$/u)]);
    expect(sessionsOf(join(one, '.workrail'))).toEqual([]);
    // Begun privately, then taken into the repository: it keeps the name it had.
    mkdirSync(join(two, '.workrail'));
    expect(
      await json<SessionMoved>('sessions', 'move', others[0] ?? '', '--to', 'project', '--workspace', two),
    ).toMatchObject({ outcome: 'moved' });
    await begin('WORK-1', 1, { workspace: two });
    expect(sessionsOf(join(two, '.workrail'))).toEqual(others);
  });

  it('holds back what looks like a credential before a git repository, and nowhere else', async () => {
    await begin('WORK-1', 1, { workspace: world.folder });
    await world.run(['note', 'WORK-1', `the key is AKIA${'Q7ZX2B4MN5VC8LPD'}`]);
    mkdirSync(join(world.workspace, '.git'));
    writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const refused = await world.run(['sessions', 'move', 'WORK-1', '--to', 'project']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('workrail redact WORK-1') });
    expect(refused.err).not.toContain('Q7ZX2B4MN5VC8LPD');
    expect({ project: sessionsOf(project()), user: sessionsOf(user()) }).toEqual({ project: [], user: ['WORK-1'] });
    const moved = await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'project', '--allow-secrets');
    expect(moved).toMatchObject({ outcome: 'moved', inGit: true });
    expect(moved.secrets).toHaveLength(1);
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'user')).toMatchObject({
      outcome: 'moved',
      leftGit: true,
      secrets: [],
    });
  });

  it('finishes a move that was cut short, and puts together what grew on both sides', async () => {
    await begin('WORK-1', 1);
    cpSync(join(project(), 'sessions'), join(user(), 'sessions'), { recursive: true });
    await world.run(['note', 'WORK-1', 'written where it was']);
    expect(await json<SessionMoved>('sessions', 'move', 'WORK-1', '--to', 'user')).toMatchObject({
      outcome: 'finished',
    });
    expect({ project: sessionsOf(project()), user: sessionsOf(user()) }).toEqual({ project: [], user: ['WORK-1'] });
    expect((await world.run(['log', 'WORK-1'])).bytes.toString('utf8')).toContain('written where it was');
  });

  it('refuses another session of that name, one that is damaged, and a place that is not there', async () => {
    await begin('WORK-1', 1);
    await begin('WORK-1', 1, { workspace: world.folder });
    const clash = await world.run(['sessions', 'move', 'WORK-1', '--to', 'user']);
    expect(clash).toMatchObject({ code: 1, err: expect.stringContaining('other content') });
    expect({ project: sessionsOf(project()), user: sessionsOf(user()) }).toEqual({
      project: ['WORK-1'],
      user: ['WORK-1'],
    });
    await begin('HURT-1', 1);
    await hurt('HURT-1');
    expect(await world.run(['sessions', 'move', 'HURT-1', '--to', 'user'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('workrail doctor HURT-1'),
    });
    expect(sessionsOf(user())).toEqual(['WORK-1']);
    expect(readdirSync(join(user(), 'local')).filter((one) => one.startsWith('import-'))).toEqual([]);
    expect(await world.run(['sessions', 'move', 'WORK-1', '--to', 'moon'])).toMatchObject({ code: 2 });
    expect(
      await world.run(['sessions', 'move', 'WORK-1', '--to', 'project', '--workspace', world.folder]),
    ).toMatchObject({ code: 1, err: expect.stringContaining('workrail init') });
  });
});

describe('workrail sessions label', () => {
  it('sets title and tags, once, within their bounds', async () => {
    await begin('WORK-1', 1);
    expect(
      await json<SessionLabelled>(
        'sessions',
        'label',
        'WORK-1',
        '--title',
        ' New name ',
        '--tag',
        'a',
        '--tag',
        'b',
        '--tag',
        'a',
      ),
    ).toEqual({ sessionId: 'WORK-1', title: 'New name', tags: ['a', 'b'], keep: false, changed: true });
    expect(
      await json<SessionLabelled>('sessions', 'label', 'WORK-1', '--title', 'New name', '--tag', 'a', '--tag', 'b'),
    ).toMatchObject({ changed: false });
    expect(await json<SessionLabelled>('sessions', 'label', 'WORK-1', '--no-tags')).toMatchObject({
      title: 'New name',
      tags: [],
      changed: true,
    });
    for (const wrong of [
      ['--title', ' '],
      ['--title', 'x'.repeat(201)],
      ['--tag', 'x'.repeat(65)],
      Array.from({ length: 21 }, (_, i) => ['--tag', `t${i}`]).flat(),
    ])
      expect(await world.run(['sessions', 'label', 'WORK-1', ...wrong])).toMatchObject({ code: 1 });
    expect(await world.run(['sessions', 'label', 'WORK-1'])).toMatchObject({ code: 2 });
    expect(await world.run(['sessions', 'label'])).toMatchObject({ code: 2 });
  });
});
