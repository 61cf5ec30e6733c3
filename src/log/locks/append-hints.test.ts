import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorld, notes, type World } from '../../../property-tests/worlds/log-world.js';
import { limits } from '../../base/limits.js';
import { AppendHintReader } from './append-hints.js';

describe('notes of growth', () => {
  let world: World;
  let reader: AppendHintReader;
  beforeEach(() => {
    world = makeWorld();
    reader = new AppendHintReader(world.root);
  });
  afterEach(() => world.close());
  const seen = (now = 0): readonly string[] => [...reader.look(now).ids];

  for (const lock of ['lease', 'off'] as const) {
    it(`tell of every session that somebody writes to (lock: ${lock})`, async () => {
      await world.log({ lock }).append(notes('a'));
      expect(reader.look(0).unknown).toBe(true);
      const other = world.store({ lock }).create('ses_other' as never);
      await other.append(notes('b'));
      const growth = reader.look(1);
      expect(growth.unknown).toBe(false);
      expect(growth.ids).toContain('ses_other');
    });
  }

  it('come before the bytes they tell of, where nothing else shows that a file has grown', async () => {
    const log = world.log();
    await log.append(notes('a'));
    const segments = join(world.root.folder, 'sessions', log.id, 'segments');
    utimesSync(segments, 1000, 1000);
    const { looks } = world.store();
    const { mark } = await looks.read(log, () => 'read');
    expect(mark.settled).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, limits.leaseIdleMs * 3));
    reader.look(0);
    expect(seen(limits.growthKeptMs + 1)).toEqual([]);
    await log.append(notes('b'));
    expect(looks.refresh(log, mark, 'quick')).toBe(mark);
    expect(looks.refresh(log, mark, 'whole')).not.toBe(mark);
    expect(seen(limits.growthKeptMs + 2)).toEqual([log.id]);
  });

  it('are heeded as long as a lock is held, and for a while after', async () => {
    const log = world.log();
    reader.look(0);
    await log.append(notes('a'));
    expect(seen(1)).toEqual([log.id]);
    // The lease of a burst is still held, however long ago the burst was noted.
    expect(seen(limits.growthKeptMs * 2)).toEqual([log.id]);
    await new Promise((resolve) => setTimeout(resolve, limits.leaseIdleMs * 3));
    expect(seen(limits.growthKeptMs * 2 + 1)).toEqual([log.id]);
    expect(seen(limits.growthKeptMs * 4)).toEqual([]);
  });

  it('that are gone or begun anew are said to be unknown', async () => {
    const file = join(world.root.folder, 'local', 'locks', '.grown');
    await world.log().append(notes('a'));
    expect(reader.look(0).unknown).toBe(true);
    expect(reader.look(1).unknown).toBe(false);
    rmSync(file);
    expect(reader.look(2).unknown).toBe(true);
    expect(reader.look(3).unknown).toBe(false);
    writeFileSync(file, 'ses_x\nses_y\n');
    expect(reader.look(4).unknown).toBe(true);
    writeFileSync(file, '');
    expect(reader.look(5).unknown).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});
