import { reviewSchema } from '../../worlds/review-schema.js';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { makeRequestsWorld, type RequestsWorld, sessionFolders, textOf } from '../../worlds/requests-world.js';

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

  it('lists states of all sessions, and those of one', async () => {
    const id = await create();
    const other = await send('POST', '/workflow-states', {
      schema_name: 'code-review-workflow',
      initial_data: { status: 'ready' },
      root_session: 'second',
    });
    await send('POST', '/workflow-states', {
      schema_name: 'code-review-workflow',
      initial_data: { status: 'ready' },
      root_session: 'second',
    });
    await send('PUT', `/workflow-states/${id}`, { data: { status: 'ready' } });
    await send('DELETE', `/workflow-states/${textOf(other.body['state_id'])}`);
    const list = async (query = ''): Promise<readonly JsonObject[]> =>
      (await send('GET', `/workflow-states${query}`)).body['states'] as readonly JsonObject[];
    const { body } = await send('GET', `/workflow-states/${id}`);
    const beside = ['kind', 'current_data', 'warnings', 'writeToken'];
    const told = Object.fromEntries(Object.entries(body).filter(([field]) => !beside.includes(field)));
    expect(await list('?root_session=orchestrator')).toEqual([told]);
    expect((await list()).map(({ root_session_name: name, status }) => [name, status])).toEqual([
      ['orchestrator', 'open'],
      ['second', 'closed'],
    ]);
    expect((await list('?status=closed')).map(({ root_session_name: name }) => name)).toEqual(['second']);
    expect([await list('?schema=none'), await list('?root_session=none')]).toEqual([[], []]);
    expect((await list('?limit=1')).length).toBe(1);
    const { sessions } = (await send('GET', '/api/sessions')).body as { sessions: readonly JsonObject[] };
    expect(sessions.find(({ sessionId }) => sessionId === 'orchestrator')).toMatchObject({
      state: {
        state_id: id,
        schema_name: 'code-review-workflow',
        schema_version: 1,
        version: 2,
        status: 'open',
        conflicts: 0,
      },
    });
  });

  it('knows states from the register that is kept, without reading their logs', async () => {
    await send('POST', '/workflow-schemas', { name: 'kept', json_schema: true });
    for (let number = 0; number < 20; number += 1)
      await send('POST', '/workflow-states', {
        schema_name: 'kept',
        initial_data: number,
        root_session: `s-${number}`,
      });
    const files = sessionFolders(world.data).map((id) => join(world.data, 'sessions', id, 'segments'));
    const before = Date.now() / 1000 - 3600;
    for (const folder of [...files, join(world.data, 'sessions')]) {
      for (const file of readdirSync(folder)) utimesSync(join(folder, file), before, before);
      utimesSync(folder, before, before);
    }
    const found = async (env = {}): Promise<number> => {
      const requests = world.open(world.data, env);
      const listed = await requests.people.listStates({ schema: 'kept' });
      await requests.close();
      return listed.ok ? listed.value.found : -1;
    };
    expect(await found()).toBe(20);
    // Other bytes behind marks that look the same: only who reads the sessions notices.
    for (const folder of files) {
      const file = join(folder, readdirSync(folder)[0]!);
      const { atime, mtime } = statSync(file);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('kept', 'lost'));
      utimesSync(file, atime, mtime);
    }
    expect(await found()).toBe(20);
    expect(await found({ XDG_CONFIG_HOME: join(world.folder, 'another') })).toBe(0);
  });
});

