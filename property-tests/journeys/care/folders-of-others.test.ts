import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SecretsReport } from '../../../src/contract/doctor-answers.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { tiny } from '../../worlds/library-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const canMount =
  isRoot &&
  process.platform === 'linux' &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0;

let world: CommandLineWorld;
beforeEach(() => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.git'));
  writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(root('workflows'), { recursive: true });
  writeFileSync(root('workflows', 'own.yaml'), tiny('team.own'));
});
afterEach(() => world.close());

const root = (...names: readonly string[]): string => join(world.workspace, '.workrail', ...names);

describe.runIf(isRoot)('a data folder above the workspace that belongs to another user', () => {
  test('is used by nothing until it is trusted by name', async () => {
    chownSync(root(), nobody, nobody);
    for (const words of [
      ['list'],
      ['start', 'team.own', '--session', 'A-1'],
      ['resume'],
      ['sessions'],
      ['note', 'A-1', 'x'],
    ]) {
      const { code, out, err } = await world.run(words);
      expect(code).toBe(1);
      expect(`${out}${err}`).toContain(`${root()} belongs to user ${nobody}`);
      expect(`${out}${err}`).toContain(`workrail init --trust ${root()}`);
    }
    expect(readdirSync(root())).toEqual(['workflows']);
    expect((await world.run(['doctor'])).out).toContain(`belongs to user ${nobody}`);
    expect(await world.run(['init'])).toMatchObject({ code: 1 });
    expect(await world.run(['init', '--trust', root()])).toMatchObject({ code: 0, err: '' });
    expect(await world.run(['start', 'team.own', '--session', 'A-1'])).toMatchObject({ code: 0 });
    expect(existsSync(root('sessions', 'A-1'))).toBe(true);
  });

  test('is the own one of who called sudo, and is not looked at where another is named', async () => {
    chownSync(root(), nobody, nobody);
    expect(await world.run(['list'], { env: { SUDO_UID: String(nobody) } })).toMatchObject({ code: 0 });
    const named = ['--data-dir', join(world.folder, 'data')];
    const { code, out } = await world.run(['list', '--json', ...named]);
    expect(code).toBe(0);
    expect(out).not.toContain('team.own');
  });

  test('of a folder that comes later, no workflow is read either', async () => {
    rmSync(root(), { recursive: true });
    mkdirSync(root('workflows'), { recursive: true });
    writeFileSync(root('workflows', 'own.yaml'), tiny('team.own'));
    chownSync(root(), nobody, nobody);
    const { out } = await world.run(['list', '--json'], { env: { WORKRAIL_DATA_DIR: join(world.folder, 'data') } });
    expect(out).not.toContain('team.own');
  });
});

