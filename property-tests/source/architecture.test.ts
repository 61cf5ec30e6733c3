import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crossings, cycles, drawGraph, foldersAmiss, strays } from './architecture.js';
import { packages, rooms } from './rooms.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pureRooms = Object.keys(rooms).filter((name) => rooms[name]?.pure);

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function plant(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'workrail-canary-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('the rooms of src', () => {
  it('import only what the table allows, in no circle, from no unlisted folder', async () => {
    const graph = await drawGraph(root);
    const onDisk = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/u.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'),
    );
    expect(graph.length, 'modules seen').toBeGreaterThanOrEqual(onDisk.length);
    expect(graph.flatMap(({ imports }) => imports).length, 'imports seen').toBeGreaterThan(graph.length);
    expect([...strays(graph), ...foldersAmiss(graph), ...crossings(graph), ...cycles(graph)]).toEqual([]);
  });

  it('have a table without circles that names only rooms and installed packages', () => {
    const depth = (name: string, above: readonly string[]): number => {
      expect(above, `${[...above, name].join(' → ')}`).not.toContain(name);
      const room = rooms[name];
      expect(room, `${name} is imported but is no room`).toBeDefined();
      return 1 + Math.max(0, ...(room?.imports ?? []).map((next) => depth(next, [...above, name])));
    };
    for (const name of Object.keys(rooms)) depth(name, []);
    for (const name of pureRooms)
      expect(
        rooms[name]?.imports.filter((other) => !pureRooms.includes(other)),
        name,
      ).toEqual([]);
    // What only the page uses is built into it, and not installed beside the program.
    const onlyInPage = Object.keys(packages).filter((name) =>
      packages[name]?.every((place) => place.split('/')[0] === 'dashboard'),
    );
    expect(
      Object.keys(packages)
        .filter((name) => !onlyInPage.includes(name))
        .sort(),
    ).toEqual(Object.keys(readJson('package.json')['dependencies'] ?? {}).sort());
    expect(Object.keys(readJson('package.json')['devDependencies'] ?? {})).toEqual(expect.arrayContaining(onlyInPage));
  });
});

