import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventBatch } from '../../../src/contract/event-told.js';
import type { LiveMessages } from '../../../src/contract/live-messages.js';
import type { SessionsPage } from '../../../src/contract/session-list.js';
import type { Requests } from '../../../src/requests/requests.js';
import { type Heard, listen, type Listener, serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { call, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const run = promisify(execFile);

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
const listeners: Listener[] = [];

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 3 });
  requests = world.open();
  await call(requests, 'start_session', { session: 'LIVE-1', title: 'Watched' });
  served = await serveRequests(requests);
});

afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close();
  await served.close();
  await world.close();
});

async function hear(path: string, lastId?: string): Promise<Listener> {
  const listener = await listen(`${served.origin}${path}`, lastId);
  listeners.push(listener);
  await listener.until((heard) => heard.some(({ event }) => event === 'ready'));
  return listener;
}

/** Another process writes; gives back how long that took, which says how busy the machine is. */
async function note(text: string, session = 'LIVE-1'): Promise<number> {
  const began = performance.now();
  await run(process.execPath, [main, 'note', session, text, '--data-dir', world.data], {
    cwd: world.folder,
    env: {
      ...process.env,
      HOME: world.folder,
      XDG_CONFIG_HOME: join(world.folder, 'config'),
      XDG_DATA_HOME: join(world.folder, 'user'),
    },
  });
  return performance.now() - began;
}

const eventsIn = (heard: readonly Heard[]): EventBatch['events'] =>
  heard.filter(({ event }) => event === 'events').flatMap(({ data }) => (data as EventBatch).events);
const notesIn = (heard: readonly Heard[]): readonly string[] =>
  eventsIn(heard).flatMap(({ kind, data }) => (kind === 'note_added' ? [textOf(data['text'])] : []));
const headsIn = (heard: readonly Heard[]): readonly LiveMessages['session'][] =>
  heard.filter(({ event }) => event === 'session').map(({ data }) => data as LiveMessages['session']);
const segments = (): string => join(world.data, 'sessions', 'LIVE-1', 'segments');

describe('one session, live', () => {
  it('tells what another process writes, sooner than three more could write', async () => {
    const listener = await hear('/api/sessions/LIVE-1/live');
    const taken = await note('from elsewhere');
    const written = performance.now();
    await listener.until((heard) => notesIn(heard).includes('from elsewhere'));
    expect(performance.now() - written).toBeLessThan(3 * taken);
  });

  it('goes on after a break without loss or repeats, also after the server was another one meanwhile', async () => {
    const first = await hear('/api/sessions/LIVE-1/live?from=start');
    await note('one');
    await first.until((heard) => notesIn(heard).includes('one'));
    const firstId = first.lastId();
    first.close();
    await note('two');
    await served.close();
    served = await serveRequests(world.open());
    await note('three');
    const second = await hear('/api/sessions/LIVE-1/live', firstId);
    await note('four');
    await second.until((heard) => notesIn(heard).includes('four'));
    expect(second.heard.find(({ event }) => event === 'ready')?.data).toEqual({ reset: false });
    expect([...notesIn(first.heard), ...notesIn(second.heard)]).toEqual(['one', 'two', 'three', 'four']);
    const sums = [...eventsIn(first.heard), ...eventsIn(second.heard)].map(({ event }) => event);
    expect(new Set(sums).size).toBe(sums.length);
  });

  it('says that it must begin anew where the place is none that it gave', async () => {
    for (const id of ['nonsense', '{"told":1}', '{}', Buffer.from('x').toString('base64url')]) {
      const listener = await hear('/api/sessions/LIVE-1/live', id);
      expect({ id, ready: listener.heard[0] }).toEqual({
        id,
        ready: { event: 'ready', id: undefined, data: { reset: true } },
      });
      listener.close();
    }
  });

  it('goes on through what git does: a file that grew is replaced, one comes, and a checkout takes all away and brings it back', async () => {
    const clone = world.clone(world.data, 'clone');
    const theirs = world.open(clone);
    const listener = await hear('/api/sessions/LIVE-1/live?from=start');
    await theirs.people.addNote({ session: 'LIVE-1', text: 'in the clone' });
    await note('here meanwhile');
    const from = join(clone, 'sessions', 'LIVE-1', 'segments');
    for (const name of readdirSync(from)) {
      writeFileSync(join(segments(), `${name}.new`), readFileSync(join(from, name)));
      renameSync(join(segments(), `${name}.new`), join(segments(), name));
    }
    await listener.until((heard) => ['in the clone', 'here meanwhile'].every((text) => notesIn(heard).includes(text)));
    const folder = join(world.data, 'sessions', 'LIVE-1');
    renameSync(folder, join(world.folder, 'away'));
    await listener.until((heard) => heard.some(({ event, data }) => event === 'events' && (data as EventBatch).gone));
    renameSync(join(world.folder, 'away'), folder);
    await note('and after');
    await listener.until((heard) => notesIn(heard).includes('and after'));
    expect(notesIn(listener.heard).toSorted()).toEqual(['and after', 'here meanwhile', 'in the clone']);
    const sums = eventsIn(listener.heard).map(({ event }) => event);
    expect(new Set(sums).size).toBe(sums.length);
  });
});

