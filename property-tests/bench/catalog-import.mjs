// What an import of a large document takes, what other calls wait meanwhile, and how quickly commands are found, over MCP.
//   npm run build && node property-tests/bench/catalog-import.mjs
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = process.env.CORPORA ?? join(root, '..', 'shared', 'corpora', 'openapi');
const documents = ['github.json', 'kubernetes.json', 'slack.json'];
const missing = documents.filter((name) => !existsSync(join(corpus, name)));
if (missing.length > 0) {
  console.error(`nothing is measured: ${missing.join(', ')} not in ${corpus}; name the folder with CORPORA`);
  process.exit(1);
}

/** To 4 MB, with more schemas of the same kind. */
function padded(text) {
  const more = [];
  let length = text.length;
  for (let at = 0; length < 4 * 1024 * 1024; at += 1) {
    const schema = `  x-schema-${at}:\n    type: object\n    required: [id, name]\n    properties:\n      id: { type: integer }\n      name:\n        type: string\n        description: The name of the thing with the number ${at}.\n`;
    more.push(schema);
    length += schema.length;
  }
  return `${text}x-more:\n${more.join('')}`;
}

const home = mkdtempSync(join(tmpdir(), 'catalog-import-'));
const workspace = join(home, 'workspace');
mkdirSync(join(workspace, '.workrail'), { recursive: true });
for (const name of documents) copyFileSync(join(corpus, name), join(workspace, name));
// A document of 4 MB in YAML, as one that is written by hand looks.
const whole = JSON.parse(readFileSync(join(corpus, 'kubernetes.json'), 'utf8'));
const paths = Object.entries(whole.paths);
const part = (count) => stringify({ ...whole, paths: Object.fromEntries(paths.slice(0, count)) });
let most = paths.length;
while (part(most).length > 4 * 1024 * 1024 && most > 1) most = Math.floor(most * 0.7);
writeFileSync(join(workspace, 'large.yaml'), padded(part(most)));
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
for (const [at, source] of [...documents, 'large.yaml', 'github.json', 'github.json'].entries()) {
  const again = at > documents.length;
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
// What was written a moment ago is read again at each look, since a clock could not tell it from what follows.
await new Promise((resolve) => setTimeout(resolve, 5_000));
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
