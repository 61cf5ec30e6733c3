import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The server that commands are sent to: issues by number, and every request that arrived whole. `behave` says of each
 * what comes of it: `ok`, `late`, `lost` (done, and the answer never comes), `dropped` (not done, and no answer),
 * `busy` (not done, come back at once), `broken` (500, done), `failed` (500, not done) or `none` (404). `says` makes of
 * what it would answer what it does, with more headers.
 */
export async function openTracker({ says = (_one, value) => ({ value }) } = {}) {
  const issues = new Map();
  const seen = [];
  let behave = () => 'ok';
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = {
        method: request.method,
        path: request.url,
        headers: request.headers,
        body,
        raw: request.rawHeaders,
      };
      one.how = behave(one, seen.length);
      seen.push(one);
      void answer(one, request, response);
    });
  });
  const doIt = ({ method, path, body }) => {
    const number = Number(path.split('/')[2]);
    if (method === 'GET')
      return [200, Number.isNaN(number) ? [...issues.values()].slice(-3) : (issues.get(number) ?? {})];
    const id = method === 'POST' ? issues.size + 1000 : number;
    issues.set(id, { ...JSON.parse(body), id });
    return [method === 'POST' ? 201 : 200, issues.get(id)];
  };
  const answer = async (one, request, response) => {
    const { how } = one;
    if (how === 'late') await pause(1 + (seen.length % 25));
    const isDone = ['ok', 'late', 'lost', 'broken'].includes(how);
    one.done = isDone;
    const [status, value] = isDone ? doIt(one) : [500, {}];
    if (how === 'lost' || how === 'dropped') return request.socket.resetAndDestroy();
    const { value: told, headers } = says(one, value);
    const wrong = { busy: 429, broken: 500, failed: 500, none: 404 };
    response.writeHead(wrong[how] ?? status, {
      ...headers,
      'content-type': 'application/json',
      ...(how === 'busy' && { 'retry-after': '0' }),
    });
    response.end(JSON.stringify(told));
  };
  server.keepAliveTimeout = 30_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    seen,
    behave: (next) => {
      behave = next;
    },
    /** Once nobody is connected any more, nothing can arrive that was sent before. */
    quiet: async () => {
      while ((await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))) > 0) await pause(2);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const json = (schema) => ({ 'application/json': { schema } });
const issue = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const told = { 200: { description: 'ok', content: json(issue) } };
const body = { requestBody: { content: json({ type: 'object', properties: { title: { type: 'string' } } }) } };

/** What it can do, as it says itself. */
export const trackerDocument = (url) => ({
  openapi: '3.0.3',
  info: { title: 'Tracker', version: '1' },
  servers: [{ url }],
  paths: {
    '/issues': {
      get: {
        operationId: 'issues/list',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'ok', content: json({ type: 'array', items: issue }) } },
      },
      post: { operationId: 'issues/create', ...body, responses: told },
    },
    '/issues/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'issues/get', responses: told },
      put: { operationId: 'issues/replace', ...body, responses: told },
    },
  },
});
