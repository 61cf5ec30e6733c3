import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/base/ids.js';
import { placeOf } from '../../../src/log/files/file-ref.js';
import type { DataRoot } from '../../../src/machine/data-root.js';
import { makeWorld, notes } from '../../worlds/log-world.js';

const id = 'ses_example' as SessionId;

test('lines that git took away while they were written come along with a move', async () => {
  const world = makeWorld(id);
  try {
    const goal: DataRoot = { kind: 'given', folder: join(world.folder, 'goal') };
    mkdirSync(goal.folder);
    const store = world.store({ roots: [world.root, goal], lock: 'off' });
    const from = { id, place: placeOf(world.root) };
    const [session, aside] = [join(world.root.folder, 'sessions', id), join(world.folder, 'aside')];
    await store.open(from).append(notes('one'));
    cpSync(session, aside, { recursive: true });
    expect(await store.open(from).append(notes('two'))).toMatchObject({ ok: true });
    rmSync(session, { recursive: true });
    cpSync(aside, session, { recursive: true });
    const check = () => Promise.resolve({ ok: true, value: undefined } as const);
    const moved = await store.folders.move({ from, to: placeOf(goal), now: new Date(), check });
    expect(moved).toMatchObject({ ok: true });
    expect((await world.log({ roots: [goal], newSessions: goal }).verify()).state.texts).toEqual(['one', 'two']);
  } finally {
    await world.close();
  }
});
