import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionId } from '../../base/ids.js';
import { makeWorld, note, notes, type World } from '../../../property-tests/worlds/log-world.js';
import type { DataRoot } from '../../machine/data-root.js';
import { openStaging, type StagedFolder } from './import-staging.js';
import { copySession, relocateSession } from './relocate-session.js';
import { sessionFolder } from '../segments/session-folder.js';

const id = 'ses_example' as SessionId;
const now = new Date('2026-01-02T03:04:05.678Z');
let world: World;
let goal: DataRoot;
beforeEach(() => {
  world = makeWorld(id);
  goal = { kind: 'given', folder: join(world.folder, 'goal') };
});
afterEach(() => world.close());

let stagings = 0;
const mark = (): string => `mark${(stagings += 1)}`;
const stage = (): StagedFolder => openStaging(goal, mark());
const textsAt = async (root: DataRoot): Promise<readonly string[]> =>
  (await world.log({ roots: [root], newSessions: root }).verify()).state.texts;

async function relocate(between: () => Promise<unknown>, evenGrown: boolean): ReturnType<typeof relocateSession> {
  const staging = stage();
  try {
    const copied = await copySession(sessionFolder(world.root, id), staging);
    await between();
    return await relocateSession({
      id,
      from: world.root,
      to: goal,
      staging,
      copied,
      evenGrown,
      now,
      mark,
    });
  } finally {
    staging.discard();
  }
}

it('moves every line, and leaves nothing where it was', async () => {
  const log = world.log({ lock: 'off' });
  for (const text of ['one', 'two']) await log.append(notes(text));
  expect(await relocate(() => Promise.resolve(), false)).toEqual({ ok: true, value: undefined });
  expect(await textsAt(goal)).toEqual(['one', 'two']);
  expect(existsSync(sessionFolder(world.root, id).folder)).toBe(false);
  expect(await log.append(notes('three'))).toMatchObject({ ok: true });
});

it('wants to copy again what grew meanwhile, or takes along what was acknowledged after the copy', async () => {
  const log = world.log({ lock: 'off' });
  await log.append(notes('one'));
  expect(await relocate(() => log.append(notes('two')), false)).toEqual({ ok: false, error: 'grew' });
  expect(existsSync(sessionFolder(goal, id).folder)).toBe(false);
  const other = world.log({ lock: 'off' });
  expect(
    await relocate(async () => {
      expect(await log.append(notes('three'))).toMatchObject({ ok: true });
      expect(await other.append(notes('four'))).toMatchObject({ ok: true });
    }, true),
  ).toMatchObject({ ok: true });
  expect(await textsAt(goal)).toEqual(['one', 'two', 'three', 'four']);
});

it('acknowledges nothing that is written after the original was taken away', async () => {
  const log = world.log({ lock: 'off' });
  await log.append(notes('one'));
  const staging = stage();
  const copied = await copySession(sessionFolder(world.root, id), staging);
  let relocated: ReturnType<typeof relocateSession> | undefined;
  const late = await log.append(() => {
    relocated = relocateSession({
      id,
      from: world.root,
      to: goal,
      staging,
      copied,
      evenGrown: true,
      now,
      mark,
    });
    return { answer: '', events: [note('late')] };
  });
  expect(await relocated).toMatchObject({ ok: true });
  staging.discard();
  expect(late).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
  expect(await textsAt(goal)).toEqual(['one']);
});
