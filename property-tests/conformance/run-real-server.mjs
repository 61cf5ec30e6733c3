// npm run conformance:real: the built program beside servers that others wrote.
//   npm run conformance:real -- --stay     runs nothing, leaves them running until Ctrl-C, and says where the workspaces are
// Unleash, a server of feature flags, gives its own OpenAPI document; Prism stands in for the servers of three documents of
// shared/corpora/openapi. Each document is imported as it is, and a workflow of it is checked, planned and run to its end; that
// of Unleash again and again, with the program or Unleash killed in the middle. Everything is on loopback, and installed once under the user's cache;
// WORKRAIL_REAL_SERVER names another folder for it.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { mockPackages, openMock } from './real-server/open-mock.mjs';
import { openUnleash, unleashPackages } from './real-server/open-unleash.mjs';
import { tryMock, tryUnleash } from './real-server/try-runs.mjs';
import { tryWorkflow } from './real-server/try-workflow.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const cache = process.env.WORKRAIL_REAL_SERVER ?? join(homedir(), '.cache', 'workrail-real-server');
const corpus = process.env.CORPORA ?? fileURLToPath(new URL('../../../shared/corpora/openapi', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'real-server-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const opened = [];

/** The documents that Prism stands in for, how their servers are called, and the least of steps in a workflow of theirs. */
const mocked = [
  {
    catalog: 'petstore',
    document: 'petstore.yaml',
    auth: 'bearer:PETSTORE_TOKEN',
    headers: ['api_key=${{ secrets.PETSTORE_KEY }}'],
    secrets: { PETSTORE_TOKEN: 'a-token', PETSTORE_KEY: 'a-key' },
    files: { 'bello.png': Buffer.from('89504e470d0a1a0a', 'hex') },
  },
  {
    catalog: 'gitea',
    document: 'gitea-2.0.json',
    auth: 'header:Authorization:GITEA_TOKEN',
    secrets: { GITEA_TOKEN: 'token 0123456789abcdef' },
    files: { 'notes.txt': 'To be tidied up.\n' },
  },
  {
    catalog: 'twilio',
    document: 'twilio-v2010.json',
    auth: 'basic:AC0123456789abcdef0123456789abcdef:TWILIO_TOKEN',
    secrets: { TWILIO_TOKEN: '0123456789abcdef' },
  },
];

async function realServer() {
  const server = await openUnleash(installPackages(join(cache, 'unleash'), unleashPackages));
  opened.push(server);
  const document = join(folder, 'unleash.json');
  writeFileSync(document, await server.document());
  const { url, token } = server;
  const auth = 'header:Authorization:UNLEASH_TOKEN';
  return { server, subject: { catalog: 'unleash', document, url, auth, secrets: { UNLEASH_TOKEN: token }, least: 10 } };
}

/** Killed as a machine does that runs out of memory, it has what it answered for. */
async function outlivesKill({ url, token, kill, start }) {
  const at = `${url}/api/admin/tag-types`;
  const headers = { authorization: token, 'content-type': 'application/json' };
  const made = await fetch(at, { method: 'POST', headers, body: JSON.stringify({ name: 'before-the-kill' }) });
  if (made.status !== 201) throw new Error(`${at} answered ${made.status}`);
  await kill();
  const answered = await fetch(at).catch(() => undefined);
  if (answered !== undefined) throw new Error('the server answers after it was killed');
  await start();
  const kept = await fetch(`${at}/before-the-kill`, { headers });
  if (kept.status !== 200) throw new Error(`what was written before the kill answers ${kept.status}`);
}

async function mockServer({ document, ...one }) {
  const file = join(corpus, document);
  if (!existsSync(file)) throw new Error(`there is no ${file}; name the folder of the documents with CORPORA`);
  const mock = await openMock(installPackages(join(cache, 'prism'), mockPackages), file);
  opened.push(mock);
  return { ...one, document: file, url: mock.url, least: 3 };
}

async function check(subject, attempt) {
  const tried = await attempt({ subject, folder, say });
  const { workflow, plan, steps, imported, workspace, env, end, sent } = tried;
  if (steps.length < subject.least)
    throw new Error(`${workflow} has ${steps.length} commands; ${subject.least} are asked`);
  const writes = steps.filter(({ safety }) => safety !== 'safe').length;
  const read = `${imported.commandCount} commands imported`;
  say(`${workflow}: ${read}; ${steps.length} steps run commands, ${writes} of them writes; ${plan}`);
  if (end !== undefined) say(`    ${sent} requests, none refused: ${end.message}`);
  if (!isStaying) return;
  const settings = Object.entries({ HOME: env.HOME, ...subject.secrets }).map(([name, value]) => `${name}='${value}'`);
  say(`    cd ${workspace} && export ${settings.join(' ')}`);
}

const isStaying = process.argv.includes('--stay');
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
});
let isWaiting = false;
// What was started ends with this process.
void interrupted.then(() => isWaiting || process.exit(1));
let failures = 0;
try {
  const { server, subject } = await realServer();
  say(`Unleash runs at ${server.url}.`);
  await outlivesKill(server);
  say('Killed and started again, it has what was written.');
  const only = ({ subject: one }) => tryWorkflow({ ...one, folder });
  await check(subject, isStaying ? only : (of) => tryUnleash({ ...of, server }));
  for (const one of mocked) await check(await mockServer(one), isStaying ? only : tryMock);
  if (isStaying) {
    say('Ctrl-C ends them.');
    isWaiting = true;
    await interrupted;
  }
} catch (cause) {
  failures += 1;
  say(`FAILED ${cause.message}`);
}
for (const one of opened) await one.close();
process.exit(failures === 0 ? 0 : 1);
