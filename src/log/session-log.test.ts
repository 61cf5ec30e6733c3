import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, notes, type World } from '../../property-tests/log-world.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

test('what was appended is there for the next process', async () => {
  const log = world.log();
  const first = await log.append(notes('one'));
  expect(first).toMatchObject({ ok: true, answer: 'one', loaded: { eventCount: 1, lastSeq: 1 } });
  await log.append(notes('two', 'three'));
  const other = await world.log().read();
  expect(other.state.texts).toEqual(['one', 'two', 'three']);
  expect(other.findings).toEqual([]);
  const segments = join(world.root.folder, 'sessions', 'ses_example', 'segments');
  expect(readdirSync(segments)).toHaveLength(1);
  expect(readFileSync(join(segments, readdirSync(segments)[0]!), 'utf8').split('\n')).toHaveLength(4);
});

test('two processes see each other', async () => {
  const [a, b] = [world.log(), world.log()];
  for (const round of [1, 2, 3]) {
    await a.append(notes(`a${round}`));
    await b.append(notes(`b${round}`));
  }
  expect((await a.read()).state.texts).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  expect((await b.read()).state).toEqual((await a.read()).state);
});
