import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface InstalledPackage {
  readonly folder: string;
  /** Where the program lies; `bin` on a PATH finds it by its name. */
  readonly main: string;
  readonly bin: string;
}

/** The package that `npm pack` makes, laid out as `npm install -g` lays it out. What it depends on is that of the clone. */
export function installPackage(): InstalledPackage {
  const clone = fileURLToPath(new URL('../..', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const [modules, bin] = [join(folder, 'lib', 'node_modules'), join(folder, 'bin')];
  for (const made of [modules, bin]) mkdirSync(made, { recursive: true });
  done('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], clone);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  done('tar', ['-xzf', join(folder, tarball), '-C', modules], folder);
  const installed = join(modules, 'workrail');
  renameSync(join(modules, 'package'), installed);
  symlinkSync(join(clone, 'node_modules'), join(installed, 'node_modules'));
  const main = join(installed, 'dist', 'cli', 'main.js');
  chmodSync(main, 0o755);
  symlinkSync(main, join(bin, 'workrail'));
  return { folder, main, bin };
}

function done(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
