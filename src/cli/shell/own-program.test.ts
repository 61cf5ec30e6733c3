import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownProgram } from './own-program.js';

const folder = mkdtempSync(join(tmpdir(), 'own-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package somewhere, with its program. */
function packageAt(...place: readonly string[]): string {
  const made = join(folder, ...place);
  mkdirSync(join(made, 'dist', 'cli'), { recursive: true });
  writeFileSync(join(made, 'dist', 'cli', 'main.js'), '');
  chmodSync(join(made, 'dist', 'cli', 'main.js'), 0o755);
  return made;
}
const called = (packageFolder: string, PATH: string): readonly string[] =>
  ownProgram({ env: { PATH }, packageFolder, platform: 'linux' });

it('calls us as a shell on this machine can: by name, by path, or through npx where that fetched us', () => {
  const [clone, local, fetched] = [
    packageAt('clone'),
    packageAt('app', 'node_modules', 'workrail'),
    packageAt('.npm', '_npx', '0a1b', 'node_modules', 'workrail'),
  ];
  const installed = packageAt('lib', 'node_modules', 'workrail');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(join(installed, 'dist', 'cli', 'main.js'), join(bin, 'workrail'));
  const main = (of: string): string => join(of, 'dist', 'cli', 'main.js');
  expect(called(installed, `/nowhere:${bin}`)).toEqual(['workrail']);
  // The program of that name is another one.
  expect(called(clone, bin)).toEqual(['node', main(clone)]);
  expect(called(installed, '/nowhere')).toEqual(['node', main(installed)]);
  // What npm puts on the PATH of a script is gone when that ends.
  expect(called(local, join(folder, 'app', 'node_modules', '.bin'))).toEqual(['node', main(local)]);
  expect(called(fetched, '/nowhere')).toEqual(['npx', '-y', 'workrail']);
});
