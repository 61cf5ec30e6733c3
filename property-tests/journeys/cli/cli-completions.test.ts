import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'completions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: join(folder, 'data') };
const workrail = (...args: readonly string[]): string =>
  spawnSync(process.execPath, [main, ...args], { cwd: folder, env, encoding: 'utf8' }).stdout;

/** What bash would offer after these words, each completion on a line. */
function inBash(...words: readonly string[]): readonly string[] {
  const script = `source <(printf %s "$SCRIPT"); COMP_WORDS=(workrail "$@"); COMP_CWORD=$#; _workrail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    cwd: folder,
    env: { ...env, SCRIPT: workrail('completions', 'bash') },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completions', () => {
  it('complete commands, options, sessions and workflows in bash, also of another data folder', () => {
    workrail('start', 'wr.bug_investigation', '--session', 'ANN-1', '--input', 'symptom=It loops', '--data-dir', 'x y');
    expect(inBash('sta')).toEqual(['start', 'state']);
    expect(inBash('start', 'wr.bug')).toEqual(['wr.bug_investigation']);
    expect(inBash('show', '')).toEqual([]);
    expect(inBash('show', '--data-dir', 'x y', '')).toEqual(['ANN-1']);
    expect(inBash('show', '--data-dir', 'x')).toEqual(['x y']);
    expect(inBash('show', '--help', '--nod')).toEqual(['--node']);
    expect(inBash('prefs', '--mode', '=', 'gui')).toEqual(['guided']);
  });

  // What these do is tried in the shells themselves, by npm run shells.
  it.each(['zsh', 'fish'])('ask this program in %s too', (shell) => {
    expect(workrail('completions', shell)).toContain(`${main} completions line --`);
  });

  it('name the shells there are', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'completions', 'tcsh'], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('bash, zsh, fish') });
  });
});
