import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headOf, observeRepository } from './repository.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-git-'));
  mkdirSync(join(folder, 'proj', 'sub'), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function git(...args: string[]): string {
  const settings = ['user.name=x', 'user.email=x@y', 'init.defaultBranch=main', 'protocol.file.allow=always'].flatMap(
    (setting) => ['-c', setting],
  );
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(folder, 'none'), GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...settings, ...args], {
    cwd: join(folder, 'proj'),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

test('no repository, no observation', () => {
  expect(observeRepository(join(folder, 'proj'))).toBeUndefined();
  expect(headOf(folder)).toBeUndefined();
});

test('branch, commit, remote and root, at each stage of a repository', () => {
  git('init');
  expect(headOf(join(folder, 'proj', 'sub'))).toEqual({ branch: 'main' });
  git('commit', '--allow-empty', '-m', 'one');
  const commit = git('rev-parse', 'HEAD');
  expect(headOf(join(folder, 'proj'))).toEqual({ branch: 'main', commit });
  git('checkout', '-b', 'feature/deep');
  git('pack-refs', '--all');
  git('remote', 'add', 'other', 'https://elsewhere.example/x');
  git('remote', 'add', 'origin', 'https://me:token@host.example/team/proj.git');
  const root = createHash('sha256')
    .update(realpathSync(join(folder, 'proj')))
    .digest('hex')
    .slice(0, 16);
  const expected = {
    branch: 'feature/deep',
    commit,
    repository: 'proj',
    remote: 'https://host.example/team/proj.git',
    root,
  };
  expect(observeRepository(join(folder, 'proj', 'sub'))).toEqual(expected);
  git('checkout', '--detach');
  expect(headOf(join(folder, 'proj'))).toEqual({ commit });
});

test('a linked work tree has its own branch and its repository the same name; a submodule is one of its own', () => {
  git('init');
  git('commit', '--allow-empty', '-m', 'one');
  const main = observeRepository(join(folder, 'proj'));
  git('worktree', 'add', '../tree', '-b', 'side');
  expect(observeRepository(join(folder, 'tree'))).toEqual({ ...main, branch: 'side' });
  git('init', '../library');
  git('-C', '../library', 'commit', '--allow-empty', '-m', 'lib');
  git('submodule', 'add', join(folder, 'library'), 'lib');
  expect(observeRepository(join(folder, 'proj', 'lib'))).toMatchObject({
    branch: 'main',
    repository: 'lib',
    commit: git('-C', 'lib', 'rev-parse', 'HEAD'),
  });
});

test('what is longer than git could make it is not observed', () => {
  git('init');
  const head = join(folder, 'proj', '.git', 'HEAD');
  git('config', 'remote.origin.url', `https://host.example/${'x'.repeat(100_000)}`);
  writeFileSync(head, `ref: refs/heads/${'long/'.repeat(300_000)}x\n`);
  expect(headOf(join(folder, 'proj'))).toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(observeRepository(join(folder, 'proj'))))).toBeLessThan(1000);
});
