import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const place = makeDemoFolder();
const env = { ...place.env, PATH: process.env['PATH'] ?? '' };
afterAll(() => place.remove());

function workrail(args: readonly string[], stdout: 'pipe' | number = 'pipe') {
  return spawnSync(
    process.execPath,
    [program, ...args, ...(args[0] === 'help' || args[0] === 'version' ? [] : ['--data-dir', place.dataDir])],
    { cwd: place.workspace, env, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] },
  );
}

describe.runIf(existsSync('/dev/full'))('where stdout takes nothing', () => {
  test.each([
    'start wr.research --session FULL-1 --input question=Why?',
    'show FULL-1 --json',
    'continue --session FULL-1 --json',
    'list',
    'inspect wr.research',
    'log FULL-1',
    'log FULL-1 --json',
    'sessions',
    'doctor',
    'graph FULL-1',
    'render FULL-1',
    'version',
    'help',
  ])('%s is no success', (line) => {
    const args = line.split(' ');
    if (args[0] !== 'start' && args.includes('FULL-1'))
      workrail(['start', 'wr.research', '--session', 'FULL-1', '--input', 'question=Why?']);
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = workrail(args, full);
    closeSync(full);
    expect({ status, lines: stderr.trim().split('\n').length, stderr }).toMatchObject({
      status: 3,
      lines: 2,
      stderr: expect.stringMatching(
        /^workrail.*(?:the system refused|could not be written completely).*ENOSPC.*\nNext: .*\n$/u,
      ) as unknown,
    });
  });
});

it('a reader who leaves early is no fault', () => {
  const { status, stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', `{ "${process.execPath}" "${program}" help; echo "code $?" >&2; } | head -1`],
    { env, encoding: 'utf8' },
  );
  expect({ status, lines: stdout.split('\n').length, stderr }).toEqual({ status: 0, lines: 2, stderr: 'code 0\n' });
});

it('a key that cannot be kept is told as such', async () => {
  const world = makeCommandLineWorld();
  try {
    expect((await world.run(['keys', 'rotate'])).code).toBe(0);
    const file = join(world.home, '.config', 'workrail', 'keys.json');
    const before = readFileSync(file, 'utf8');
    rmSync(file);
    mkdirSync(join(file, 'in-the-way'), { recursive: true });
    expect(await world.run(['keys', 'rotate'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/could not be saved.*\nNext: /u) as unknown,
    });
    expect(JSON.parse((await world.run(['keys', 'rotate', '--json'])).out)).toMatchObject({
      error_code: 'STORAGE_FAULT',
    });
    rmSync(file, { recursive: true });
    writeFileSync(file, before, { mode: 0o600 });
    expect((await world.run(['keys', 'rotate'])).code).toBe(0);
  } finally {
    world.close();
  }
});
