import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { ChangesOfState } from '../../../src/contract/state-messages.js';
import type { Requests } from '../../../src/requests/requests.js';
import { type Heard, listen, type Listener, serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { call, makeRequestsWorld, mergeInto, type RequestsWorld, textOf } from '../../worlds/requests-world.js';
import { runs } from '../../worlds/runs-of-law.js';
import { StateFollower } from '../../worlds/state-follower.js';
import { withinLimits } from '../../worlds/within-limits.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const run = promisify(execFile);

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let state: string;
const listeners: Listener[] = [];

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 33 });
  requests = world.open();
  served = await serveRequests(requests);
  for (const name of ['any', 'other']) await requests.people.addSchema({ name, json: { title: name } });
  const initialData = { count: 0, list: [], shared: {} };
  const made = await call(requests, 'state_create', { schemaName: 'any', initialData, session: 'LIVE-1' });
  state = textOf(made.answer['state_id']);
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close();
  await served.close();
  await world.close();
});

async function hear(lastId?: string, query = ''): Promise<Listener> {
  const listener = await listen(`${served.origin}/workflow-states/${state}/stream${query}`, lastId);
  listeners.push(listener);
  await listener.until((heard) => heard.some(({ event }) => event === 'ready'));
  return listener;
}
const patch = (path: string, value: unknown, by = requests): ReturnType<typeof call> =>
  call(by, 'state_patch', { session: 'LIVE-1', operations: [{ op: 'add', path, value } as JsonObject] });
const told = async (version: string): Promise<JsonObject> =>
  (await (await served.get(`/workflow-states/${state}/versions/${version}`)).json()) as JsonObject;
const etagNow = async (): Promise<string> =>
  textOf(((await (await served.get(`/workflow-states/${state}`)).json()) as JsonObject)['etag']);
const reaches = (etag: string) => (heard: readonly Heard[]) =>
  heard.some(({ data }) => (data as JsonObject)['etag'] === etag);
const kinds = ({ heard }: Pick<Listener, 'heard'>): readonly string[] => heard.map(({ event }) => event);

/** Another process. */
const cli = async (...words: string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [main, ...words, '--data-dir', world.data], {
    cwd: world.folder,
    env: {
      ...process.env,
      HOME: world.folder,
      XDG_CONFIG_HOME: join(world.folder, 'config'),
      XDG_DATA_HOME: join(world.folder, 'user'),
    },
  });

