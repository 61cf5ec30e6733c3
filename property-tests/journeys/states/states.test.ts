import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { reviewSchema } from '../../worlds/review-schema.js';
import {
  call,
  type Called,
  makeRequestsWorld,
  mergeInto,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const first = { status: 'pending', tasks: [{ name: 'lint', status: 'pending' }], metadata: {} };

let world: RequestsWorld;
let requests: Requests;
type Tool = Parameters<typeof call>[1];
const ask = (name: Tool, args: JsonObject, by = requests): Promise<Called> => call(by, name, args);
const read = async (args: JsonObject = { session: 'AUTH-1' }, by = requests): Promise<Called['answer']> =>
  (await ask('state_read', args, by)).answer;
const patch = (operations: readonly JsonObject[], args: JsonObject = {}, by = requests): Promise<Called> =>
  ask('state_patch', { ...(args['writeToken'] === undefined && { session: 'AUTH-1' }), operations, ...args }, by);
const data = async (by = requests): Promise<JsonValue | undefined> => (await read(undefined, by))['current_data'];

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 21 });
  requests = world.open();
  await requests.people.addSchema({ name: 'code-review-workflow', json: reviewSchema });
});
afterEach(() => world.close());
const create = (): Promise<Called> =>
  ask('state_create', { schemaName: 'code-review-workflow', initialData: first, session: 'AUTH-1' });

