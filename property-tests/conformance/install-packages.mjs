import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Installs packages of npm into a folder of their own, where they are not there yet; gives what requires them. */
export function installPackages(folder, packages) {
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  const require = createRequire(join(folder, 'package.json'));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return require;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 });
  if (status !== 0) throw new Error(`npm could not install ${packages.join(' ')}`);
  writeFileSync(stamp, wanted);
  return require;
}
