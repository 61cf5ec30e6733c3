// What an answer without end takes of memory, and how much of it is read: plain, in pieces, packed, and page after page.
//   node --expose-gc property-tests/bench/large-answer.mjs
import { createServer } from 'node:http';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { loadSources } from './frame/load-sources.mjs';

const MiB = 1024 * 1024;
const whole = 1024 * MiB;
const piece = Buffer.alloc(MiB, ' ');
const most = 150;

/** A server of its own thread, so that what it holds is not counted among what the caller does. */
if (!isMainThread) {
  let written = 0;
  function* pieces() {
    for (let at = 0; at < whole; at += MiB) {
      written += MiB;
      yield piece;
    }
  }
  const send = async (to) => {
    to.setMaxListeners(0);
    for (const one of pieces()) {
      if (to.destroyed) return;
      if (!to.write(one)) await new Promise((next) => to.once('drain', next).once('close', next));
    }
    to.end();
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here');
    response.on('error', () => undefined);
    request.resume();
    const head = { 'content-type': 'application/json' };
    if (pathname === '/written') return response.end(String(written));
    written = 0;
    if (pathname === '/plain') response.writeHead(200, { ...head, 'content-length': whole });
    else if (pathname === '/packed') {
      response.writeHead(200, { ...head, 'content-encoding': 'gzip' });
      const gzip = createGzip({ level: 1 });
      gzip.on('error', () => undefined).pipe(response);
      response.on('close', () => gzip.destroy());
      return void send(gzip);
    } else if (pathname === '/pages') {
      response.writeHead(200, { ...head, link: `</pages?q=${Number(searchParams.get('q')) + 1}>; rel="next"` });
      return response.end(JSON.stringify([{ id: Number(searchParams.get('q')), text: 'x'.repeat(MiB) }]));
    } else response.writeHead(200, head);
    return void send(response);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
} else {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const port = await new Promise((told) => worker.once('message', told));
  const sources = await loadSources();
  const { openCalls } = await sources.load('/src/calls/open-calls.ts');
  const { sendCommand } = await sources.load('/src/requests/commands/send-command.ts');
  const { operation, sending, sendingWorld, toSend } = await sources.load('/property-tests/worlds/sent-command.ts');
  const calls = openCalls({ secrets: { read: () => ({ ok: false, error: {} }) } });
  const env = sendingWorld({ calls }, { allow: ['127.0.0.1'] });
  const origin = `http://127.0.0.1:${port}`;
  const ask = async (path, step = {}, more = {}) =>
    sendCommand(
      env,
      toSend({ retry: { max: 0 }, ...step }, { operation: operation({ baseUrl: origin, path, ...more }) }),
      sending(),
    );
  const write = { method: 'POST', safety: 'mutating' };
  const paged = { paginate: { by: 'link', maxPages: 1000 } };
  const cases = [
    { name: 'a read, with its length', run: () => ask('/plain') },
    { name: 'a read, in pieces', run: () => ask('/chunked') },
    { name: 'a read, packed', run: () => ask('/packed') },
    { name: 'a write, in pieces', run: () => ask('/chunked', {}, write) },
    { name: 'a list, whole items', run: () => ask('/pages', paged) },
    { name: 'a list, little of each item', run: () => ask('/pages', { ...paged, keep: { id: 'item.id' } }) },
  ];
  // What is loaded with the first request counts for none of them.
  await ask('/written');
  let failed = 0;
  for (const { name, run } of cases) {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const looking = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const { came, pages = 1 } = await run();
    clearInterval(looking);
    const more = Math.round((Math.max(peak, process.memoryUsage().rss) - before) / MiB);
    const written = Number(await (await fetch(`${origin}/written`)).text()) / MiB;
    const told =
      'verdict' in came
        ? `${came.status} ${came.verdict.kind}: ${came.verdict.message ?? 'kept no body'}`
        : `${came.outcome}: ${came.error.message}`;
    const isWell = more < most && ('verdict' in came || came.outcome === 'failed');
    if (!isWell) failed += 1;
    console.log(
      `${isWell ? 'ok    ' : 'FAILED'} ${name}: ${more} MiB more, ${pages > 1 ? `${pages} pages` : `${written} MiB written`}\n       ${told}`,
    );
  }
  await calls.close();
  await worker.terminate();
  await sources.close();
  console.log(`${cases.length - failed} passed, ${failed} failed (at most ${most} MiB more)`);
  process.exit(failed === 0 ? 0 : 1);
}
