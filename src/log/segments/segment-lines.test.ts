import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, note, type World } from '../../../property-tests/worlds/log-world.js';
import type { EventSum, OriginId, WriterId } from '../../base/ids.js';
import { encodeLine } from '../../events/line-codec.js';
import { repairSession } from '../care/repair-session.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const segments = (): string => join(world.root.folder, 'sessions', 'ses_example', 'segments');
const segment = (name: string): string => join(segments(), name);
const line = (text: string, by: string, seq: number, prev: EventSum | '') =>
  encodeLine(note(text), {
    by: by as WriterId,
    at: '2026-01-01T00:00:00.000Z',
    seq,
    prev,
    ...(prev === '' && { origin: 'ses_example' as OriginId }),
  });

test.each(['000009', '000001'])(
  'a segment that begins at 3 and is called %s is told of; repaired, it is under a right name',
  async (wrong) => {
    const a = line('a', 'writer0000', 3, '');
    const b = line('b', 'writer1111', 4, '');
    mkdirSync(segments(), { recursive: true });
    writeFileSync(segment('000004-writer1111.ndjson'), b.line + line('c', 'writer1111', 5, b.event.sum).line);
    writeFileSync(segment(`${wrong}-writer0000.ndjson`), a.line + line('d', 'writer0000', 6, a.event.sum).line);
    const { state, findings } = await world.log().read();
    expect(state.texts).toEqual(['b', 'c']);
    expect(findings).toMatchObject([
      {
        level: 'damage',
        file: `segments/${wrong}-writer0000.ndjson`,
        line: 1,
        message: expect.stringContaining('its name'),
      },
    ]);
    const repaired = await world.log().maintain((care) => repairSession(care, { acceptLoss: false }));
    expect(repaired).toMatchObject({ ok: true, value: { rescued: 2, withdrawn: { damaged: 0, lost: 0 }, left: [] } });
    expect(readdirSync(segments()).filter((name) => name.startsWith('000003-'))).toHaveLength(1);
    expect((await world.log().read()).state.texts).toEqual(['a', 'b', 'c', 'd']);
  },
);

test('a segment whose first line is damaged keeps its name and the lines behind', async () => {
  const a = line('a', 'writer0000', 1, '');
  const b = line('b', 'writer0000', 2, a.event.sum);
  mkdirSync(segments(), { recursive: true });
  writeFileSync(
    segment('000001-writer0000.ndjson'),
    `${a.line.replace('"a"', '"x"')}${b.line}${line('c', 'writer0000', 3, b.event.sum).line}`,
  );
  const repaired = await world.log().maintain((care) => repairSession(care, { acceptLoss: false }));
  expect(repaired).toMatchObject({ ok: true, value: { rescued: 0, withdrawn: { damaged: 1, lost: 0 }, left: [] } });
  expect((await world.log().read()).state.texts).toEqual(['b', 'c', 'lines_withdrawn']);
});