describe('a shared state, live', () => {
  it('is told whole, then version by version, whoever writes; the operations make each version of the one before', async () => {
    const listener = await hear();
    await patch('/count', 1);
    await cli('state', 'patch', 'LIVE-1', '[{"op":"add","path":"/list/-","value":"x"}]');
    await cli('state', 'set', 'LIVE-1', '{"count":3,"list":[],"shared":{"a":{"b":1}}}');
    await patch('/shared/a/c', [1, 2]);
    const last = await etagNow();
    await listener.until(reaches(last));
    const follower = new StateFollower().hearAll(listener.heard);
    expect(follower.seen.map(({ etag }) => etag.split('-')[0])).toEqual(['v1', 'v2', 'v3', 'v4', 'v5']);
    for (const { etag, value } of follower.seen) expect((await told(etag))['current_data']).toEqual(value);
    expect(listener.heard[0]).toMatchObject({ event: 'ready', data: { reset: false } });
    expect(listener.heard[3]!.data).toMatchObject({
      event_type: 'workflow_state_updated',
      state_id: state,
      version: 3,
      made: 'patch',
      updated_by_session: 'LIVE-1',
      door: 'terminal',
      operations: [{ op: 'add', path: '/list/-', value: 'x' }],
    });
  });

  it('goes on after a break with each version that was missed, once, also on a server that began since', async () => {
    const first = await hear();
    await patch('/count', 1);
    await first.until(reaches(await etagNow()));
    const id = first.lastId();
    first.close();
    for (const count of [2, 3, 4]) await patch('/count', count);
    await served.close();
    requests = world.open();
    served = await serveRequests(requests);
    const second = await hear(id);
    await patch('/count', 5);
    await second.until(reaches(await etagNow()));
    const follower = new StateFollower().hearAll([...first.heard, ...second.heard]);
    expect([follower.snapshots, follower.seen.map(({ etag }) => etag.split('-')[0])]).toEqual([
      1,
      ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'],
    ]);
    const third = await hear(undefined, `?since=${follower.etag}`);
    expect(kinds(third)).toEqual(['ready']);
    for (const wrong of ['v3-000000000000', 'nonsense', 'v1']) {
      const anew = await hear(wrong);
      await anew.until(reaches(await etagNow()));
      expect([wrong, anew.heard[0]!.data, kinds(anew)]).toEqual([
        wrong,
        { reset: true },
        ['ready', 'workflow_state_snapshot'],
      ]);
    }
  });

  it('tells what was missed also where memory and one answer hold only a part of it', async () => {
    withinLimits({ keptStateAfter: 60, keptStateTimes: 0, missedVersions: 3, missedBytes: 100 });
    const from = await etagNow();
    for (let count = 1; count <= 12; count += 1) await patch('/count', count);
    const listener = await hear(from);
    await listener.until(reaches(await etagNow()));
    const versions = listener.heard.flatMap(({ event, data }) =>
      event === 'workflow_state_updated' ? [(data as JsonObject)['version']] : [],
    );
    expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('tells of merges, conflicts, another schema and the end, and does not tell them again', async () => {
    const clone = world.clone(world.data, 'clone');
    const theirs = world.open(clone);
    const listener = await hear();
    await patch('/shared/k', 'mine');
    await patch('/shared/k', 'theirs', theirs);
    await patch('/shared/other', 'theirs', theirs);
    mergeInto(world.data, clone);
    await patch('/count', 9);
    await listener.until((heard) => kinds({ heard }).includes('workflow_state_conflicts'));
    const head = (await (await served.get(`/workflow-states/${state}`)).json()) as JsonObject;
    await requests.people.settleConflict({
      stateId: state,
      conflict: textOf((head['conflicts'] as string[])[0]!),
      how: 'apply',
    });
    await requests.people.migrateState({ stateId: state, schemaName: 'other' });
    await requests.people.closeState({ stateId: state, reason: 'done' });
    await listener.until((heard) => kinds({ heard }).includes('workflow_state_closed'));
    const follower = new StateFollower().hearAll(listener.heard);
    for (const { etag, value } of follower.seen) expect((await told(etag))['current_data']).toEqual(value);
    const updates = listener.heard.flatMap(({ event, data }) =>
      event === 'workflow_state_updated' ? [data as JsonObject] : [],
    );
    expect(updates.filter(({ includes }) => includes !== undefined).length).toBeGreaterThan(0);
    expect(updates.at(-1)).toMatchObject({ made: 'migrate', schema_name: 'other', schema_version: 1 });
    expect(follower.beside).toMatchObject([
      { event_type: 'workflow_state_conflicts', conflicts: head['conflicts'] },
      { event_type: 'workflow_state_conflicts', conflicts: [] },
      { event_type: 'workflow_state_closed', reason: 'done' },
    ]);
    const again = await hear(listener.lastId());
    await requests.people.addNote({ session: 'LIVE-1', text: 'later' });
    expect(kinds(again)).toEqual(['ready']);
    const plain = await hear(undefined, `?since=${follower.etag}`);
    await plain.until((heard) => kinds({ heard }).includes('workflow_state_closed'));
  });

  it('waits for a session that a checkout took away', async () => {
    const listener = await hear();
    await listener.until((heard) => kinds({ heard }).includes('workflow_state_snapshot'));
    const folder = join(world.data, 'sessions', 'LIVE-1');
    renameSync(folder, join(world.folder, 'away'));
    await listener.until((heard) => kinds({ heard }).includes('workflow_state_gone'));
    renameSync(join(world.folder, 'away'), folder);
    await cli('state', 'patch', 'LIVE-1', '[{"op":"add","path":"/count","value":1}]');
    await listener.until((heard) => kinds({ heard }).includes('workflow_state_updated'));
    expect(kinds(listener)).toEqual([
      'ready',
      'workflow_state_snapshot',
      'workflow_state_gone',
      'workflow_state_updated',
    ]);
  });

  it('whoever reads in pieces comes to what whoever reads at once comes to, and to what GET says, over clones and merges', async () => {
    const clone = world.clone(world.data, 'far');
    const theirs = world.open(clone);
    const here = ['own', 'list', 'whole'] as const;
    const turn = fc.oneof(
      fc.record({ do: fc.constantFrom(...here), far: fc.boolean(), to: fc.nat(3) }),
      fc.record({ do: fc.constantFrom('merge' as const, 'break' as const), far: fc.boolean(), to: fc.nat(3) }),
    );
    const through = await hear();
    const follower = new StateFollower();
    let [count, last] = [0, undefined as string | undefined];
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 3, maxLength: 12 }), async (turns) => {
        for (const { do: what, far, to } of turns) {
          count += 1;
          const by = far ? theirs : requests;
          if (what === 'own') await patch(`/shared/${far ? 'f' : 'h'}${to}`, count, by);
          if (what === 'list') await patch(to === 0 ? '/list/0' : '/list/-', count, by);
          if (what === 'whole') {
            const data = { count, list: [], shared: {} };
            await call(by, 'state_update', { session: 'LIVE-1', data });
          }
          if (what === 'merge') mergeInto(far ? clone : world.data, far ? world.data : clone);
          if (what !== 'break') continue;
          // Cut off, and back again.
          const now = await etagNow();
          if (now === follower.etag) continue;
          const piece = await hear(last);
          await piece.until(reaches(now));
          follower.hearAll(piece.heard);
          last = piece.lastId();
          piece.close();
          expect(follower.etag).toBe(now);
          expect(follower.value).toEqual((await told(now))['current_data']);
        }
      }),
      { ...runs(8), endOnFailure: true },
    );
    await patch('/count', 'the end');
    const end = await etagNow();
    await through.until(reaches(end));
    const whole = new StateFollower().hearAll(through.heard);
    for (const { etag, value } of whole.seen) expect((await told(etag))['current_data']).toEqual(value);
    expect([whole.etag, whole.snapshots, follower.snapshots]).toEqual([end, 1, follower.seen.length > 0 ? 1 : 0]);
  });
});