test.skipIf(process.platform === 'win32')(
  'a data folder that is named is made for its owner alone; one that is there stays as open as it is',
  async () => {
    const modesIn = (folder: string): readonly string[] => [
      ...new Set(
        [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].map(
          (path) => `${statSync(path).isDirectory() ? 'folder' : 'file'} ${(statSync(path).mode & 0o777).toString(8)}`,
        ),
      ),
    ];
    const before = process.umask();
    const named = join(world.folder, 'data');
    await world.run(['start', 'team.own', '--session', 'A-1'], { env: { WORKRAIL_DATA_DIR: named } });
    const locks = join(named, 'local', 'locks');
    rmSync(locks, { recursive: true });
    expect(modesIn(named).toSorted()).toEqual(['file 600', 'folder 700']);
    const open = join(world.folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    await world.run(['start', 'team.own', '--session', 'A-1', '--data-dir', open]);
    expect(modesIn(join(open, 'sessions'))).toContain(`file ${(0o644 & ~before).toString(8)}`);
  },
);

describe.runIf(process.platform !== 'win32')('a pipe where a file is expected', () => {
  const pipe = (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    execFileSync('mkfifo', [path]);
  };
  const run = (...words: readonly string[]): { readonly code: number | null; readonly said: string } => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...words], {
      cwd: world.workspace,
      env: { PATH: process.env['PATH'], HOME: world.home },
      encoding: 'utf8',
      timeout: 15_000,
    });
    if (error !== undefined) throw error;
    return { code: status, said: stdout + stderr };
  };

  test('holds nothing up, and is told of', () => {
    expect(run('start', 'team.own', '--session', 'A-1')).toMatchObject({ code: 0 });
    const [segment = ''] = readdirSync(root('sessions', 'A-1', 'segments'));
    const [pin = ''] = readdirSync(root('sessions', 'A-1', 'pins'));
    const config = join(world.home, '.config', 'workrail');
    const bundle = join(world.folder, 'a.workrail');
    pipe(bundle);
    expect(run('import', bundle).said).toContain('is not a file');
    for (const [path, words] of [
      [root('workflows', 'own.yaml'), ['validate']],
      [join(config, 'config.json'), ['prefs', '--verbose']],
      [root('.gitignore'), ['doctor']],
      [root('local', 'locks', '.grown'), ['note', 'A-1', 'x']],
      [root('local', 'snapshots', 'A-1.fold'), ['show', 'A-1']],
      [join(world.workspace, '.git', 'HEAD'), ['note', 'A-1', 'x']],
      [root('sessions', 'A-1', 'pins', pin), ['show', 'A-1']],
      [root('sessions', 'A-1', 'segments', segment), ['show', 'A-1']],
      [join(config, 'keys.json'), ['doctor']],
    ] as const) {
      mkdirSync(join(path, '..'), { recursive: true });
      pipe(path);
      const { said } = run(...words);
      expect(said).not.toMatch(/INTERNAL|at \S+ \(?(?:file|node):/u);
      if (/\.yaml$|\.ndjson$/u.test(path)) expect(said).toMatch(/no plain file|not a regular file|no regular file/u);
    }
  });
});

