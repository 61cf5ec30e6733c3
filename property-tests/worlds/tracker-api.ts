import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import { answer, type Script, type Scripted, type SeenRequest } from './scripted-server.js';

const object = (properties: object): object => ({ type: 'object', properties });
const issue = object({ id: { type: 'integer' }, title: { type: 'string' }, state: { type: 'string' } });
const json = (schema: object): object => ({ 'application/json': { schema } });
const answers = (schema: object): object => ({ 200: { description: 'ok', content: json(schema) } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const body = { requestBody: { content: json(object({ title: { type: 'string' }, state: { type: 'string' } })) } };

const document = (url: string): object => ({
  openapi: '3.0.3',
  info: { title: 'Tracker', version: '1' },
  servers: [{ url }],
  paths: {
    '/issues': {
      get: {
        operationId: 'issues/list',
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: answers({ type: 'array', items: issue }),
      },
      post: { operationId: 'issues/create', ...body, responses: answers(issue) },
    },
    '/files': {
      post: {
        operationId: 'files/upload',
        requestBody: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
        responses: answers(object({ id: { type: 'integer' } })),
      },
    },
    '/issues/{id}': {
      parameters: [id],
      get: { operationId: 'issues/get', responses: answers(issue) },
      put: { operationId: 'issues/replace', ...body, responses: answers(issue) },
      delete: { operationId: 'issues/delete', responses: { 204: { description: 'gone' } } },
    },
  },
});

/** An issue tracker: what it holds, and every request that changed it. */
export interface Tracker {
  readonly issues: Map<number, JsonObject>;
  readonly writes: SeenRequest[];
  readonly script: Script;
}

export function tracker(): Tracker {
  const issues = new Map<number, JsonObject>();
  const writes: SeenRequest[] = [];
  const script: Script = (request): Scripted => {
    const { method, path } = request;
    const url = new URL(path, 'http://tracker.test');
    if (method !== 'GET') writes.push(request);
    if (url.pathname === '/issues') {
      if (method === 'GET') {
        const q = url.searchParams.get('q') ?? '';
        return answer(
          200,
          [...issues.values()].filter(({ title }) => typeof title === 'string' && title.includes(q)),
        );
      }
      const made = { ...(JSON.parse(request.body) as JsonObject), id: issues.size + 1 };
      issues.set(made.id, made);
      return answer(201, made);
    }
    if (url.pathname === '/files') return answer(201, { id: writes.length });
    const at = Number(url.pathname.split('/')[2]);
    const known = issues.get(at);
    if (method === 'PUT') {
      const replaced = { ...(JSON.parse(request.body) as JsonObject), id: at };
      issues.set(at, replaced);
      return answer(200, replaced);
    }
    if (known === undefined) return answer(404, { message: 'no such issue' });
    if (method === 'DELETE') {
      issues.delete(at);
      return answer(204);
    }
    return answer(200, known);
  };
  return { issues, writes, script };
}

/** A data folder with the catalog `tracker` of that server. */
export function writeTrackerCatalog(data: string, origin: string, settings: object = {}): void {
  const folder = join(data, 'catalogs', 'tracker');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'document.json'), JSON.stringify(document(origin)));
  writeFileSync(
    join(folder, 'catalog.json'),
    JSON.stringify({ version: 1, enabled: true, allow: ['127.0.0.1'], ...settings }),
  );
}
