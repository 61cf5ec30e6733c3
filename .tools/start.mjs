// npm start: how to connect an agent to this clone, then the server with its page. Where there is no session yet, the
// demo makes one to look at, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';

const main = join(root, 'dist', 'cli', 'main.js');
const asked = process.argv.slice(2);
const say = (text) => process.stdout.write(`${text}\n`);

/** What a command prints as JSON; undefined where it failed. */
function ask(args, stderr) {
  const { status, stdout } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

function demoFolders() {
  const places = asked.some((option) => option.startsWith('--data-dir'))
    ? undefined
    : ask(['sessions', '--json', '--limit', '1'], 'ignore');
  if (places === undefined || places.sessions.length > 0) return [];
  say('There are no sessions here yet. A scripted agent plays one to look at, in a temporary folder …');
  return ask(['demo', '--keep', '--json'], 'inherit')?.folders ?? [];
}

const folders = demoFolders();
const [first] = folders;
// Only read: what one's own agents begin goes to the user's own folder, and outlives this.
const env = first === undefined ? process.env : { ...process.env, WORKRAIL_ALSO_READ: join(first, 'data') };
if (first !== undefined)
  say('The page opens on it. Sessions of your own agents appear beside it as soon as they begin.\n');

const server = spawn(process.execPath, [main, 'serve', ...asked], { stdio: 'inherit', env });
// Ctrl-C reaches the server as well; it ends first, and says so.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exitCode = code ?? (signal === null ? 1 : 0);
});