describe.runIf(canMount)('a mount of its own', () => {
  /** Runs commands where one folder of the data root is another file system, as a container's volume is. */
  const onMount = (mounted: string, commands: readonly (readonly string[])[]): string => {
    const quoted = commands.map((words) =>
      [process.execPath, program, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' '),
    );
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-ec', `mount -t tmpfs x '${mounted}'; ${quoted.join('; ')}; find '${root('sessions')}' -name '.*'`],
      { cwd: world.workspace, env: { PATH: process.env['PATH'], HOME: world.home }, encoding: 'utf8', timeout: 60_000 },
    );
    expect({ status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };

  test.each(['local', 'sessions'])('%s: work begins, goes on, is moved, carried and taken away', async (part) => {
    mkdirSync(root(part));
    const bundle = join(world.folder, 'a.workrail');
    const other = ['--data-dir', join(world.folder, 'other')];
    await world.run(['start', 'team.own', '--session', 'B-1', ...other]);
    await world.run(['export', 'B-1', '-o', bundle, ...other]);
    const said = onMount(root(part), [
      ['start', 'team.own', '--session', 'A-1'],
      ['note', 'A-1', 'a note that is kept'],
      ['import', bundle],
      ['note', 'B-1', 'another note'],
      ['show', 'B-1'],
      ['prune', '--session', 'B-1', '--in-use', '--yes'],
      ['sessions', 'move', 'A-1', '--to', 'user'],
      ['sessions', 'move', 'A-1', '--to', 'project'],
      ['doctor'],
    ]);
    expect(said).toContain('Checked 1 session');
    // What is left on that mount is left out by git, and nothing unfinished is there.
    const hidden = said.split('\n').filter((line) => /\/sessions\/.*\/\./u.test(line) && !line.includes('/.local'));
    expect(hidden).toEqual([]);
    expect(said.includes('/.local/.gitignore') || !said.includes('/.local')).toBe(true);
  });

  test('the pins of one session: nothing is left beside them', async () => {
    mkdirSync(root('sessions', 'A-1', 'pins'), { recursive: true });
    mkdirSync(root('sessions', 'A-1', 'segments'), { recursive: true });
    const said = onMount(root('sessions', 'A-1', 'pins'), [
      ['start', 'team.own', '--session', 'A-1'],
      ['show', 'A-1'],
    ]);
    expect(said).toContain('A-1');
    expect(said).not.toMatch(/pins\/\./u);
  });
});

describe.runIf(isRoot)('what this user may not read', () => {
  const runThere = (
    folder: string,
    words: readonly string[],
  ): { readonly code: number | null; readonly said: string } => {
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [
        `--reuid=${nobody}`,
        `--regid=${nobody}`,
        '--clear-groups',
        process.execPath,
        program,
        ...words,
        '--data-dir',
        folder,
      ],
      {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    return { code: status, said: stdout + stderr };
  };
  test('is told as that, by every request, and not as nothing', async () => {
    const folder = join(world.folder, 'theirs');
    mkdirSync(folder);
    await world.run(['start', 'team.own', '--session', 'A-1', '--data-dir', folder]);
    await world.run(['note', 'A-1', 'first', '--data-dir', folder]);
    execFileSync('chmod', ['-R', 'a+rX', world.folder]);
    execFileSync('chown', ['-R', String(nobody), world.home]);
    for (const denied of ['sessions', 'sessions/A-1/segments']) {
      chmodSync(join(folder, denied), 0o700);
      for (const words of [
        ['resume'],
        ['sessions'],
        ['show', 'A-1'],
        ['note', 'A-1', 'x'],
        ['doctor'],
        ['log', 'A-1'],
      ]) {
        const { code, said } = runThere(folder, words);
        expect(`${words.join(' ')}: ${said}`).toContain(join(folder, denied));
        expect(said).not.toMatch(/No work is recorded|no sessions here|no session here|TOKEN_FOREIGN|INTERNAL/u);
        expect(code).toBe(words[0] === 'doctor' ? 4 : 3);
      }
      chmodSync(join(folder, denied), 0o755);
    }
  });

  test('hides nothing else from the doctor, nor from who looks for credentials', async () => {
    const folder = join(world.folder, 'theirs');
    mkdirSync(folder);
    const there = ['--data-dir', folder];
    for (const session of ['A-1', 'B-2', 'C-3']) {
      await world.run(['start', 'team.own', '--session', session, ...there]);
      await world.run(['note', session, `first of ${session}`, ...there]);
    }
    const key = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');
    await world.run(['note', 'C-3', `it says ${key}`, ...there]);
    for (const part of ['quarantine/A-1', 'local/index', 'local/tmp', 'local/import-old'])
      mkdirSync(join(folder, part), { recursive: true });
    symlinkSync('/', join(folder, 'local', 'tmp', 'out'));
    writeFileSync(join(folder, 'sessions', 'odd name'), 'x');
    execFileSync('chmod', ['-R', 'a+rX', world.folder]);
    execFileSync('chown', ['-R', String(nobody), world.home]);
    const segmentOf = (session: string): string => {
      const [name = ''] = readdirSync(join(folder, 'sessions', session, 'segments'));
      return join('sessions', session, 'segments', name);
    };
    const denied = ['local/index', 'quarantine/A-1', 'local/running'];
    const segments = ['A-1', 'B-2'].map(segmentOf);
    for (const path of [...denied, ...segments]) chmodSync(join(folder, path), 0);

    const doctor = runThere(folder, ['doctor']);
    for (const path of [...denied, ...segments])
      expect(doctor.said).toContain(`${join(folder, path)} could not be read`);
    for (const found of ['local/tmp/out', 'sessions/odd name', 'copies made by repairs of this session'])
      expect(doctor.said).toContain(found);
    expect(doctor.code).toBe(4);

    const secrets = runThere(folder, ['doctor', '--secrets', '--json']);
    const report = JSON.parse(secrets.said) as SecretsReport;
    expect(report.unread.map(({ file }) => file).toSorted()).toEqual(segments.toSorted());
    expect(report.secrets).toMatchObject([{ session: 'C-3' }]);
    expect(secrets.code).toBe(1);
    const clean = runThere(folder, ['doctor', '--secrets', 'A-1', 'B-2', '--everywhere']);
    for (const path of segments) expect(clean.said).toContain(path);
    expect(clean.said).toContain('could not be read');
    expect(clean.code).toBe(3);
    chmodSync(join(folder, 'sessions'), 0);
    expect(runThere(folder, ['doctor', '--secrets'])).toMatchObject({
      code: 3,
      said: expect.stringContaining(join(folder, 'sessions')) as unknown,
    });
    for (const path of ['sessions', ...denied]) chmodSync(join(folder, path), 0o755);
  });
});
