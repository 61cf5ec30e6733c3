import type * as Fs from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Event } from '../../../src/events/event.js';
import type { Finding } from '../../../src/log/port/finding.js';
import { repairSession } from '../../../src/log/care/repair-session.js';
import type { Repaired } from '../../../src/log/port/store-care.js';
import {
  type Damage,
  damages,
  type FileState,
  filesUnder,
  inflict,
  sessionPath,
  write,
  type Writing,
  writings,
} from '../../worlds/damage.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { makeWorld, notes, type World } from '../../worlds/log-world.js';
import { disk } from '../../worlds/watched-disk.js';

vi.mock('node:fs', async (importOriginal) =>
  (await import('../../worlds/watched-disk.js')).killableDisk(await importOriginal<typeof Fs>()),
);

async function repair(world: World, options: { readonly acceptLoss?: boolean } = {}): Promise<Repaired> {
  const done = await world
    .log({ lock: 'off' })
    .maintain((care) => repairSession(care, { acceptLoss: options.acceptLoss ?? false }));
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

const stateOf = (world: World): readonly FileState[] => [
  ...filesUnder(join(world.root.folder, 'sessions')),
  ...filesUnder(join(world.root.folder, 'quarantine')),
];
const verify = (world: World) => world.log({ lock: 'off' }).verify();
const isHarmless = ({ level }: Finding): boolean => level === 'torn' || level === 'incomplete';

interface Line {
  readonly text: string;
  readonly event: Event;
  /** All lines of its append. */
  readonly group: readonly string[];
}

/** Every line that was written, read in the plainest way there is while nothing is damaged. */
function writtenLines(world: World): readonly Line[] {
  return readdirSync(sessionPath(world, 'segments')).flatMap((name) => {
    const texts = readFileSync(sessionPath(world, 'segments', name), 'latin1')
      .split('\n')
      .slice(0, -1);
    const events = texts.map((text) => JSON.parse(text) as Event);
    let begin = 0;
    return texts.map((text, index): Line => {
      const end = events.findIndex((event, at) => at >= index && event.more === undefined);
      if (index > 0 && events[index - 1]!.more === undefined) begin = index;
      return { text, event: events[index]!, group: texts.slice(begin, end + 1) };
    });
  });
}

/** What of it still stands in some file, followed by the end of a line, wherever that is, or by the end of the file. */
function stillThere(files: readonly FileState[], text: string): boolean {
  return files.some(({ content }) => {
    const at = content.indexOf(text);
    return at >= 0 && (at + text.length === content.length || content.indexOf('\n', at + text.length) >= 0);
  });
}

/** Behind where a file is torn nothing is part of the session, repaired or not. */
function isTorn(world: World, findings: readonly Finding[], text: string): boolean {
  return findings.some(
    ({ level, file, byte }) =>
      level === 'torn' && readFileSync(sessionPath(world, file), 'latin1').indexOf(text) >= (byte ?? 0),
  );
}

async function holds(world: World, before: readonly Line[], damaged: readonly FileState[]): Promise<void> {
  const { state, findings } = await verify(world);
  expect(findings.filter((finding) => !isHarmless(finding))).toEqual([]);
  const segments = damaged.filter(({ path }) => path.includes('segments'));
  const sound = before.filter(({ group }) => group.every((text) => stillThere(segments, text)));
  for (const { event, text } of sound)
    if (!isTorn(world, findings, text)) expect(state.sums, text).toContain(event.sum);
  // Not a byte is gone: what was in a file is in one of that content still, here or in quarantine.
  const contents = new Set(stateOf(world).map(({ content }) => content));
  for (const { path, content } of damaged) expect(contents.has(content), path).toBe(true);
}

describe('a damaged session', () => {
  test('with a line of another session in one file and an unreadable line in another takes one repair', async () => {
    const world = makeWorld();
    try {
      await write(world, [
        { by: 0, lines: 3 },
        { by: 2, lines: 2 },
        { by: 0, lines: 1 },
        { by: 2, lines: 1 },
      ] as Writing);
      inflict(world, { kind: 'stranger', file: 885, at: 192_603, length: 1 } as Damage);
      inflict(world, { kind: 'flip', file: 0, at: 0, length: 1 } as Damage);
      await repair(world);
      expect(await repair(world)).toMatchObject({ files: [], broughtBack: 0 });
    } finally {
      await world.close();
    }
  });

  test(
    'every damage is named with its file; repaired, the session is sound, all that could be read is in it, and no byte is gone',
    async () => {
      await fc.assert(
        fc.asyncProperty(writings, damages, async (writing: Writing, inflicted: readonly Damage[]) => {
          const world = makeWorld();
          try {
            await write(world, writing);
            const before = writtenLines(world);
            const intact = stateOf(world);
            for (const damage of inflicted) inflict(world, damage);
            const damaged = stateOf(world);
            const found = (await verify(world)).findings;
            if (JSON.stringify(damaged) !== JSON.stringify(intact)) namesWhatChanged(found, intact, damaged);
            await repair(world);
            await holds(world, before, damaged);
            const once = stateOf(world);
            const again = await repair(world);
            expect(again).toMatchObject({ files: [], rescued: 0, withdrawn: { damaged: 0, lost: 0 } });
            expect(stateOf(world)).toEqual(once);
            // What only a partial checkout explains waits for a person's word.
            await repair(world, { acceptLoss: true });
            expect(
              (await verify(world)).findings.filter(({ level, file }) => level !== 'torn' && !file.startsWith('pins/')),
            ).toEqual([]);
            const log = world.log({ lock: 'off' });
            expect(await log.append(notes('goes on'))).toMatchObject({ ok: true });
            expect((await verify(world)).state.texts.at(-1)).toBe('goes on');
          } finally {
            await world.close();
          }
        }),
        runs(120),
      );
    },
    patience,
  );

  test.each([
    ['its last line feed', ['no last line feed']],
    ['nothing and got a byte order mark', ['byte order mark']],
    ['its last line feed and got a byte order mark', ['no last line feed', 'byte order mark']],
    ['its line ends to git, and the last one to an editor', ['carriage returns', 'no last line feed']],
    ['its line ends to git and got a byte order mark', ['carriage returns', 'byte order mark']],
  ] as const)('that lost %s is repaired to the byte, and nothing is told as lost', async (_what, kinds) => {
    const world = makeWorld();
    try {
      await write(world, [
        { by: 0, lines: 1 },
        { by: 1, lines: 2 },
        { by: 0, lines: 2 },
      ]);
      const intact = filesUnder(join(world.root.folder, 'sessions'));
      for (const kind of kinds) for (const file of [0, 1]) inflict(world, { kind, file, at: 0, length: 1 });
      const { findings } = await verify(world);
      expect(findings).toHaveLength(2);
      if (kinds[0] === 'no last line feed' && kinds.length === 1)
        expect(findings[0]).toMatchObject({
          level: 'torn',
          message: 'the last line is complete, but the line feed after it is missing',
          remedy: expect.stringContaining('--repair') as string,
        });
      const repaired = await repair(world);
      expect(repaired).toMatchObject({ rescued: 0, withdrawn: { damaged: 0, lost: 0 }, left: [] });
      expect(repaired.files.map(({ did, lost }) => [did, lost])).toEqual([
        ['restored', []],
        ['restored', []],
      ]);
      expect(filesUnder(join(world.root.folder, 'sessions'))).toEqual(intact);
    } finally {
      await world.close();
    }
  });

  test('of which no line can be read any more says so in its log, and goes on', async () => {
    const world = makeWorld();
    try {
      await write(world, [
        { by: 0, lines: 1 },
        { by: 0, lines: 3 },
        { by: 0, lines: 1 },
      ]);
      for (const [kind, at] of [
        ['flip', 0],
        ['drop two', 607_807],
        ['flip', 259_459],
      ] as const)
        inflict(world, { kind, file: 0, at, length: 1 });
      expect(await repair(world)).toMatchObject({ files: [{ did: 'moved' }], left: [] });
      expect((await verify(world)).state.texts).toEqual(['lines_withdrawn']);
      expect(await repair(world)).toMatchObject({ files: [], withdrawn: { damaged: 0, lost: 0 } });
      expect(await world.log({ lock: 'off' }).append(notes('goes on'))).toMatchObject({ ok: true });
    } finally {
      await world.close();
    }
  });

  test.each([
    ['the last line feed', 4, 'the last line is complete, but another byte replaced its line feed'],
    ['one between two lines of the last write', 3, undefined],
    ['one between two writes', 2, undefined],
  ])('of which %s is another byte is repaired to the byte, and nothing is told as lost', async (_what, at, message) => {
    const world = makeWorld();
    try {
      await write(world, [
        { by: 0, lines: 2 },
        { by: 0, lines: 1 },
        { by: 0, lines: 2 },
      ]);
      const intact = filesUnder(join(world.root.folder, 'sessions'));
      for (const bit of [0, 4]) {
        inflict(world, { kind: 'line feed flipped', file: 0, at: at + 5 * bit, length: 1 });
        const [finding, ...others] = (await verify(world)).findings;
        expect(others).toEqual([]);
        expect(finding).toMatchObject(message === undefined ? { level: 'damage' } : { level: 'torn', message });
        expect(finding!.remedy).toContain('doctor --repair');
        const repaired = await repair(world);
        expect(repaired).toMatchObject({ rescued: 0, withdrawn: { damaged: 0, lost: 0 }, left: [] });
        expect(repaired.files).toMatchObject([{ did: 'restored', lost: [] }]);
        expect(filesUnder(join(world.root.folder, 'sessions'))).toEqual(intact);
      }
    } finally {
      await world.close();
    }
  });

  const moved = { kind: 'elsewhere', file: 1, length: 1 } as const;
  const harm = { file: 1, at: 0, length: 1 } as const;
  test.each<[string, Writing, readonly Damage[], readonly number[]]>([
    [
      'whose end lacks its line feed',
      [
        { by: 0, lines: 2 },
        { by: 1, lines: 2 },
      ],
      [
        { ...moved, at: 0 },
        { ...harm, kind: 'no last line feed' },
      ],
      [0, 1, 2, 3],
    ],
    [
      'whose writer is known by no other line that can be read',
      [
        { by: 0, lines: 1 },
        { by: 1, lines: 1 },
        { by: 1, lines: 1 },
      ],
      [
        { ...moved, at: 1 },
        { ...harm, kind: 'flip' },
      ],
      [0, 2],
    ],
  ])('a line in the wrong file is brought home: one %s', async (_what, writing, inflicted, stays) => {
    const world = makeWorld();
    try {
      await write(world, writing);
      const { sums } = (await verify(world)).state;
      for (const damage of inflicted) inflict(world, damage);
      expect((await verify(world)).findings.map(({ level }) => level)).toContain('damage');
      await repair(world);
      expect((await verify(world)).state.sums).toEqual(stays.map((line) => sums[line]));
    } finally {
      await world.close();
    }
  });

  test(
    'a repair that is killed before any change to the disk is finished by the next',
    async () => {
      let killed = 0;
      await fc.assert(
        fc.asyncProperty(writings, damages, fc.nat(), async (writing, inflicted, kill) => {
          const world = makeWorld();
          try {
            await write(world, writing);
            const before = writtenLines(world);
            for (const damage of inflicted) inflict(world, damage);
            const damaged = stateOf(world);
            Object.assign(disk, { armed: true, changes: 0, killAt: 1 + (kill % 40) });
            await repair(world).catch((cause: unknown) => cause);
            disk.armed = false;
            if (disk.changes >= disk.killAt) killed += 1;
            const cut = stateOf(world);
            const contents = new Set(cut.map(({ content }) => content));
            for (const { path, content } of damaged) expect(contents.has(content), path).toBe(true);
            await repair(world);
            await holds(world, before, damaged);
            const done = (await verify(world)).state.sums;
            await repair(world);
            expect((await verify(world)).state.sums).toEqual(done);
          } finally {
            disk.armed = false;
            await world.close();
          }
        }),
        runs(120),
      );
      expect(killed).toBeGreaterThan(0);
    },
    patience,
  );
});

function namesWhatChanged(
  found: readonly Finding[],
  intact: readonly FileState[],
  damaged: readonly FileState[],
): void {
  const was = new Map(intact.map(({ path, content }) => [path, content]));
  const differing = damaged.filter(({ path, content }) => was.get(path) !== content);
  // A file that only lost its last lines is no worse than one that was never longer, until somebody has seen them.
  const visible = differing.filter(({ path, content }) => was.get(path)?.startsWith(content) !== true);
  const ourName = damaged.some(
    ({ path, content }) =>
      !path.includes('stranger1') &&
      found.every(({ file, line }) => !path.endsWith(file) || line !== 1) &&
      content.includes('"origin":"ses_example"'),
  );
  for (const { path, content } of visible) {
    // Where no line says any more whose session it is, the foreign segment speaks for itself until the others are mended;
    // and one of which nothing is left says nothing.
    if (path.includes('stranger1') && (!ourName || content === '')) continue;
    const file = path.split('/').slice(1).join('/');
    const told = found.find((finding) => finding.file === file);
    expect(told, file).toBeDefined();
    if (told!.level === 'damage' && file.startsWith('segments/') && !file.includes('linked'))
      expect(told).toMatchObject({ line: expect.any(Number), byte: expect.any(Number) });
  }
}
