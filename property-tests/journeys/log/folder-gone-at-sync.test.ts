import { rmSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { SessionId } from '../../../src/base/ids.js';
import { makeWorld, notes } from '../../worlds/log-world.js';

/** What happens just before a folder is opened to be synced, once. */
const before = vi.hoisted(() => ({ sync: undefined as (() => void) | undefined }));
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  return {
    ...fs,
    openSync: (...[path, flags, mode]: Parameters<typeof Fs.openSync>) => {
      if (typeof flags === 'number' && (flags & fs.constants.O_DIRECTORY) !== 0 && String(path).endsWith('segments')) {
        const { sync } = before;
        before.sync = undefined;
        sync?.();
      }
      return fs.openSync(path, flags, mode);
    },
  };
});

test.each(['it is read', 'a new segment is written'])(
  'a folder that git takes before it is synced, when %s, is told as gone and not as a fault',
  async (when) => {
    const world = makeWorld();
    try {
      const session = join(world.root.folder, 'sessions', 'ses_example');
      const ref = { id: 'ses_example' as SessionId, place: { kind: 'given', name: world.root.folder } } as const;
      const store = world.store({ lock: 'off' });
      const begun = await store.open(ref).append(notes('One.'));
      expect(begun.ok).toBe(true);
      const other = world.store({ lock: 'off' });
      if (when === 'a new segment is written') {
        expect(await other.open(ref).confirm()).toBeUndefined();
        await store.open(ref).append(notes('More.'));
        expect(await other.open(ref).confirm()).toBeUndefined();
      }
      before.sync = () => rmSync(session, { recursive: true });
      const done = await other.open(ref).append(notes('Two.'));
      expect(before.sync).toBeUndefined();
      expect(done).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
      await store.close();
      await other.close();
    } finally {
      await world.close();
    }
  },
);