describe('all sessions, live', () => {
  it('tells which one changes, sooner than three more could write, with its head as it is now', async () => {
    const listener = await hear('/api/events');
    const taken = await note('seen from afar');
    const written = performance.now();
    await listener.until((heard) => headsIn(heard).some(({ head }) => head?.eventCount === 2));
    expect(performance.now() - written).toBeLessThan(3 * taken);
    await run(process.execPath, [main, 'note', 'LIVE-1', 'another', '--data-dir', world.data], {
      cwd: world.folder,
      env: { ...process.env, HOME: world.folder, XDG_CONFIG_HOME: join(world.folder, 'config') },
    });
    await listener.until((heard) => headsIn(heard).some(({ head }) => head?.eventCount === 3));
  });

  it('tells of a session that comes and of one that goes, and the list agrees', async () => {
    const listener = await hear('/api/events');
    const other = world.open();
    await call(other, 'start_session', { session: 'LIVE-2', title: 'New' });
    await listener.until((heard) => headsIn(heard).some(({ sessionId, gone }) => sessionId === 'LIVE-2' && !gone));
    expect(
      ((await (await served.get('/api/sessions')).json()) as SessionsPage).sessions
        .map(({ sessionId }) => sessionId)
        .toSorted(),
    ).toEqual(['LIVE-1', 'LIVE-2']);
    rmSync(join(world.data, 'sessions', 'LIVE-2'), { recursive: true });
    await listener.until((heard) => headsIn(heard).some(({ sessionId, gone }) => sessionId === 'LIVE-2' && gone));
    expect(
      ((await (await served.get('/api/sessions')).json()) as SessionsPage).sessions.map(({ sessionId }) => sessionId),
    ).toEqual(['LIVE-1']);
  });

  it('goes on after a break with each session that changed meanwhile, once, as it is now', async () => {
    const first = await hear('/api/events');
    await note('before');
    await first.until((heard) => headsIn(heard).some(({ head }) => head?.eventCount === 2));
    const id = first.lastId();
    first.close();
    for (const text of ['while away', 'and again']) await requests.people.addNote({ session: 'LIVE-1', text });
    const second = await hear('/api/events', id);
    await second.until((heard) => headsIn(heard).length > 0);
    expect(second.heard[0]!.data).toEqual({ reset: false });
    expect(headsIn(second.heard).map(({ head }) => head?.eventCount)).toEqual([4]);
    // Nothing is told twice.
    const third = await hear('/api/events', second.lastId());
    await note('last');
    await third.until((heard) => headsIn(heard).length > 0);
    expect(headsIn(third.heard).map(({ head }) => head?.eventCount)).toEqual([5]);
  });

  it('says to begin anew where the place is of a server before it', async () => {
    for (const id of ['0123456789ab.4', 'nonsense', '']) {
      const listener = await hear('/api/events', id);
      expect({ id, ready: listener.heard[0]!.data }).toEqual({ id, ready: { reset: true } });
      listener.close();
    }
  });
});

describe('the end of the server', () => {
  it('ends every stream with a word, and does not wait for them', async () => {
    const [one, all] = [await hear('/api/sessions/LIVE-1/live'), await hear('/api/events')];
    await served.close();
    await Promise.all([one.ended, all.ended]);
    for (const listener of [one, all]) expect(listener.heard.at(-1)?.event).toBe('stopped');
    served = await serveRequests(requests);
  });
});
