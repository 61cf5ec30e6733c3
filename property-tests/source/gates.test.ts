import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Gate {
  readonly name: string;
  readonly seconds: number;
  readonly eachTest?: true;
}
const { gates }: { readonly gates: readonly Gate[] } = await import(join(root, '.tools', 'gates.mjs'));

interface Planted {
  readonly gates?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly setup?: string;
  /** Programs that are not to be found. */
  readonly without?: readonly string[];
}

/** What `.ci/run` says of a clone that holds nothing but these gates: its summary, without seconds, and its exit code. */
function runPlanted({ gates = '[]', scripts = {}, setup = '', without = [] }: Planted): {
  readonly code: number | null;
  readonly said: readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'workrail-gates-'));
  try {
    // It would install what is missing; here nothing can be installed.
    const programs = ['chromium', 'strace', 'zsh', 'fish', 'apt-get'].filter((name) => !without.includes(name));
    const files = {
      'package.json': JSON.stringify({ name: 'planted', scripts }),
      '.tools/gates.mjs': `export const gates = ${gates};\n`,
      '.tools/setup.mjs': setup,
      'report.mjs': reporter,
      ...Object.fromEntries(
        programs.map((name) => [`bin/${name}`, `#!/bin/sh\nexit ${name === 'apt-get' ? '1' : '0'}\n`]),
      ),
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: 0o755 });
    }
    cpSync(join(root, '.ci'), join(folder, '.ci'), { recursive: true });
    const path = `${join(folder, 'bin')}:${without.length > 0 ? toolsAlone(folder) : (process.env['PATH'] ?? '')}`;
    const { status, stdout } = spawnSync('bash', [join(folder, '.ci', 'run')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    });
    const summary = stdout.trim().split('\n\n').at(-1) ?? '';
    return { code: status, said: summary.replaceAll(/\(\d+ s/gu, '(… s').split('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder of links to what `.ci/run` itself calls, so that a program of this machine can be missing. */
function toolsAlone(folder: string): string {
  const bin = join(folder, 'tools');
  mkdirSync(bin);
  for (const name of ['bash', 'dirname', 'env', 'mktemp', 'node', 'npm', 'rm', 'sh', 'timeout'])
    spawnSync('sh', ['-c', `ln -s "$(command -v ${name})" ${JSON.stringify(join(bin, name))}`]);
  return bin;
}

/** Stands for vitest: writes a report of as many passed and failed tests as it is told, and ends with a code. */
const reporter = `
  import { writeFileSync } from 'node:fs';
  const [passed, failed, unloaded, code] = process.argv.slice(2).map(Number);
  const file = process.argv.find((word) => word.startsWith('--outputFile.json=')).split('=')[1];
  const testResults = Array.from({ length: unloaded }, () => ({ status: 'failed', assertionResults: [] }));
  writeFileSync(file, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults }));
  process.exitCode = code;
`;

describe('the list of gates', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  it('names npm scripts, each once, each with a limit', () => {
    expect(gates.map(({ name }) => name).filter((name) => !(name in scripts))).toEqual([]);
    expect(new Set(gates.map(({ name }) => name)).size).toBe(gates.length);
    expect(gates.filter(({ seconds }) => !(seconds > 0))).toEqual([]);
  });

  it('counts the tests of each gate that is a run of vitest, and of no other', () => {
    const tests = gates.filter(({ name }) => scripts[name]?.includes('vitest run')).map(({ name }) => name);
    expect(gates.filter(({ eachTest }) => eachTest).map(({ name }) => name)).toEqual(tests);
  });
});

// It is a script of bash, and installs with apt-get.
describe.runIf(process.platform === 'linux')('.ci/run', { timeout: 120_000 }, () => {
  it('passes where all passes, and counts tests one by one', () => {
    const planted = {
      gates: `[{ name: 'lint', seconds: 60 }, { name: 'tests', seconds: 60, eachTest: true }]`,
      scripts: { lint: 'true', tests: 'node report.mjs 40 0 0 0' },
    };
    expect(runPlanted(planted)).toEqual({
      code: 0,
      said: [
        'passed  setup (… s)',
        'passed  lint (… s)',
        'passed  tests (… s, 40 tests passed, 0 failed)',
        '42 passed, 0 failed',
      ],
    });
  });

  it('fails for whatever fails, is missing, takes too long or tests nothing, and runs the others', () => {
    const planted = {
      gates: JSON.stringify([
        { name: 'reads', seconds: 60 },
        { name: 'fails', seconds: 60 },
        { name: 'missing', seconds: 60 },
        { name: 'hangs', seconds: 1 },
        ...['red', 'unloaded', 'nothing', 'silent', 'late'].map((name) => ({ name, seconds: 60, eachTest: true })),
        { name: 'last', seconds: 60 },
      ]),
      scripts: {
        reads: 'cat',
        fails: 'false',
        hangs: 'sleep 600',
        red: 'node report.mjs 3 2 0 1',
        unloaded: 'node report.mjs 3 0 1 1',
        nothing: 'node report.mjs 0 0 0 0',
        silent: 'true',
        late: 'node report.mjs 3 0 0 1',
        last: 'true',
      },
    };
    expect(runPlanted(planted)).toEqual({
      code: 1,
      said: [
        'passed  setup (… s)',
        'passed  reads (… s)',
        'FAILED  fails (… s)',
        'FAILED  missing (… s)',
        'FAILED  hangs (… s): stopped after 1 s',
        'FAILED  red (… s, 3 tests passed, 2 failed)',
        'FAILED  unloaded (… s, 3 tests passed, 1 failed)',
        'FAILED  nothing (… s, 0 tests passed, 0 failed)',
        'FAILED  silent (… s, 0 tests passed, 0 failed)',
        'FAILED  late (… s, 3 tests passed, 0 failed)',
        'passed  last (… s)',
        '12 passed, 9 failed',
      ],
    });
  });

  it('fails where the clone cannot be made ready, where the list cannot be read, and where it is empty', () => {
    expect(runPlanted({ setup: 'process.exit(1);' }).said).toContain('FAILED  setup (… s)');
    expect(runPlanted({ gates: 'nonsense' })).toEqual({
      code: 1,
      said: ['FAILED  .ci/run itself (exit 1)', '0 passed, 1 failed'],
    });
    expect(runPlanted({}).code).toBe(1);
  });

  it('fails where a program that tests need is missing and cannot be installed', () => {
    const { code, said } = runPlanted({
      gates: `[{ name: 'lint', seconds: 60 }]`,
      scripts: { lint: 'true' },
      without: ['strace'],
    });
    expect(said).toEqual([
      'FAILED  strace is not here and could not be installed',
      'passed  setup (… s)',
      'passed  lint (… s)',
      '2 passed, 1 failed',
    ]);
    expect(code).toBe(1);
  });
});