describe('what was written since', () => {
  const changes = async (query: string): Promise<ChangesOfState & JsonObject> =>
    (await (await served.get(`/workflow-states/${state}/changes${query}`)).json()) as ChangesOfState & JsonObject;

  it('is told at once where there is something, and waited for where there is nothing', async () => {
    expect(await changes('?since=1')).toMatchObject({ version: 1, status: 'open', changes: [], upToDate: true });
    const waiting = changes('?wait=40');
    await cli('state', 'patch', 'LIVE-1', '[{"op":"add","path":"/count","value":1}]');
    const came = await waiting;
    expect(came).toMatchObject({ version: 2, changes: [{ version: 2, operations: [{ path: '/count' }] }] });
    await patch('/count', 2);
    const next = await changes(`?since=${came.etag}&wait=40`);
    expect(next.changes.map(({ version }) => version)).toEqual([3]);
    expect((await changes('?since=1&wait=40')).changes).toHaveLength(2);
    expect(await changes('?since=9')).toMatchObject({ error_code: 'NOT_FOUND' });
    expect(await changes('?wait=46')).toMatchObject({ error_code: 'VALIDATION_ERROR' });
    expect(await changes('?wait=1')).toMatchObject({ changes: [], upToDate: true });
    await requests.people.closeState({ stateId: state });
    expect(await changes('?wait=40')).toMatchObject({ status: 'closed', changes: [] });
  });

  it('can be waited for on the command line, until something stands where it should', async () => {
    const waiting = cli('state', 'wait', 'LIVE-1', '--until', '/shared/status="ready"', '--timeout', '60', '--json');
    await patch('/count', 1);
    await patch('/shared/status', 'ready');
    const { why, state: seen } = JSON.parse((await waiting).stdout) as JsonObject;
    expect([why, (seen as JsonObject)['version']]).toEqual([undefined, 3]);
    const next = await cli('state', 'wait', 'LIVE-1', '--since', '2', '--until', '/shared/status=ready');
    expect(JSON.parse(next.stdout)).toEqual({ count: 1, list: [], shared: { status: 'ready' } });
    await expect(cli('state', 'wait', 'LIVE-1', '--timeout', '1')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did not come within 1 second') as string,
    });
    await expect(cli('state', 'wait', 'LIVE-1', '--until', 'status')).rejects.toMatchObject({ code: 2 });
    await cli('state', 'close', 'LIVE-1');
    await expect(cli('state', 'wait', 'LIVE-1')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is closed') as string,
    });
  });
});
