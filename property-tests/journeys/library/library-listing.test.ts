import type * as Fs from 'node:fs';
import { mkdtempSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLibrary, type Library } from '../../../src/library/workflow-library.js';
import { tiny } from '../../worlds/library-world.js';

/** What the library asks the system for. Milliseconds are for property-tests/bench/library-listing.mjs; here it is what costs them. */
const asked = vi.hoisted(() => ({ opened: [] as string[], looked: 0, folders: 0 }));
vi.mock('node:fs', async (importOriginal) =>
  (await import('../../worlds/watched-disk.js')).watchedDisk(
    await importOriginal<typeof Fs>(),
    ['openSync', 'lstatSync', 'readdirSync'],
    (name, path) => {
      if (name === 'openSync') asked.opened.push(String(path));
      else asked[name === 'lstatSync' ? 'looked' : 'folders'] += 1;
    },
  ),
);

let folder: string;
let library: Library;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listing-'));
  library = openLibrary([{ name: 'project', folder: join(folder, 'w'), label: 'w' }]);
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, 'w', name)), { recursive: true });
  writeFileSync(join(folder, 'w', name), text);
};
const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
/** Long enough for what was written before to be believed. */
const settled = 80;

interface Cost {
  readonly opened: readonly string[];
  readonly looked: number;
  readonly folders: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  Object.assign(asked, { opened: [], looked: 0, folders: 0 });
  await work();
  return {
    opened: asked.opened.map((path) => path.slice(join(folder, 'w').length + 1)),
    looked: asked.looked,
    folders: asked.folders,
  };
}

describe('listing many files', () => {
  const count = 500;
  const writeAll = async (): Promise<void> => {
    for (let at = 0; at < count; at += 1) write(`${at % 10}/w${at}.yaml`, tiny(`team.w${at}`));
    await pause(settled);
  };

  it('reads each file once, and when nothing has changed none: one look at each is all', async () => {
    await writeAll();
    const cold = await costOf(async () => expect(await library.list()).toHaveLength(count));
    expect(cold.opened).toHaveLength(count);
    const before = await library.list();
    const warm = await costOf(() => library.list());
    expect(warm).toEqual({ opened: [], looked: count, folders: 11 });
    // Nothing was compiled again either: the entries are the same objects.
    const after = await library.list();
    expect(after.every((entry, at) => entry === before[at])).toBe(true);
  });

  it('reads only what has changed', async () => {
    await writeAll();
    await library.list();
    write('3/w33.yaml', tiny('team.w33', 'Changed'));
    write('4/new.yaml', tiny('team.new'));
    const { opened } = await costOf(() => library.list());
    expect(opened.toSorted()).toEqual(['3/w33.yaml', '4/new.yaml']);
  });

  it('looks at nothing at all where a watch says that nothing has changed, and then at what it tells of', async () => {
    await writeAll();
    library.watch();
    const free = async (): Promise<boolean> => (await costOf(() => library.list())).folders === 0;
    for (const end = Date.now() + 20_000; !(await free()); await pause(50)) expect(Date.now()).toBeLessThan(end);
    write('3/w33.yaml', tiny('team.w33', 'Changed'));
    const costs: Cost[] = [];
    const title = async (): Promise<unknown> => (await library.list()).find(({ id }) => id === 'team.w33')?.title;
    for (const end = Date.now() + 5000; ; await pause(10)) {
      let seen: unknown;
      costs.push(await costOf(async () => (seen = await title())));
      if (seen === 'Changed') break;
      expect(Date.now()).toBeLessThan(end);
    }
    const noticed = costs.at(-1)!;
    expect(noticed.opened).toEqual(['3/w33.yaml']);
    // The five seconds for which silence is believed may just have passed; then everything is looked at once.
    expect(noticed.folders === 0 ? noticed.looked : 0).toBeLessThan(10);
  }, 40_000);

  it('is done with ten thousand files, and a page of them is small', async () => {
    for (let at = 0; at < 10_000; at += 1) write(`${at % 20}/w${at}.yaml`, tiny(`team.w${at}`));
    await pause(settled);
    expect(await library.list()).toHaveLength(10_000);
    expect(await costOf(() => library.list())).toEqual({ opened: [], looked: 10_000, folders: 21 });
  }, 120_000);
});

describe('what counts as a change', () => {
  const title = async (): Promise<unknown> => (await library.list())[0]?.title;

  it('is one that leaves size and time of writing as they were', async () => {
    write('x.yaml', tiny('team.x', 'One'));
    const path = join(folder, 'w/x.yaml');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    await pause(settled);
    expect(await title()).toBe('One');
    write('x.yaml', tiny('team.x', 'Two'));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    expect(await title()).toBe('Two');
  });

  it('is another file under the same name, as editors save it', async () => {
    write('x.yaml', tiny('team.x', 'One'));
    await pause(settled);
    expect(await title()).toBe('One');
    write('.x.yaml.new', tiny('team.x', 'Two'));
    renameSync(join(folder, 'w/.x.yaml.new'), join(folder, 'w/x.yaml'));
    expect(await title()).toBe('Two');
    expect(await library.list()).toHaveLength(1);
  });

  it('may hide within a tick of the clock: what was written just now is read again, and compiled only if it differs', async () => {
    write('x.yaml', tiny('team.x', 'One'));
    const [first] = await library.list();
    const { opened } = await costOf(async () => expect((await library.list())[0]).toBe(first));
    expect(opened).toEqual(['x.yaml']);
    await pause(settled);
    await library.list();
    expect((await costOf(() => library.list())).opened).toEqual([]);
  });
});
