import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, note, pinOf } from '../../property-tests/worlds/log-world.js';
import type { SessionId } from '../base/ids.js';
import { removeUnbegun } from './remove-unbegun.js';
import { sessionFolder } from './segments/session-folder.js';

test('a first append that fails leaves no folder behind, and the same call makes it later', async () => {
  const world = makeWorld();
  const pin = pinOf('{"a workflow":1}');
  const decide = () => ({ answer: '', events: [note('one')], pins: [pin] });
  // Where the pin is to be written first, something stands in the way.
  const inTheWay = join(world.root.folder, 'local', 'tmp', `.${pin.hash}.json.${process.pid}`);
  mkdirSync(inTheWay, { recursive: true });
  const store = world.store();
  expect(await store.create('ses_example' as SessionId).append(decide)).toMatchObject({
    ok: false,
    error: { code: 'STORAGE_FAULT' },
  });
  await store.close();
  expect(readdirSync(join(world.root.folder, 'sessions'))).toEqual([]);
  expect(
    await world
      .store()
      .create('ses_another' as SessionId)
      .append(() => ({ answer: '', events: [note('one')] })),
  ).toMatchObject({ ok: true });
  expect(readdirSync(join(world.root.folder, 'sessions'))).toEqual(['ses_another']);
  await world.close();
});

test('a session with one line stays, and so do the pins of a name that somebody else may have begun', async () => {
  const world = makeWorld();
  for (const id of ['ses_example', 'AUTH-1'] as SessionId[]) {
    const at = sessionFolder(world.root, id);
    for (const folder of [at.pins, at.segments]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(at.pins, 'a.json'), '');
    if (id === 'ses_example') writeFileSync(join(at.segments, '000001-writer0000.ndjson'), 'a line');
    removeUnbegun(at, id);
    expect(existsSync(join(at.pins, 'a.json'))).toBe(true);
  }
  await world.close();
});
