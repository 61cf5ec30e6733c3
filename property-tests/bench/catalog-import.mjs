// What an import of a large document takes, what other calls wait meanwhile, and how quickly commands are found, over MCP.
//   npm run build && node property-tests/bench/catalog-import.mjs
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = process.env.CORPORA ?? join(root, '..', 'shared', 'corpora', 'openapi');
const documents = ['github.json', 'kubernetes.json', 'slack.json'];
const missing = documents.filter((name) => !existsSync(join(corpus, name)));
if (missing.length > 0) {
  console.error(`nothing is measured: ${missing.join(', ')} not in ${corpus}; name the folder with CORPORA`);
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'catalog-import-'));
const workspace = join(home, 'workspace');
mkdirSync(join(workspace, '.workrail'), { recursive: true });
for (const name of documents) copyFileSync(join(corpus, name), join(workspace, name));
const server = spawn(
  process.execPath,
  [join(root, 'dist', 'cli', 'main.js'), 'mcp', '--toolsets', 'commands,catalogs', '--workspace', workspace],
  { env: { PATH: process.env.PATH, HOME: home }, stdio: ['pipe', 'pipe', 'ignore'] },
);
const waiting = new Map();
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
let id = 0;
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) =>
  new Promise((resolve) => {
    id += 1;
    waiting.set(id, resolve);
    send({ id, method, params });
  });
const call = async (name, args) => {
  const { result, error } = await ask('tools/call', { name, arguments: args });
  if (error !== undefined || result.isError) throw new Error(JSON.stringify(error ?? result.content));
  return result;
};
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

await ask('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
});
send({ method: 'notifications/initialized' });
for (const [at, source] of [...documents, 'github.json', 'github.json'].entries()) {
  const again = at >= documents.length;
  let over = false;
  const began = performance.now();
  const imported = call('import_openapi', {
    source,
    ...(again && { overwrite: true, title: `GitHub ${at}` }),
  }).finally(() => (over = true));
  const waits = [];
  while (!over) {
    const asked = performance.now();
    await ask('ping', {});
    waits.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await imported;
  const took = performance.now() - began;
  const worst = waits
    .toSorted((a, b) => b - a)
    .slice(0, 3)
    .map((ms) => ms.toFixed(0));
  console.log(
    `${source}${again ? ' again' : ''}: ${took.toFixed(0)} ms; of ${waits.length} other calls those that waited longest: ${worst.join(', ')} ms`,
  );
}
const queries = [
  'close an issue',
  'list pods in a namespace',
  'send a message to a channel',
  'protect a branch',
  'zzz',
];
const times = [];
let bytes = 0;
for (let round = 0; round < 10; round += 1)
  for (const query of queries) {
    const asked = performance.now();
    const { content } = await call('search_commands', { query });
    times.push(performance.now() - asked);
    bytes = Math.max(bytes, Buffer.byteLength(content[0].text));
  }
console.log(
  `search over all: first ${times[0].toFixed(0)} ms, then ${middle(times.slice(1)).toFixed(1)} ms in the middle; at most ${(bytes / 1024).toFixed(1)} KB`,
);
server.kill();
rmSync(home, { recursive: true, force: true });