describe('the canary of the rooms', () => {
  let folder: string;
  beforeAll(() => {
    folder = plant({
      'src/base/upward.ts': `import { a } from '../log/segment.js';\nexport const up = a;\n`,
      'src/base/circle-a.ts': `import { b } from './circle-b.js';\nexport const a = () => b;\n`,
      'src/base/circle-b.ts': `import { a } from './circle-a.js';\nexport const b = () => a;\n`,
      'src/base/allowed.ts': `import { createHash } from 'node:crypto';\nexport const hash = createHash;\n`,
      'src/log/segment.ts': `export const a = 1;\n`,
      'src/engine/type-only.ts': `import type { Fold } from '../sessions/fold.js';\nexport type Step = Fold;\n`,
      'src/engine/reads-disk.ts': `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
      'src/engine/late.ts': `export const late = async () => import('../log/segment.js');\n`,
      'src/sessions/fold.ts': `export type Fold = 1;\n`,
      'src/sessions/lost.ts': `import { gone } from './gone.js';\nexport const lost = gone;\n`,
      'src/requests/foreign.ts': `import lock from 'proper-lockfile';\nexport const foreign = lock;\n`,
      'src/requests/unlisted.ts': `import pad from 'left-pad';\nexport const unlisted = pad;\n`,
      'src/requests/spawns.ts': `import { spawn } from 'node:child_process';\nexport const spawns = spawn;\n`,
      'src/attic/box.ts': `export const box = 1;\n`,
      'src/loose.ts': `export const loose = 1;\n`,
      'src/log/port/store.ts': `export const store = 1;\n`,
      'src/requests/through-the-door.ts': `import { store } from '../log/port/store.js';\nexport const asked = store;\n`,
      'src/requests/past-the-door.ts': `import { a } from '../log/segment.js';\nexport const past = a;\n`,
      'src/definitions/source/text.ts': `export const text = 1;\n`,
      'src/definitions/compiled/pin.ts': `import { text } from '../source/text.js';\nexport const pin = text;\n`,
      'src/definitions/workrail-json/older.ts': `import { text } from '../source/text.js';\nexport const older = text;\n`,
      'src/definitions/compile-source.ts': `import { older } from './workrail-json/older.js';\nexport const compiled = older;\n`,
      'src/definitions/other.ts': `import { older } from './workrail-json/older.js';\nexport const other = older;\n`,
      'src/definitions/attic/box.ts': `export const box = 1;\n`,
      'src/base/left-out.test.ts': `import { a } from '../log/segment.js';\nexport const t = a;\n`,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is caught, each planted violation by name and nothing else', async () => {
    const graph = await drawGraph(folder);
    expect(graph).toHaveLength(24);
    const brief = (lines: readonly string[]): string[] =>
      lines.map((line) => /^\S+ imports \S+( package \S+?(?=,))?|^\S+/u.exec(line)?.[0] ?? line).sort();
    expect(brief(crossings(graph))).toEqual([
      'src/base/upward.ts imports src/log/segment.ts,',
      'src/definitions/compiled/pin.ts imports src/definitions/source/text.ts,',
      'src/definitions/other.ts imports src/definitions/workrail-json/older.ts,',
      'src/engine/late.ts imports src/log/segment.ts,',
      'src/engine/reads-disk.ts imports node:fs,',
      'src/engine/type-only.ts imports src/sessions/fold.ts,',
      'src/requests/foreign.ts imports the package proper-lockfile',
      'src/requests/past-the-door.ts imports src/log/segment.ts,',
      'src/requests/spawns.ts imports node:child_process,',
      'src/requests/unlisted.ts imports the package left-pad',
      'src/sessions/lost.ts imports ./gone.js,',
    ]);
    expect(brief(strays(graph))).toEqual(['src/attic/box.ts', 'src/loose.ts']);
    expect(crossings(graph)).toContainEqual(
      expect.stringMatching(/past-the-door\.ts .* know port, file-store\.ts alone/u),
    );
    expect(crossings(graph)).toContainEqual(
      expect.stringMatching(/other\.ts .* is reached through compile-source\.ts alone/u),
    );
    const amiss = foldersAmiss(graph.filter(({ file }) => file.startsWith('definitions/')));
    expect(amiss).toContainEqual(expect.stringMatching(/^src\/definitions\/attic\/box\.ts is in no folder/u));
    expect(amiss).toContain('src/definitions/check is listed and empty.');
    expect(cycles(graph)).toHaveLength(1);
    expect(cycles(graph)[0]).toMatch(/circle-a\.ts.*circle-b\.ts/u);
  });
});

describe('the canary of folders', () => {
  const module = (file: string) => ({ file, imports: [], cycles: [] });
  it('tells of two that import each other, and of a room that has grown without any', () => {
    const room = { pure: true, imports: [], holds: 'planted' };
    const twoWays = { a: { imports: ['b'], holds: '' }, b: { imports: ['a'], holds: '' } };
    expect(foldersAmiss([module('two/a/x.ts'), module('two/b/y.ts')], { two: { ...room, folders: twoWays } })).toEqual([
      'rooms.ts lets two/a and two/b import each other: folders have one direction.',
    ]);
    const many = Array.from({ length: 46 }, (_, index) => module(`flat/file-${index}.ts`));
    expect(foldersAmiss(many, { flat: room })).toEqual([
      'src/flat has 46 files side by side: more than 45 need folders in rooms.ts.',
    ]);
  });
});

describe('the lint of the pure rooms', () => {
  interface Override {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }
  const planted = [
    `import { createHash, randomBytes } from 'node:crypto';`,
    `export const digest = createHash('sha256');`,
    `export const bytes = randomBytes(8);`,
    `export const now = Date.now();`,
    `export const today = new Date();`,
    `export const folder = process.cwd();`,
    `export const chance = Math.random();`,
    `export const id = crypto.randomUUID();`,
    `export const ticks = performance.now();`,
    `export const page = fetch('http://127.0.0.1');`,
    `setTimeout(() => digest, 1);`,
    `globalThis.setInterval(() => digest, 1);`,
    `export const since = (at: Date): string => String(at);`,
    '',
  ].join('\n');
  const linesThatMustFail = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12];

  it('names the same pure rooms as the table', () => {
    const overrides = readJson('.oxlintrc.json')['overrides'] as readonly Override[];
    const strict = overrides.filter(({ rules }) => 'no-restricted-properties' in rules);
    expect(strict.flatMap(({ files }) => files)).toEqual(pureRooms.map((name) => `src/${name}/**`));
  });

  it('catches a clock, randomness, a timer and the environment in every pure room, and leaves other rooms alone', () => {
    const names = [...pureRooms, 'log'];
    const folder = plant(Object.fromEntries(names.map((name) => [`src/${name}/impure.ts`, planted])));
    try {
      cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
      const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
      const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', '.'], { cwd: folder, encoding: 'utf8' });
      const caught = (name: string): number[] => {
        const lines = [...stdout.matchAll(new RegExp(`^src/${name}/impure\\.ts:(\\d+):.*no-restricted`, 'gmu'))].map(
          (match) => Number(match[1]),
        );
        return [...new Set(lines)].sort((a, b) => a - b);
      };
      for (const name of pureRooms) expect(caught(name), name).toEqual(linesThatMustFail);
      expect(caught('log')).toEqual([10]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
