import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, makeRequestsWorld, mergeInto, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

let world: RequestsWorld;
let state: string;
beforeEach(async () => {
  world = makeRequestsWorld({ seed: 33 });
  const requests = world.open();
  await requests.people.addSchema({ name: 'any', json: true });
  const made = await call(requests, 'state_create', {
    session: 'AUTH-1',
    schemaName: 'any',
    initialData: { status: 'pending', notes: {} },
  });
  state = textOf(made.answer['state_id']);
});
afterEach(() => world.close());

describe('a call that names no state', () => {
  it('means the one of its environment, or of its request', async () => {
    const inside = world.open(world.data, { WORKFLOW_STATE_ID: state });
    expect((await call(inside, 'state_read', {})).answer).toMatchObject({ state_id: state, version: 1 });
    const ops = [{ op: 'replace', path: '/status', value: 'done' }];
    expect((await call(inside, 'state_patch', { operations: ops })).answer).toMatchObject({ version: 2 });
    const outside = world.open();
    expect((await outside.call('state_read', {}, { stateNamed: state })).answer).toMatchObject({ version: 2 });
    expect((await call(outside, 'state_read', {})).answer).toMatchObject({ error_code: 'VALIDATION_ERROR' });
  });

  it('says so where the variable was not filled in, or is no state', async () => {
    for (const [named, says] of [
      ['${WORKFLOW_STATE_ID}', 'was not filled in'],
      ['AUTH-1', 'is no state such as'],
    ] as const) {
      const { answer } = await call(world.open(world.data, { WORKFLOW_STATE_ID: named }), 'state_read', {});
      expect(answer).toMatchObject({ error_code: 'VALIDATION_ERROR', message: expect.stringContaining(says) });
      const session = await call(world.open(world.data, { WORKFLOW_STATE_ID: named }), 'state_read', {
        session: 'AUTH-1',
      });
      expect(session.answer).toMatchObject({ state_id: state });
    }
  });
});

it('is of the session that is named as well, or is refused', async () => {
  const requests = world.open();
  await call(requests, 'start_session', { session: 'AUTH-2' });
  const { writeToken = '' } = (await call(requests, 'state_read', { stateId: state, session: 'AUTH-1' })).answer;
  const operations = [{ op: 'add', path: '/x', value: 1 }];
  for (const named of [{ stateId: state }, { writeToken }]) {
    const refused = await call(requests, 'state_patch', { ...named, session: 'AUTH-2', operations });
    expect(refused.answer).toMatchObject({ error_code: 'TOKEN_SCOPE_MISMATCH' });
  }
  expect((await call(requests, 'state_read', { session: 'AUTH-1' })).answer).toMatchObject({ version: 1 });
});

it('tells whoever reads it of what clones have written beside it, and of a second one', async () => {
  const clone = world.clone(world.data, 'clone');
  const [here, there] = [world.open(), world.open(clone)];
  await there.people.addSchema({ name: 'any', json: true });
  for (const [one, value] of [
    [here, 1],
    [there, 2],
  ] as const) {
    await call(one, 'state_patch', { session: 'AUTH-1', operations: [{ op: 'add', path: `/${value}`, value }] });
    await call(one, 'state_create', { session: 'TWIN', schemaName: 'any', initialData: { value } });
  }
  mergeInto(world.data, clone);
  const merged = world.open();
  expect((await call(merged, 'state_read', { session: 'AUTH-1' })).answer['warnings']).toEqual([
    expect.stringMatching(/^written at the same time: v2-[0-9a-f]{12}; the next write merges it/u),
  ]);
  expect((await call(merged, 'state_read', { session: 'TWIN' })).answer['warnings']).toEqual([
    expect.stringMatching(/^another state of this session is open: wfstate_[0-9a-f]{12}; close one of them/u),
  ]);
});

it('has a smaller bound where the environment says so, and warns over half of it', async () => {
  const small = world.open(world.data, { WORKRAIL_STATE_BYTES: '100' });
  const add = (name: string, length: number): ReturnType<typeof call> =>
    call(small, 'state_patch', {
      session: 'AUTH-1',
      operations: [{ op: 'add', path: `/notes/${name}`, value: 'x'.repeat(length) }],
    });
  expect((await add('a', 10)).answer['warnings']).toEqual([]);
  expect((await add('b', 10)).answer['warnings']).toEqual(['it has 64 of at most 100 bytes']);
  expect((await add('c', 40)).answer).toMatchObject({ error_code: 'LIMIT_EXCEEDED' });
  // What somebody with more room has written can be read, and made smaller.
  await call(world.open(), 'state_patch', {
    session: 'AUTH-1',
    operations: [{ op: 'add', path: '/notes/d', value: 'x'.repeat(200) }],
  });
  expect((await add('e', 1)).answer).toMatchObject({ error_code: 'LIMIT_EXCEEDED' });
  const removed = await call(small, 'state_patch', {
    session: 'AUTH-1',
    operations: [{ op: 'replace', path: '/notes/d', value: 'x'.repeat(150) }],
  });
  expect(removed.answer).toMatchObject({ kind: 'state', version: 5 });
  const created = await call(small, 'state_create', {
    session: 'AUTH-2',
    schemaName: 'any',
    initialData: 'x'.repeat(99),
  });
  expect(created.answer).toMatchObject({ error_code: 'LIMIT_EXCEEDED' });
});

it('is merged by whoever asks for that, without a change of their own', async () => {
  const clone = world.clone(world.data, 'clone');
  const put = (at: string, data: string): ReturnType<typeof call> =>
    call(world.open(data), 'state_patch', { session: 'AUTH-1', operations: [{ op: 'add', path: at, value: 1 }] });
  await put('/here', world.data);
  await put('/there', clone);
  mergeInto(world.data, clone);
  const { people } = world.open();
  const merged = await people.mergeState({ session: 'AUTH-1' });
  expect(merged).toMatchObject({
    ok: true,
    value: { version: 3, current_data: { status: 'pending', notes: {}, here: 1, there: 1 }, conflicts: [] },
  });
  expect(await people.mergeState({ session: 'AUTH-1' })).toEqual(merged);
  await people.closeState({ session: 'AUTH-1' });
  expect(await people.mergeState({ session: 'AUTH-1' })).toMatchObject({ ok: false, error: { code: 'STATE_CLOSED' } });
});