describe('a shared state', () => {
  it('keeps what an agent tried in vain: each once, and so many for one version', async () => {
    const made = await create();
    const refusals = (): readonly { readonly reason: string; readonly asked?: string }[] =>
      world.lines().flatMap((line) => (line.kind === 'state_refused' ? [line.data] : []));
    const wrong = (status: string, args: JsonObject): Promise<Called> =>
      patch([{ op: 'replace', path: '/status', value: status }], args);
    // Whoever has read nothing is nobody in particular.
    await wrong('odd', {});
    expect(refusals()).toEqual([]);
    const { writeToken } = await read();
    for (let times = 0; times < 3; times += 1)
      expect((await wrong('odd', { writeToken: writeToken! })).answer).toMatchObject({ error_code: 'STATE_INVALID' });
    expect(refusals()).toMatchObject([
      { reason: expect.stringMatching(/^STATE_INVALID: /u), violations: [{ path: '/status' }] },
    ]);
    await patch([{ op: 'replace', path: '/status', value: 'review' }]);
    await wrong('failed', { writeToken: writeToken! });
    expect(refusals()).toHaveLength(2);
    expect(refusals()[1]).toMatchObject({ asked: textOf(made.answer['etag']).slice(3) });
    for (let at = 0; at < 40; at += 1) await wrong(`odd ${at}`, { writeToken: (await read())['writeToken']! });
    expect(refusals()).toHaveLength(21);
    expect((await read())['version']).toBe(2);
  });

  it('is told that there is nothing to report: once, without a version, and not once it is closed', async () => {
    const made = await create();
    const waive = (reason: string): Promise<Called> => ask('state_waive', { session: 'AUTH-1', reason });
    for (const reason of ['It was done before.', 'It was done before.', 'The task is gone.'])
      expect((await waive(reason)).answer).toMatchObject({ version: 1, etag: made.answer['etag'] });
    const said = (): readonly string[] =>
      world.lines().flatMap((line) => (line.kind === 'state_waived' ? [line.data.reason] : []));
    expect(said()).toEqual(['It was done before.', 'The task is gone.']);
    await patch([{ op: 'replace', path: '/status', value: 'review' }]);
    await waive('The task is gone.');
    expect(said()).toHaveLength(3);
    await requests.people.closeState({ session: 'AUTH-1' });
    expect((await waive('Late.')).answer).toMatchObject({ error_code: 'STATE_CLOSED' });
  });

  it('is created once, read, and changed in parts and as a whole', async () => {
    const made = await create();
    expect(made.answer).toMatchObject({
      kind: 'state',
      version: 1,
      schema_name: 'code-review-workflow',
      status: 'open',
    });
    expect(textOf(made.answer['state_id'])).toMatch(/^wfstate_[0-9a-f]{12}$/u);
    expect((await create()).answer['state_id']).toBe(made.answer['state_id']);
    const other = await ask('state_create', {
      schemaName: 'code-review-workflow',
      initialData: { ...first, summary: 'x' },
      session: 'AUTH-1',
    });
    expect(other.answer).toMatchObject({ error_code: 'ALREADY_EXISTS' });

    const seen = await read();
    expect(seen).toMatchObject({ version: 1, current_data: first, root_session_name: 'AUTH-1' });
    const writeToken = textOf(seen['writeToken']);
    expect(writeToken).toMatch(/^sw\.v1\.[0-9A-Z]{26}$/u);
    const done = [{ op: 'replace', path: '/tasks/0/status', value: 'done' }];
    expect((await patch(done, { writeToken })).answer).toMatchObject({ version: 2 });
    const again = await patch(done, { writeToken });
    expect(again.answer).toMatchObject({ version: 2, unchanged: 'already written' });
    const whole = await ask('state_update', { session: 'AUTH-1', data: { ...first, status: 'review' } });
    expect(whole.answer).toMatchObject({ version: 3 });
    expect((await read({ session: 'AUTH-1', path: '/status' }))['current_data']).toBe('review');
    expect((await read({ session: 'AUTH-1', version: 2 }))['current_data']).toMatchObject({
      tasks: [{ status: 'done' }],
    });
    expect((await read({ stateId: textOf(made.answer['state_id']), version: 1 }))['current_data']).toEqual(first);
  });

  it('refuses what does not fit, says where, and loses nothing', async () => {
    await create();
    const wrong = await patch([{ op: 'replace', path: '/status', value: 'done' }]);
    expect(wrong.answer).toMatchObject({ error_code: 'STATE_INVALID', violations: [{ path: '/status' }] });
    const nowhere = await patch([
      { op: 'add', path: '/metadata/a', value: 1 },
      { op: 'remove', path: '/task/0' },
    ]);
    expect(nowhere.answer).toMatchObject({ error_code: 'PATCH_FAILED', violations: [{ path: '/operations/1/path' }] });
    expect(nowhere.reply.text).toContain('did you mean `/tasks`?');
    expect(await data()).toEqual(first);
    expect((await ask('state_read', { session: 'AUTH-1', path: '/nothing' })).answer['error_code']).toBe('NOT_FOUND');
    expect((await ask('state_read', {})).answer['error_code']).toBe('VALIDATION_ERROR');
    const missing = await ask('state_create', { schemaName: 'code-review-workflw', initialData: {} });
    expect(missing.answer['message']).toContain('did you mean code-review-workflow?');
  });

  it('takes what was written from an older version where it touches nothing, and says so where it does', async () => {
    await create();
    const token = textOf((await read())['writeToken']);
    await patch([{ op: 'add', path: '/summary', value: 'theirs' }]);
    const beside = await patch([{ op: 'add', path: '/metadata/mine', value: 1 }], { writeToken: token });
    expect(beside.answer).toMatchObject({ version: 3 });
    expect(await data()).toMatchObject({ summary: 'theirs', metadata: { mine: 1 } });
    const over = await patch([{ op: 'add', path: '/summary', value: 'mine' }], { writeToken: token });
    expect(over.answer).toMatchObject({ error_code: 'STATE_CONFLICT' });
    const whole = await ask('state_update', { data: { ...first, status: 'review' }, writeToken: token });
    expect(whole.answer).toMatchObject({ version: 4 });
    expect(await data()).toMatchObject({ summary: 'theirs', metadata: { mine: 1 }, status: 'review' });
    const exact = await patch([{ op: 'add', path: '/metadata/x', value: 1 }], { expectedVersion: 3 });
    expect(exact.answer).toMatchObject({
      error_code: 'STATE_CONFLICT',
      message: 'Expected version 3, but current is 4',
    });
  });

  it('is forked, put under another schema, and closed', async () => {
    await create();
    await patch([{ op: 'add', path: '/summary', value: 'two' }]);
    const { people } = requests;
    const forked = await people.forkState({ session: 'AUTH-1', version: 1 });
    const again = await people.forkState({ session: 'AUTH-1', version: 1 });
    if (!forked.ok || !again.ok) throw new Error('forked');
    expect(forked.value).toMatchObject({ version: 1, current_data: first });
    expect(again.value.state_id).toBe(forked.value.state_id);
    await patch([{ op: 'add', path: '/summary', value: 'forked' }], {
      session: 'AUTH-1',
      stateId: forked.value.state_id,
    });
    expect(await data()).toMatchObject({ summary: 'two' });

    await people.addSchema({ name: 'owned', json: { type: 'object', required: ['owner'] } });
    const unfit = await people.migrateState({ session: 'AUTH-1', schemaName: 'owned' });
    expect(unfit.ok ? '' : unfit.error.code).toBe('STATE_INVALID');
    const operations = [{ op: 'add', path: '/owner', value: 'ann' }];
    const fit = await people.migrateState({ session: 'AUTH-1', schemaName: 'owned', operations });
    expect(fit.ok && fit.value).toMatchObject({ version: 3, schema_name: 'owned', current_data: { owner: 'ann' } });
    expect((await read({ session: 'AUTH-1', version: 2 }))['schema_name']).toBe('code-review-workflow');
    const bare = await patch([{ op: 'remove', path: '/owner' }]);
    expect(bare.answer['error_code']).toBe('STATE_INVALID');

    await people.closeState({ session: 'AUTH-1', reason: 'Done.' });
    const late = await patch([{ op: 'add', path: '/summary', value: 'late' }]);
    expect(late.answer).toMatchObject({ error_code: 'STATE_CLOSED', context: { version: 3 } });
    const next = await create();
    expect(next.answer['state_id']).not.toBe(forked.value.state_id);
    expect(await data()).toEqual(first);
  });

  it('gives away nothing that was redacted, in no version, and goes on', async () => {
    await create();
    await patch([{ op: 'add', path: '/metadata/hunter2-of-ours', value: 'hunter2-of-ours' }]);
    await patch([
      { op: 'test', path: '/metadata/hunter2-of-ours', value: 'hunter2-of-ours' },
      { op: 'add', path: '/summary', value: 'said hunter2-of-ours' },
    ]);
    await patch([{ op: 'replace', path: '/status', value: 'review' }]);
    const gone = await requests.people.redactSession({
      session: 'AUTH-1',
      what: 'hunter2-of-ours',
      secrets: false,
      dryRun: false,
    });
    expect(gone.ok).toBe(true);
    for (const by of [requests, world.open()])
      for (const version of [2, 3, 4]) {
        const then = await read({ session: 'AUTH-1', version }, by);
        expect(then).toMatchObject({ version, current_data: { tasks: first.tasks } });
        expect(JSON.stringify(then)).not.toContain('hunter2');
      }
    expect((await patch([{ op: 'add', path: '/summary', value: 'on' }])).answer).toMatchObject({ version: 5 });
    expect(await data()).toMatchObject({ status: 'review', summary: 'on' });
  });

  it('of two clones is merged, and what touches the same is told', async () => {
    await create();
    const clone = makeRequestsWorld({ seed: 22 });
    try {
      mergeInto(clone.data, world.data);
      const there = clone.open();
      await patch([
        { op: 'add', path: '/metadata/here', value: 1 },
        { op: 'add', path: '/summary', value: 'here' },
      ]);
      await patch([{ op: 'add', path: '/metadata/a', value: 1 }]);
      expect((await patch([{ op: 'add', path: '/metadata/b', value: 1 }], {}, there)).answer).toMatchObject({
        version: 2,
      });
      await patch([{ op: 'add', path: '/summary', value: 'there' }], {}, there);
      mergeInto(world.data, clone.data);
      mergeInto(clone.data, world.data);
      const now = await patch([{ op: 'add', path: '/metadata/after', value: 1 }]);
      expect(now.answer).toMatchObject({ version: 6, conflicts: [expect.stringMatching(/^v[23]-/u)] });
      const value = (await data()) as { metadata: object; summary: string };
      expect(value.metadata).toEqual({ here: 1, a: 1, b: 1, after: 1 });
      const [mine, theirs] = value.summary === 'here' ? ['here', 'there'] : ['there', 'here'];
      expect(value.summary).toBe(mine);
      const [conflict = ''] = now.answer['conflicts'] as string[];
      const { people } = requests;
      const stray = await people.settleConflict({ session: 'AUTH-1', conflict: 'v1-000000000000', how: 'leave' });
      expect(stray.ok ? '' : stray.error.message).toContain(conflict);
      const settled = await people.settleConflict({
        session: 'AUTH-1',
        conflict,
        how: 'apply',
        reason: 'It is newer.',
      });
      expect(settled.ok && settled.value).toMatchObject({
        version: 7,
        conflicts: [],
        current_data: { summary: theirs, metadata: { here: 1, a: 1, b: 1, after: 1 } },
      });
      const again = await people.settleConflict({ session: 'AUTH-1', conflict, how: 'leave' });
      expect(again.ok ? '' : again.error.code).toBe('NOT_FOUND');
      const versions = await people.listVersions({ session: 'AUTH-1' });
      expect(versions.ok && versions.value.versions.map(({ made }) => made)).toEqual(
        expect.arrayContaining(['create', 'patch', 'merge']),
      );
      const compared = await people.compareVersions({ session: 'AUTH-1', a: 6, b: 7 });
      expect(compared.ok && compared.value.operations).toEqual([{ op: 'replace', path: '/summary', value: theirs }]);
    } finally {
      await clone.close();
    }
  });
});