/** The examples of the seed, as a program would send them. */
describe('the routes that clients of states know', () => {
  const data = {
    status: 'in_progress',
    tasks: [
      { name: 'lint', status: 'done', result: 'No issues' },
      { name: 'test', status: 'running', assigned_to: 'test-runner' },
      { name: 'review', status: 'pending' },
    ],
    summary: '2/3 tasks complete',
  };

  it('answer as the examples say', async () => {
    const schema = await send('POST', '/workflow-schemas', {
      name: 'code-review-workflow',
      json_schema: reviewSchema,
      description: 'Where a review stands',
    });
    expect(schema.status).toBe(201);
    expect(schema.body).toMatchObject({ name: 'code-review-workflow', version: 1, json_schema: reviewSchema });
    for (const field of ['created_at', 'updated_at']) expect(Date.parse(textOf(schema.body[field]))).not.toBeNaN();
    expect(textOf(schema.body['schema_id'])).toMatch(/^schema_[0-9a-f]{12}$/u);
    expect(((await send('GET', '/workflow-schemas')).body['schemas'] as JsonObject[])[0]).toMatchObject({ version: 1 });

    const made = await send('POST', '/workflow-states', {
      schema_name: 'code-review-workflow',
      initial_data: data,
      root_session: 'orchestrator',
    });
    expect([made.status, made.body['version']]).toEqual([201, 1]);
    const id = textOf(made.body['state_id']);
    const read = await send('GET', `/workflow-states/${id}`);
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { created_at: created, updated_at: updated, ...fields } = read.body;
    expect(fields).toMatchObject({
      state_id: id,
      schema_id: schema.body['schema_id'],
      schema_name: 'code-review-workflow',
      root_session_id: 'orchestrator',
      root_session_name: 'orchestrator',
      version: 1,
      current_data: data,
    });
    for (const at of [created, updated]) expect(textOf(at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);

    const at = `/workflow-state/${id}`;
    for (const version of [2, 3, 4, 5])
      expect((await send('PUT', at, { data: { ...data, summary: `${version}` } })).body['version']).toBe(version);
    const put = await send('PUT', at, { data, expected_version: 5 });
    expect([put.status, put.body['version']]).toEqual([200, 6]);
    const late = await send('PUT', at, { data: { ...data, summary: 'late' }, expected_version: 5 });
    expect([late.status, late.body['message']]).toEqual([409, 'Expected version 5, but current is 6']);
    const operations = [
      { op: 'replace', path: '/tasks/1/status', value: 'done' },
      { op: 'add', path: '/tasks/1/result', value: 'All tests pass' },
    ];
    const patched = await send('PATCH', at, { operations });
    expect([patched.status, patched.body['version']]).toEqual([200, 7]);
    expect((patched.body['current_data'] as typeof data).tasks[1]).toEqual({
      name: 'test',
      status: 'done',
      assigned_to: 'test-runner',
      result: 'All tests pass',
    });
    expect((await send('GET', '/sessions/orchestrator/workflow-state')).body['version']).toBe(7);
    const { states } = (await send('GET', '/workflow-states?root_session=orchestrator')).body;
    expect(states).toMatchObject([{ state_id: id, version: 7, schema_name: 'code-review-workflow' }]);
    const removed = await send('DELETE', at);
    expect([removed.status, removed.body['version']]).toEqual([200, 7]);
  });

  it('refuse with the code of what is wrong', async () => {
    const id = await create();
    const at = `/workflow-states/${id}`;
    const plain = { 'content-type': 'text/plain' };
    const long = 'x'.repeat(1_000_001);
    const refused: readonly (readonly [number, string, string, unknown, Record<string, string>?])[] = [
      [400, 'PUT', at, '{'],
      [400, 'PUT', at, { data: {}, no_such_field: 1 }],
      [400, 'POST', '/workflow-states', { initial_data: {} }],
      [400, 'GET', `${at}/changes?wait=60`, undefined],
      [403, 'POST', '/workflow-schemas', { name: 'a', json_schema: true }, { origin: 'https://elsewhere.example' }],
      [404, 'POST', '/workflow-states', { schema_name: 'none', initial_data: {} }],
      [404, 'GET', '/workflow-schemas/none', undefined],
      [404, 'GET', '/workflow-schemas/none/versions', undefined],
      [404, 'GET', '/workflow-states/none', undefined],
      [404, 'PUT', '/workflow-states/wfstate_000000000000', { data: {} }],
      [404, 'PATCH', '/workflow-states/wfstate_000000000000', { operations: [] }],
      [404, 'DELETE', '/workflow-states/wfstate_000000000000', undefined],
      [404, 'GET', '/workflow-states/wfstate_000000000000/stream', undefined],
      [404, 'GET', '/sessions/none/workflow-state', undefined],
      [404, 'GET', `${at}/versions/9`, undefined],
      [404, 'GET', `${at}?path=/none`, undefined],
      [405, 'POST', at, {}],
      [409, 'PUT', at, { data: { status: 'ready' }, expected_version: 9 }],
      [409, 'PUT', at, { data: { status: 'ready' }, expected_version: 'v1-000000000000' }],
      [
        409,
        'POST',
        '/workflow-states',
        { schema_name: 'code-review-workflow', initial_data: { status: 'ready' }, root_session: 'orchestrator' },
      ],
      [412, 'PUT', at, { data: { status: 'ready' } }, { 'if-match': '"v1-000000000000"' }],
      [412, 'PATCH', at, { operations: [] }, { 'if-match': 'W/"v1-000000000000"' }],
      [413, 'PUT', at, { data: { status: 'ready', note: long } }],
      [413, 'PUT', at, { data: long.repeat(5) }],
      [413, 'PATCH', at, { operations: Array.from({ length: 1001 }, () => ({ op: 'test', path: '', value: 1 })) }],
      [415, 'PUT', at, 'data', plain],
      [415, 'PATCH', at, '[]', plain],
      [415, 'POST', '/workflow-schemas', 'name', plain],
      [415, 'POST', '/workflow-states', 'name', plain],
      [422, 'PUT', at, { data: { status: 'done' } }],
      [422, 'PUT', at, { data: {} }],
      [422, 'PATCH', at, { operations: [{ op: 'remove', path: '/none' }] }],
      [422, 'PATCH', at, { operations: [{ op: 'test', path: '/status', value: 'ready' }] }],
      [422, 'PATCH', at, { operations: [{ op: 'replace', path: '/status', value: 7 }] }],
      [422, 'POST', '/workflow-states', { schema_name: 'code-review-workflow', initial_data: {}, root_session: 'new' }],
    ];
    for (const [status, method, path, body, headers] of refused) {
      const told = await send(method, path, body, headers);
      expect([method, path, told.status]).toEqual([method, path, status]);
      for (const field of ['error_code', 'message', 'suggested_action']) expect(typeof told.body[field]).toBe('string');
    }
    expect((await send('GET', at)).body['version']).toBe(1);
    await send('DELETE', at);
    for (const [method, body] of [
      ['PUT', { data: { status: 'ready' } }],
      ['PATCH', { operations: [{ op: 'replace', path: '/status', value: 'ready' }] }],
    ] as const) {
      const gone = await send(method, at, body);
      expect([gone.status, gone.body['context']]).toMatchObject([410, { version: 1 }]);
    }
    expect((await send('GET', '/workflow-states')).body['states']).toMatchObject([{ state_id: id, status: 'closed' }]);
  });
});
