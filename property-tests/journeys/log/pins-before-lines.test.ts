import type * as Fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { sha256Hex } from '../../../src/base/digest.js';
import type { WorkflowHash } from '../../../src/base/ids.js';
import { makeWorld, note } from '../../worlds/log-world.js';

/** What was done to the disk, in order: folders made, folders and files synced, files written to. */
const disk = vi.hoisted(() => ({
  done: [] as { readonly did: 'made' | 'synced' | 'wrote'; readonly path: string }[],
  open: new Map<number, string>(),
}));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  const synced = (fd: number): void => {
    fs.fsyncSync(fd);
    disk.done.push({ did: 'synced', path: disk.open.get(fd) ?? '' });
  };
  return {
    ...fs,
    openSync: ((path: string, ...rest: [number | string, number?]) => {
      const fd = fs.openSync(path, ...rest);
      disk.open.set(fd, path);
      return fd;
    }) as typeof fs.openSync,
    mkdirSync: ((path: string, options?: object) => {
      const made = fs.mkdirSync(path, options);
      disk.done.push({ did: 'made', path });
      return made;
    }) as typeof fs.mkdirSync,
    fsyncSync: synced,
    fdatasyncSync: synced,
    writeSync: ((fd: number, ...rest: [Uint8Array, number, number]) => {
      disk.done.push({ did: 'wrote', path: disk.open.get(fd) ?? '' });
      return fs.writeSync(fd, ...rest);
    }) as typeof fs.writeSync,
  };
});

describe('the first append of a session', () => {
  // Found by the scenario crash-states: a line that named a pin could outlive the name of the folder that held it.
  test('comes after the pin that it names, and after every name that leads to that pin', async () => {
    const world = makeWorld();
    const text = '{"a":"pin"}';
    const hash = sha256Hex(text) as WorkflowHash;
    const done = await world.log().append(() => ({ answer: '', events: [note('one')], pins: [{ hash, text }] }));
    expect(done.ok).toBe(true);
    const session = join(world.root.folder, 'sessions', world.log().id);
    const written = disk.done.findIndex(
      ({ did, path }) => did === 'wrote' && dirname(path) === join(session, 'segments'),
    );
    expect(written).toBeGreaterThan(0);
    const before = disk.done.slice(0, written);
    for (const folder of [join(session, 'pins'), session, join(world.root.folder, 'sessions')]) {
      const made = before.findIndex(({ did, path }) => did === 'made' && path === folder);
      const synced = before.findLastIndex(({ did, path }) => did === 'synced' && path === dirname(folder));
      expect(made, folder).toBeGreaterThanOrEqual(0);
      expect(synced, dirname(folder)).toBeGreaterThan(made);
    }
    expect(before.findLastIndex(({ did, path }) => did === 'synced' && path === join(session, 'pins'))).toBeGreaterThan(
      0,
    );
    await world.close();
  });
});
