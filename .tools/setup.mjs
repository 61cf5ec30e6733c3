// Makes a fresh clone ready: the right Node, the packages of the lock file and, with --build, an up-to-date dist.
// Runs before anything is installed, so it imports nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuilt, root } from './build.mjs';

const say = (line) => process.stderr.write(`setup: ${line}\n`);

function stop(missing, remedy) {
  say(`${missing}\nsetup: ${remedy}`);
  process.exit(1);
}

function checkNode() {
  const wanted = [20, 19];
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  stop(
    `Node ${wanted.join('.')} or newer is needed; this is ${process.versions.node}.`,
    'Install a newer one from https://nodejs.org (or: nvm install 22), then run the same command again.',
  );
}

function packagesOf(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? {}) : undefined;
}

/** npm keeps what it installed in node_modules/.package-lock.json; times would lie after a checkout, contents do not. */
function areInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  const missing = Object.entries(wanted).filter(
    ([path, entry]) =>
      path !== '' &&
      present[path]?.version !== entry.version &&
      !(entry.optional === true && present[path] === undefined),
  );
  return missing.length === 0 && existsSync(join(root, 'node_modules', 'typescript', 'bin', 'tsc'));
}

function install() {
  say('installing the packages of package-lock.json (npm ci) …');
  // Development packages are wanted whatever NODE_ENV says: they build and test.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath ?? '';
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const { status, error } = npm.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (error !== undefined)
    stop(
      `npm could not be started (${error.message}).`,
      'Install npm (it comes with Node), then run the same command again.',
    );
  if (status !== 0)
    stop(
      'npm ci failed; its message is above.',
      'Check the network and the npm registry settings (npm ping), then run the same command again.',
    );
}

checkNode();
if (areInstalled()) say('packages are installed');
else install();

if (process.argv.includes('--build')) {
  if (isBuilt()) say('dist is up to date');
  else {
    say('building dist from src (tsc) …');
    if (!build())
      stop(
        'the build failed; the compiler says where, above.',
        'Mend it, then run the same command again (npm run build builds alone).',
      );
  }
}
