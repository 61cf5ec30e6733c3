// Compiles src into dist. Knows when there is nothing to do: dist/.built holds the digest of what it was made from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function digestOfSources() {
  const hash = createHash('sha256');
  const sources = filesUnder(join(root, 'src')).filter((file) => !file.endsWith('.test.ts'));
  for (const file of [
    ...sources,
    join(root, 'tsconfig.json'),
    join(root, '.config', 'vite.config.ts'),
    join(root, '.config', 'vite-program.config.ts'),
    join(root, '.config', 'no-validator.js'),
    join(root, 'package-lock.json'),
    ...filesUnder(join(root, 'workflows')),
  ]) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources();
}

/** What tsc wrote for a source that is gone must not be run, found or published. */
function removeOrphans() {
  for (const file of filesUnder(dist)) {
    // Vite empties its own folders.
    if (['dashboard', 'bundle'].some((folder) => file.startsWith(join(dist, folder, '/')))) continue;
    const source = relative(dist, file).replace(/\.js(\.map)?$/u, '.ts');
    if (/\.js(\.map)?$/u.test(file) && !existsSync(join(root, 'src', source))) rmSync(file);
  }
}

function vite(config) {
  const program = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(process.execPath, [program, 'build', '--config', join('.config', config)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

/** The web page, as files that `workrail serve` hands out. */
const buildDashboard = () => vite('vite.config.ts');

/** The program in a few files, and beside it what its workflows compile to: both only make it start faster. */
function buildBundle(digest) {
  if (!vite('vite-program.config.ts')) return false;
  const write = `
    import { writeFileSync } from 'node:fs';
    import { openLibrary } from './dist/library/workflow-library.js';
    const compiled = (_, files) =>
      writeFileSync('dist/bundle/compiled-workflows.json', JSON.stringify({ build: '${digest}', files: files() }));
    const library = openLibrary([{ name: 'bundled', folder: 'workflows', label: 'bundled' }], { read: () => [], compiled });
    await library.list();
  `;
  return (
    spawnSync(process.execPath, ['--input-type=module', '--eval', write], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  );
}

/** True when dist now is what src says. */
export function build() {
  const digest = digestOfSources();
  rmSync(stamp, { force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0 || !buildDashboard()) return false;
  removeOrphans();
  // Last, so that it is younger than the modules it was made of.
  if (!buildBundle(digest)) return false;
  const main = join(dist, 'cli', 'main.js');
  if (existsSync(main)) chmodSync(main, 0o755);
  writeFileSync(stamp, digest);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = build() ? 0 : 1;
