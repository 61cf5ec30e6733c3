import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../../base/ids.js';
import { makeWorld, note, notes, type World } from '../../../property-tests/worlds/log-world.js';
import { marksOf, sameMarks, sessionFolder } from '../segments/session-folder.js';
import { forgetSession, lookIntoTrash, moveToTrash } from './trash.js';

const id = 'ses_example' as SessionId;
const now = new Date('2026-01-02T03:04:05.678Z');
let world: World;
beforeEach(() => {
  world = makeWorld(id);
});
afterEach(() => world.close());
const folder = (): string => sessionFolder(world.root, id).folder;

describe('moveToTrash', () => {
  it.each(['held', 'new'])(
    'takes a session from under an append that has been decided and not yet written: it is not acknowledged (segment: %s)',
    async (segment) => {
      const log = world.log({ lock: 'off' });
      await log.append(notes('one'));
      // A cold process has no segment of its own yet, and would make one.
      const writer = segment === 'held' ? log : world.log({ lock: 'off' });
      const done = await writer.append(() => {
        moveToTrash(world.root, id, now, 'mark');
        return { answer: '', events: [note('two')] };
      });
      expect(done).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
      expect(existsSync(folder())).toBe(false);
      expect((await world.log().read()).state.texts).toEqual([]);
    },
  );

  it('shows a write that came in before it, so that it can be undone', async () => {
    const log = world.log({ lock: 'off' });
    await log.append(notes('one'));
    const before = marksOf(sessionFolder(world.root, id));
    expect(await log.append(notes('two'))).toMatchObject({ ok: true });
    const trashed = moveToTrash(world.root, id, now, 'mark');
    expect(sameMarks(before, marksOf(trashed.at))).toBe(false);
    trashed.putBack();
    expect((await world.log().read()).state.texts).toEqual(['one', 'two']);
    // Whoever held it goes on as if nothing had been.
    expect(await log.append(notes('three'))).toMatchObject({ ok: true });
    expect(readdirSync(join(folder(), 'segments'))).toHaveLength(1);
  });

  it('puts back into a session that was begun anew meanwhile', async () => {
    await world.log({ lock: 'off' }).append(notes('one'));
    const trashed = moveToTrash(world.root, id, now, 'mark');
    await world.log({ lock: 'off' }).append(notes('anew'));
    trashed.putBack();
    expect((await world.log().read()).state.texts.toSorted()).toEqual(['anew', 'one']);
    expect(existsSync(trashed.at.folder)).toBe(false);
  });

  it('leaves nothing that a session begun anew would go on from', async () => {
    const log = world.log({ lock: 'off' });
    await log.append(notes('one'));
    log.letGo();
    moveToTrash(world.root, id, now, 'mark');
    forgetSession(world.root, id);
    await log.append(notes('anew'));
    const { state, findings } = await world.log().verify();
    expect({ texts: state.texts, findings }).toEqual({ texts: ['anew'], findings: [] });
  });
});

describe('lookIntoTrash', () => {
  it('deletes what has rested, and nothing that was moved a moment ago', async () => {
    for (const mark of ['a', 'b']) {
      await world.log({ lock: 'off' }).append(notes(mark));
      moveToTrash(world.root, id, mark === 'a' ? now : new Date(now.getTime() + 50_000), mark);
    }
    const later = new Date(now.getTime() + 55_000);
    expect(lookIntoTrash(world.root, later, false)).toMatchObject({ sessions: 1 });
    expect(lookIntoTrash(world.root, later, true)).toMatchObject({ sessions: 1 });
    expect(readdirSync(join(world.root.folder, 'local', 'trash'))).toHaveLength(1);
    // What is no entry of ours is not ours to delete.
    mkdirSync(join(world.root.folder, 'local', 'trash', 'mine'));
    expect(lookIntoTrash(world.root, new Date(now.getTime() + 100_000), true)).toMatchObject({ sessions: 1 });
    expect(readdirSync(join(world.root.folder, 'local', 'trash'))).toEqual(['mine']);
  });
});
