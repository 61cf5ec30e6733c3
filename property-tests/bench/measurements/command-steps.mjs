import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client, request } from 'undici';
import { built, bytesUnder, makeWorld, say } from '../bench-world.mjs';
import { median, quantile } from '../frame/numbers.mjs';

const [steps, blocks] = [200, 5];

/** A server on loopback that does nothing else, and says when each request came. */
const server = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const issue = JSON.stringify({ id: 1, title: 'An issue that somebody filed', state: 'open' });
let came = [];
const one = createServer((incoming, outgoing) => {
  came.push(performance.timeOrigin + performance.now());
  incoming.resume().on('end', () => {
    outgoing.writeHead(incoming.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    outgoing.end(issue);
  });
});
one.listen(0, '127.0.0.1', () => parentPort.postMessage(one.address().port));
parentPort.on('message', () => { parentPort.postMessage(came); came = []; });
`;

const issue = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const content = { 'application/json': { schema: issue } };
const document = (url) => ({
  openapi: '3.0.3',
  info: { title: 'Issues', version: '1' },
  servers: [{ url }],
  paths: {
    '/issues/1': { get: { operationId: 'look', responses: { 200: { description: 'ok', content } } } },
    '/issues': {
      post: { operationId: 'file', requestBody: { content }, responses: { 201: { description: 'made', content } } },
    },
  },
});

const workflow = (id, command) => `workflow: bench.${id}
title: Commands in a row
description: What a step costs that WorkRail does itself.
version: 1.0.0
steps:
${Array.from({ length: steps }, (_, at) => `  - id: step-${at + 1}\n    run: issues ${command}\n`).join('')}`;

/** Steps that WorkRail does itself beside the least that they could be, in turns: the same request, and as many synced appends. */
export const measurement = {
  name: 'command-steps',
  says: `a step of a run of ${steps} commands, from request to request, beside undici alone and the same appends`,
  rounds: 3,
  async run({ figure }) {
    const world = makeWorld();
    const worker = new Worker(server, { eval: true });
    const heard = () => new Promise((resolve) => worker.once('message', resolve));
    const came = () => {
      const told = heard();
      worker.postMessage('came');
      return told;
    };
    let requests;
    try {
      const url = `http://127.0.0.1:${await heard()}`;
      const workflows = {
        reads: workflow('reads', 'look'),
        writes: workflow('writes', 'file\n    body: { title: An issue }'),
      };
      for (const [name, text] of Object.entries(workflows)) world.addWorkflow(name, text);
      await addCatalog(world, url);
      requests = await world.open();
      const lanes = {
        reads: () => runOf(requests, 'bench.reads'),
        writes: () => runOf(requests, 'bench.writes'),
        'raw reads': () => raw(world, `${url}/issues/1`, { appends: 1, lineBytes: bytes.reads }),
        'raw writes': () => raw(world, `${url}/issues`, { appends: 2, lineBytes: bytes.writes / 2, isWrite: true }),
        // A write has a connection of its own: one that was kept may be gone without a word.
        'raw new writes': () =>
          raw(world, `${url}/issues`, { appends: 2, lineBytes: bytes.writes / 2, isWrite: true, isNew: true }),
      };
      const bytes = {};
      for (const name of ['reads', 'writes']) {
        await lanes[name]();
        const before = sizeOf(world);
        await lanes[name]();
        bytes[name] = Math.round((sizeOf(world) - before) / steps);
      }
      await lanes['raw reads']();
      await lanes['raw writes']();
      await lanes['raw new writes']();
      await came();
      const times = {};
      for (let block = 0; block < blocks; block += 1) {
        for (const [name, lane] of Object.entries(lanes)) {
          await lane();
          const at = await came();
          (times[name] ??= []).push(...at.slice(1).map((one, before) => one - at[before]));
        }
      }
      for (const [name, syncs] of Object.entries({ reads: 'one append', writes: 'two appends' })) {
        const floor = median(times[`raw ${name}`]);
        const one = name === 'reads' ? 'a read' : 'a write';
        figure(`undici alone and ${syncs}, as ${one}, p50`, floor, 'ms');
        figure(`a step that is ${one}, p50`, median(times[name]), 'ms', { floor });
        figure(`a step that is ${one}, p95`, quantile(times[name], 0.95), 'ms', {
          floor: quantile(times[`raw ${name}`], 0.95),
        });
        figure(`bytes of a step that is ${one} on disk`, bytes[name], 'bytes');
      }
      const floor = median(times['raw new writes']);
      figure('undici alone on a connection of its own and two appends, as a write, p50', floor, 'ms');
      figure('a step that is a write beside that, p50', median(times.writes), 'ms', { floor });
    } finally {
      await requests?.close();
      await worker.terminate();
      world.remove();
    }
  },
};

const sizeOf = ({ data }) => bytesUnder(join(data, 'sessions'), (path) => path.includes('segments'));

async function addCatalog({ folder, data }, url) {
  const catalog = join(data, 'catalogs', 'issues');
  mkdirSync(catalog, { recursive: true });
  writeFileSync(join(catalog, 'document.json'), JSON.stringify(document(url)));
  writeFileSync(join(catalog, 'catalog.json'), JSON.stringify({ version: 1, enabled: true, allow: ['127.0.0.1'] }));
  const { allowAddresses } = await built('machine/global-preferences.js');
  const may = { project: data, catalog: 'issues', addresses: ['127.0.0.1'] };
  const allowed = allowAddresses(join(folder, 'config', 'workrail'), may, 'bench');
  if (!allowed.ok) throw new Error(allowed.error);
}

let runs = 0;
async function runOf(requests, workflowId) {
  const { plan } = (await say(requests, 'plan_steps', { workflowId })).answer;
  const session = `RUN-${(runs += 1)}`;
  // The same plan once more is another run only where somebody says so.
  const asked = { workflowId, session, confirm: plan, fresh: true, detached: true };
  let { answer } = await say(requests, 'run_workflow', asked);
  while (answer.state === 'running' || answer.state === 'pending')
    ({ answer } = await say(requests, 'get_run', { runId: answer.run_id, waitMs: 20_000 }));
  if (answer.state !== 'succeeded') throw new Error(`${workflowId}: ${answer.message}`);
}

async function raw({ folder }, url, { appends, lineBytes, isWrite = false, isNew = false }) {
  const fd = openSync(join(folder, `raw-${process.hrtime.bigint()}`), 'ax');
  const line = Buffer.alloc(Math.round(lineBytes), 'x');
  const append = () => {
    writeSync(fd, line);
    fdatasyncSync(fd);
  };
  const sent = isWrite
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"An issue"}' }
    : {};
  for (let at = 0; at < steps; at += 1) {
    if (appends === 2) append();
    const client = isNew ? new Client(new URL(url).origin) : undefined;
    const { body } = await request(url, { ...sent, ...(client && { dispatcher: client }) });
    await body.json();
    void client?.destroy();
    append();
  }
  closeSync(fd);
}
