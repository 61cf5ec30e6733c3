import type * as Fs from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

const listed = vi.hoisted(() => [] as string[]);
vi.mock('node:fs', async (importOriginal) =>
  (await import('../../worlds/watched-disk.js')).watchedDisk(
    await importOriginal<typeof Fs>(),
    ['readdirSync'],
    (_, folder) => listed.push(String(folder)),
  ),
);

let world: RequestsWorld;
let requests: Requests;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 13 });
  requests = world.open();
  for (const session of ['FIND-1', 'FIND-12', 'Team notes / 2026']) await call(requests, 'start_session', { session });
});
afterAll(() => world.close());

/** How often the folder of all sessions is listed while one is looked for. */
async function listings(session: string): Promise<number> {
  listed.length = 0;
  const found = await requests.people.readSessionHead({ session });
  expect(found.ok, session).toBe(true);
  return listed.filter((folder) => basename(folder) === 'sessions').length;
}

test('a session that is asked for by its id or key is found without listing all of them', async () => {
  expect(await listings('FIND-1')).toBe(0);
  expect(await listings('Team notes / 2026')).toBe(0);
  expect(await listings('find-12')).toBe(1);
});

test('one that begins so is found by listing them', async () => {
  expect(await listings('team-notes')).toBeGreaterThan(0);
});
