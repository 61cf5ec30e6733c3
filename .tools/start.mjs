// npm start: how to connect an agent to this clone, then the server with its page. Where there is no session yet, the
// demo makes some to look at, in a temporary folder, and its agent waits for an answer on the page.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './build.mjs';

const main = join(root, 'dist', 'cli', 'main.js');
const asked = process.argv.slice(2);
const say = (text) => process.stdout.write(`${text}\n`);

/** What a command prints as JSON; undefined where it failed. */
function ask(args) {
  const { status, stdout } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** The demo where it is wanted: its agent, which stays, and its folders. */
async function demo() {
  const places = asked.some((option) => option.startsWith('--data-dir'))
    ? undefined
    : ask(['sessions', '--json', '--limit', '1']);
  if (places === undefined || places.sessions.length > 0) return undefined;
  say('\nThere are no sessions yet. A scripted agent makes seven to look at, in about fifteen seconds …');
  const agent = spawn(process.execPath, [main, 'demo', '--keep', '--stay', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: agent.stdout }))
    return { agent, folders: JSON.parse(line).folders };
  return undefined;
}

const played = await demo();
const folders = played?.folders ?? [];
const [first] = folders;
// Only for the page: what one's own agents begin goes to the user's own folder, and outlives this.
const env = first === undefined ? process.env : { ...process.env, WORKRAIL_ALSO_READ: join(first, 'data') };
if (first !== undefined) {
  const { sessions } = ask(['sessions', '--json', '--data-dir', join(first, 'data')]) ?? { sessions: [] };
  say('');
  for (const { sessionId, about, run } of sessions)
    say(`  ${sessionId}  ${about}${run?.status === 'blocked' ? ' (waiting for you)' : ''}`);
  say(`
Answer the one that waits: its agent goes on while you watch the page.
These are deleted when the server ends. Sessions of your own agents appear beside them, and are kept.
`);
}

const server = spawn(process.execPath, [main, 'serve', ...asked], { stdio: 'inherit', env });
// Ctrl-C reaches the server as well; it ends first, and says so.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 0);
  const remove = () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  if (played === undefined || played.agent.exitCode !== null || !played.agent.kill()) remove();
  else played.agent.on('exit', remove);
});
