import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const page = readFileSync(fileURLToPath(new URL('../../../docs/command-line.md', import.meta.url)), 'utf8');

/** The first block of that kind after a heading of the page. */
function blockAfter(heading: string, kind: string): string {
  const after = page.slice(page.indexOf(`${heading}\n`));
  return new RegExp(`\`\`\`${kind}\n(.*?)\n\`\`\``, 'su').exec(after)?.[1] ?? '';
}

const folder = mkdtempSync(join(tmpdir(), 'running-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A place with a home of its own, in which `workrail` is the built program. */
function place(name: string): {
  readonly workspace: string;
  readonly bash: (script: string) => {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
} {
  const [workspace, home, bin] = ['workspace', 'home', 'bin'].map((part) => join(folder, name, part)) as [
    string,
    string,
    string,
  ];
  for (const made of [workspace, home, bin]) mkdirSync(made, { recursive: true });
  writeFileSync(join(bin, 'workrail'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  for (const name of ['workrail', 'node']) chmodSync(join(bin, name), 0o755);
  const env = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  return {
    workspace,
    bash: (script) => spawnSync('bash', ['-c', script], { cwd: workspace, env, encoding: 'utf8', input: '' }),
  };
}

const patience = 60_000;

describe('a script that uses nothing but the commands', { timeout: patience }, () => {
  const script = blockAfter('### From a script', 'bash');

  it('stands on the page of the command line, and finishes a bundled workflow', () => {
    const { bash, workspace } = place('bundled');
    expect(script).toContain('workrail continue');
    writeFileSync(join(workspace, 'play.sh'), script);
    const played = bash('bash play.sh wr.review_change REV-1');
    expect(played, played.stderr).toMatchObject({ status: 0 });
    expect(played.stdout.trim().split('\n').at(-1)).toBe('complete');
  });

  it('can be stopped anywhere and run again: it goes on where it was, and no step is done twice', () => {
    const { bash, workspace } = place('again');
    writeFileSync(join(workspace, 'play.sh'), script);
    const steps = ['a', 'b', 'c', 'd'].map(
      (id) => `  - { id: ${id}, title: ${id}, prompt: Do it, sets: { ${id}: { type: string } } }\n`,
    );
    mkdirSync(join(workspace, '.workrail', 'workflows'), { recursive: true });
    writeFileSync(
      join(workspace, '.workrail', 'workflows', 'four.yaml'),
      `workflow: team.four\ntitle: Four\ndescription: Use it.\ninputs: { what: { type: string, required: true, description: What } }\nsteps:\n${steps.join('')}`,
    );
    // Killed at its second step, whose answer it may or may not have had.
    bash(
      'bash play.sh team.four again-1 > out & until [ "$(wc -l < out)" -ge 2 ]; do sleep 0.02; done; kill -9 $!; wait',
    );
    const rest = bash('bash play.sh team.four again-1');
    expect(rest).toMatchObject({ status: 0, stderr: '' });
    expect(rest.stdout).not.toContain('a\n');
    expect(rest.stdout).toMatch(/^(?:b\n)?(?:c\n)?(?:d\n)?complete\n$/u);
    const end = JSON.parse(bash('workrail continue --session again-1 --json').stdout) as {
      readonly stepsDone: number;
      readonly branches?: unknown;
    };
    expect(end).toMatchObject({ isComplete: true, stepsDone: 4 });
    expect(end.branches).toBeUndefined();
  });
});
