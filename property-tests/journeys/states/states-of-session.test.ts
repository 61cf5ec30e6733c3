import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { StatesOfSession } from '../../../src/contract/states-told.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, makeRequestsWorld, mergeInto, pairOf, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

const session = 'AUTH-1';
// Longer than what is done to it: of a short one its whole value would be recorded.
const document = { a: 1, text: 'It says much. '.repeat(20) };
let world: RequestsWorld;
let requests: Requests;
let stateId: string;

const patch = (operations: readonly JsonObject[], by = requests): ReturnType<typeof call> =>
  call(by, 'state_patch', { session, operations });
const told = async (): Promise<StatesOfSession['states']> => {
  const listed = await requests.people.statesOfSession({ session });
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value.states;
};

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 41 });
  world.writeWorkflow(
    'two',
    'workflow: wr.two\ntitle: Two\ndescription: D\nsteps:\n  - { id: one, title: One, prompt: p }\n  - { id: two, title: Two, prompt: p }\n',
  );
  requests = world.open(undefined, {}, 'terminal');
  await requests.people.addSchema({ name: 'any', json: { type: 'object' } });
  const made = await call(requests, 'state_create', { session, schemaName: 'any', initialData: document });
  stateId = textOf(made.answer['state_id']);
});
afterEach(() => world.close());

describe('the shared states of a session', () => {
  it('are told with two heads until somebody writes', async () => {
    const clone = makeRequestsWorld({ seed: 42 });
    try {
      mergeInto(clone.data, world.data);
      await patch([{ op: 'add', path: '/b', value: 1 }]);
      await patch([{ op: 'add', path: '/c', value: 1 }], clone.open());
      expect((await told())[0]?.heads).toHaveLength(1);
      mergeInto(world.data, clone.data);
      const [state] = await told();
      expect(state?.heads).toHaveLength(2);
      expect(state?.heads[0]).toBe(state?.etag);
      await patch([{ op: 'add', path: '/d', value: 1 }]);
      expect((await told())[0]).toMatchObject({ version: 4, heads: [expect.stringMatching(/^v4-/u)], conflicts: [] });
    } finally {
      await clone.close();
    }
  });

  it('are told with what they were forked from, and who closed them and why', async () => {
    await patch([{ op: 'add', path: '/b', value: 1 }]);
    const forked = await requests.people.forkState({ stateId, version: 1 });
    if (!forked.ok) throw new Error(forked.error.message);
    await requests.people.closeState({ stateId, reason: 'It is done.' });
    const states = await told();
    expect(states.map(({ state_id: id }) => id)).toEqual([stateId, forked.value.state_id]);
    expect(states[0]).toMatchObject({ status: 'closed', closed: { reason: 'It is done.', door: 'terminal' } });
    expect(states[1]).toMatchObject({ status: 'open', forked_from: { state_id: stateId } });
    expect(states[1]?.forked_from?.etag).toMatch(/^v1-/u);
    const head = await requests.people.readSessionHead({ session });
    expect(head.ok && head.value.states).toBe(2);
  });

  it('are none where there is none', async () => {
    await call(requests, 'start_session', { session: 'NONE-1' });
    const listed = await requests.people.statesOfSession({ session: 'NONE-1' });
    expect(listed.ok && listed.value.states).toEqual([]);
    const head = await requests.people.readSessionHead({ session: 'NONE-1' });
    expect(head.ok && 'states' in head.value).toBe(false);
  });
});

describe('a version of a state', () => {
  it('that could not be merged is told with what became of it, and each of one number on one page', async () => {
    const clone = makeRequestsWorld({ seed: 42 });
    try {
      mergeInto(clone.data, world.data);
      await patch([{ op: 'replace', path: '/a', value: 2 }]);
      await patch([{ op: 'replace', path: '/a', value: 3 }], clone.open());
      mergeInto(world.data, clone.data);
    } finally {
      await clone.close();
    }
    await patch([{ op: 'add', path: '/b', value: 1 }]);
    const [conflict = ''] = (await told())[0]?.conflicts ?? [];
    const open = await requests.people.readChange({ stateId, version: conflict });
    expect(open.ok && open.value).toMatchObject({ operations: [{ op: 'replace', path: '/a' }], set_aside: [] });
    expect(open.ok && 'settled' in open.value).toBe(false);
    await requests.people.settleConflict({ stateId, conflict, how: 'leave', reason: 'It is older.' });
    const after = await requests.people.readChange({ stateId, version: conflict });
    expect(after.ok && after.value.settled).toMatchObject({ how: 'leave', reason: 'It is older.', door: 'terminal' });

    const all = await requests.people.listVersions({ stateId });
    const versions = all.ok ? all.value.versions : [];
    const known = versions.map(({ etag }) => etag);
    const merge = versions.find(({ made }) => made === 'merge');
    expect(known).toEqual(expect.arrayContaining([merge?.from, ...(merge?.merged ?? [])]));
    const merged = await requests.people.readChange({ stateId, version: merge?.etag ?? '' });
    expect(merged.ok && merged.value.set_aside).toEqual([conflict]);
    const byPages: string[] = [];
    let before: number | undefined = 100;
    while (before !== undefined) {
      const page: Awaited<ReturnType<typeof requests.people.listVersions>> = await requests.people.listVersions({
        stateId,
        before,
        limit: 1,
      });
      if (!page.ok) throw new Error(page.error.message);
      byPages.push(...page.value.versions.map(({ etag }) => etag));
      before = page.value.next;
    }
    expect(byPages).toEqual(known);
  });

  it('is told with its operations, and the step that was reached when it was written', async () => {
    const before = await requests.people.readChange({ stateId, version: 1 });
    expect(before.ok && before.value).toEqual({
      state_id: stateId,
      etag: expect.stringMatching(/^v1-/u),
      operations: [],
      set_aside: [],
    });
    const begun = await call(requests, 'start_workflow', { workflowId: 'wr.two', session, mode: 'auto_never_stop' });
    const operations = [
      { op: 'test', path: '/a', value: 1 },
      { op: 'replace', path: '/a', value: 2 },
    ];
    await patch(operations);
    await call(requests, 'continue_workflow', { ...pairOf(begun.answer), output: { notesMarkdown: 'Done.' } });
    await patch([{ op: 'remove', path: '/a' }]);
    const second = await requests.people.readChange({ stateId, version: 2 });
    expect(second.ok && second.value).toMatchObject({ operations, step: { title: 'One' } });
    const third = await requests.people.readChange({ stateId, version: 3 });
    expect(third.ok && third.value).toMatchObject({ step: { title: 'Two' } });
    const unknown = await requests.people.readChange({ stateId, version: 4 });
    expect(unknown.ok ? '' : unknown.error.code).toBe('NOT_FOUND');
  });

  it('has the schema that it was written under', async () => {
    await requests.people.addSchema({ name: 'strict', json: { type: 'object', required: ['a'] } });
    await requests.people.migrateState({
      stateId,
      schemaName: 'strict',
      schemaVersion: undefined,
      operations: undefined,
    });
    const [first, newest] = [
      await requests.people.stateSchema({ stateId, version: 1 }),
      await requests.people.stateSchema({ stateId }),
    ];
    expect(first.ok && first.value).toMatchObject({ name: 'any', json_schema: { type: 'object' } });
    expect(newest.ok && newest.value).toMatchObject({ name: 'strict', json_schema: { required: ['a'] } });
  });
});
