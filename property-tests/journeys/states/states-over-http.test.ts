import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

let world: RequestsWorld;
let served: ServedWorld;
beforeEach(async () => {
  world = makeRequestsWorld({ seed: 23 });
  served = await serveRequests(world.open());
});
afterEach(async () => {
  await served.close();
  await world.close();
});

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}
const send = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> => {
  const response = await fetch(`${served.origin}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as JsonObject };
};
const schema = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['in_progress', 'ready'] }, tasks: { type: 'array' } },
};
const create = async (): Promise<string> => {
  await send('POST', '/workflow-schemas', { name: 'code-review-workflow', json_schema: schema });
  const made = await send('POST', '/workflow-states', {
    schema_name: 'code-review-workflow',
    initial_data: { status: 'in_progress', tasks: [] },
    root_session: 'orchestrator',
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/workflow-states/${textOf(made.body['state_id'])}`);
  return textOf(made.body['state_id']);
};

describe('shared states over HTTP, as programs outside of WorkRail use them', () => {
  it('registers schemas by name and version', async () => {
    const first = await send('POST', '/workflow-schemas', { name: 'a', json_schema: schema, description: 'Reviews' });
    expect([first.status, first.body['version']]).toEqual([201, 1]);
    expect((await send('POST', '/workflow-schemas', { name: 'a', json_schema: schema })).status).toBe(200);
    const next = await send('POST', '/workflow-schema', { name: 'a', json_schema: { type: 'object' } });
    expect([next.status, next.body['version']]).toEqual([201, 2]);
    expect((await send('GET', '/workflow-schemas/a')).body).toMatchObject({ version: 2 });
    expect((await send('GET', '/workflow-schemas/a?version=1')).body).toMatchObject({ description: 'Reviews' });
    expect((await send('GET', '/workflow-schemas/a/versions')).body['schemas']).toHaveLength(2);
    expect((await send('GET', '/workflow-schemas/b')).status).toBe(404);
  });

  it('has the fields that clients of states know', async () => {
    const id = await create();
    const { status, headers, body } = await send('GET', `/workflow-states/${id}`);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe(`"${textOf(body['etag'])}"`);
    expect(body).toMatchObject({
      state_id: id,
      schema_name: 'code-review-workflow',
      root_session_id: 'orchestrator',
      root_session_name: 'orchestrator',
      version: 1,
      current_data: { status: 'in_progress', tasks: [] },
    });
    for (const field of ['schema_id', 'created_at', 'updated_at']) expect(typeof body[field]).toBe('string');
    expect((await send('GET', '/sessions/orchestrator/workflow-state')).body).toEqual(body);
    expect((await send('GET', `/workflow-state/${id}`)).body).toEqual(body);
  });

  it('is written by PUT and PATCH, with a version or without', async () => {
    const id = await create();
    const at = `/workflow-states/${id}`;
    const put = await send('PUT', at, { data: { status: 'ready', tasks: [1] } });
    expect([put.status, put.body['version']]).toEqual([200, 2]);
    const operations = [{ op: 'add', path: '/tasks/-', value: 2 }];
    const patched = await send('PATCH', at, { operations, expected_version: 2 });
    expect([patched.status, patched.body['current_data']]).toEqual([200, { status: 'ready', tasks: [1, 2] }]);
    const late = await send('PATCH', at, { operations, expected_version: 2 });
    expect([late.status, late.body['message']]).toEqual([409, 'Expected version 2, but current is 3']);
    const types = { 'content-type': 'application/json-patch+json' };
    const bare = await send('PATCH', at, JSON.stringify(operations), {
      ...types,
      'if-match': patched.headers.get('etag')!,
    });
    expect([bare.status, bare.body['version']]).toEqual([200, 4]);
    const stale = await send('PATCH', at, JSON.stringify(operations), {
      ...types,
      'if-match': patched.headers.get('etag')!,
    });
    expect(stale.status).toBe(412);
    expect((await send('GET', `${at}/versions/3`)).body['current_data']).toEqual({ status: 'ready', tasks: [1, 2] });
    expect((await send('GET', `${at}?path=/tasks/0`)).body['current_data']).toBe(1);
  });

  it('says with its code what is wrong, and writes nothing', async () => {
    const id = await create();
    const at = `/workflow-states/${id}`;
    expect((await send('PUT', at, { data: { status: 'done' } })).status).toBe(422);
    expect((await send('PATCH', at, { operations: [{ op: 'remove', path: '/x' }] })).status).toBe(422);
    expect((await send('PUT', at, 'status=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
      415,
    );
    expect((await send('PUT', at, { data: { status: 'ready', tasks: ['x'.repeat(1_000_000)] } })).status).toBe(413);
    expect((await send('GET', '/workflow-states/wfstate_000000000000')).status).toBe(404);
    expect((await send('PUT', at, { data: {} }, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await send('GET', at)).body['version']).toBe(1);
    expect((await send('DELETE', at)).body['status']).toBe('closed');
    const gone = await send('PUT', at, { data: { status: 'ready' } });
    expect([gone.status, gone.body['context']]).toMatchObject([410, { version: 1 }]);
    expect((await send('GET', at)).status).toBe(200);
  });
});
