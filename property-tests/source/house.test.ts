import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Module } from './architecture.js';
import { figuresIn, housePage } from './house-page.js';
import { housePicture } from './house-picture.js';
import { type Figures, houseOf, type Place } from './house.js';
import type { Room } from './rooms.js';
import { joints, lostPlaces, wayOfAnAck } from './way-of-an-ack.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const table: Readonly<Record<string, Room>> = {
  ground: { pure: true, imports: [], holds: 'what all stand on' },
  disk: {
    pure: false,
    imports: ['ground'],
    holds: 'what writes',
    folders: { '.': { imports: ['lines'], holds: 'a file' }, lines: { imports: [], holds: 'its lines' } },
  },
  door: { pure: false, imports: ['ground', 'disk'], holds: 'who knocks' },
};
const file = (path: string, lines: number, ...imports: readonly string[]): Module & { readonly lines: number } => ({
  file: path,
  lines,
  imports: imports.map((to) => ({ kind: 'file', to })),
  cycles: [],
});
const planted = (lines: number): readonly (Module & { readonly lines: number })[] => [
  file('ground/floor.ts', 1234),
  file('disk/write.ts', lines, 'disk/lines/line.ts', 'ground/floor.ts'),
  file('disk/lines/line.ts', 80, 'ground/floor.ts'),
  file('door/knock.ts', 300, 'ground/floor.ts'),
];
const drawn = (lines: number, before: ReadonlyMap<string, Figures> = new Map()): readonly Place[] =>
  houseOf(planted(lines), before, table);
const linesOf = (house: readonly Place[], name: string): number | undefined =>
  house.flatMap((place) => [place, ...place.folders]).find((place) => place.name === name)?.lines;

describe('the way of one step', () => {
  it('leads through files that are there and export what is named', () => {
    expect(lostPlaces(root, [...wayOfAnAck.flatMap(({ places }) => places), ...joints])).toEqual([]);
  });

  it('says which file was renamed, and what it no longer exports', () => {
    expect(lostPlaces(root, [['decide/decide-acks.ts', 'decideAck']])).toEqual([
      'src/decide/decide-acks.ts is not there: say in way-of-an-ack.ts where that happens now.',
    ]);
    expect(lostPlaces(root, [['decide/decide-ack.ts', 'decide']])).toEqual([
      'src/decide/decide-ack.ts does not export decide any more.',
    ]);
  });
});

describe('the house', () => {
  it('is measured: files, rounded lines, and how many files import whom', () => {
    expect(drawn(560)).toEqual([
      {
        name: 'door',
        holds: 'who knocks',
        pure: false,
        files: 1,
        lines: 300,
        imports: { ground: 1, disk: 0 },
        folders: [],
      },
      {
        name: 'disk',
        holds: 'what writes',
        pure: false,
        files: 2,
        lines: 640,
        imports: { ground: 2 },
        folders: [
          { name: 'disk/*.ts', holds: 'a file', pure: false, files: 1, lines: 560, imports: { lines: 1 }, folders: [] },
          { name: 'disk/lines', holds: 'its lines', pure: false, files: 1, lines: 80, imports: {}, folders: [] },
        ],
      },
      { name: 'ground', holds: 'what all stand on', pure: true, files: 1, lines: 1200, imports: {}, folders: [] },
    ]);
  });

  it('is read back from its page as it was told', () => {
    const told = figuresIn(housePage(drawn(560)));
    for (const { name, files, lines, imports } of drawn(560).flatMap((place) => [place, ...place.folders]))
      expect(told.get(name), name).toEqual({ files, lines, imports });
  });

  it('stays as it was told by a small change, and is told anew after a large one', () => {
    const before = figuresIn(housePage(drawn(560)));
    for (const lines of [460, 559, 561, 600, 660]) expect(drawn(lines, before), String(lines)).toEqual(drawn(560));
    expect(linesOf(drawn(700, before), 'disk/*.ts')).toBe(700);
    expect(linesOf(drawn(400, before), 'disk/*.ts')).toBe(400);
    expect(linesOf(drawn(700, before), 'disk')).toBe(780);
  });

  it('tells at once of an import that is the first or was the last', () => {
    const before = figuresIn(housePage(drawn(560)));
    const first = [...planted(560), file('door/open.ts', 1, 'disk/write.ts')];
    expect(houseOf(first, before, table)[0]?.imports).toEqual({ ground: 1, disk: 1 });
    const last = planted(560).map((module) => (module.file === 'door/knock.ts' ? { ...module, imports: [] } : module));
    expect(houseOf(last, before, table)[0]?.imports).toEqual({ ground: 0, disk: 0 });
  });

  it.each([true, false])('is drawn with every room and folder (wide: %s)', (isWide) => {
    const picture = housePicture(drawn(560), isWide);
    for (const name of ['door', 'disk', '*.ts', 'lines', 'ground']) expect(picture).toContain(`>${name}</text>`);
    expect(picture).toContain('door may import disk, and does not');
    expect(picture).toContain('disk imports ground in about 2 files');
    expect(picture).not.toMatch(/NaN|undefined|Infinity/u);
  });
});
