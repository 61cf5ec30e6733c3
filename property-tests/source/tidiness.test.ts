import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orphanTests, rules, type SourceFile } from './tidiness.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is tracked or about to be, bytes that are no text left out. */
function sources(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8' },
  );
  return [...new Set(listed.split('\0'))]
    .filter((path) => path !== '' && existsSync(join(root, path)) && lstatSync(join(root, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

describe('the sources', () => {
  const all = sources();

  it('are all seen', () => {
    const paths = all.map(({ path }) => path);
    expect(paths).toContain('package.json');
    expect(paths).toContain('property-tests/source/tidiness.ts');
    expect(paths.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(10);
  });

  it.each(rules)('$name', ({ appliesTo, find, why }) => {
    const found = all
      .filter(({ path }) => appliesTo(path))
      .flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
    expect(found, why).toEqual([]);
  });
});

describe('the canary of each rule is caught', () => {
  it.each(rules)('$name', ({ appliesTo, find, canary }) => {
    expect(appliesTo(canary.path)).toBe(true);
    expect(find(canary)).not.toEqual([]);
  });
});

describe('a test in src', () => {
  it('stands beside the file it tests', () => {
    expect(orphanTests(sources().map(({ path }) => path))).toEqual([]);
    expect(orphanTests(['src/log/open.ts', 'src/log/open.test.ts', 'src/log/gone.test.ts'])).toEqual([
      'src/log/gone.test.ts',
    ]);
  });
});
