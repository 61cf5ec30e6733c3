import { existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.js';
import type { WorkflowSource } from '../../library/library-entry.js';
import { openLibrary } from '../../library/workflow-library.js';
import { openKeptWorkflows } from './kept-workflows.js';

const key = Buffer.alloc(32, 1);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-workflows-'));
  build('first');
  write(limits.compiledKeptFrom);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const build = (digest: string): void =>
  writeFileSync(join(folder, 'built.json'), JSON.stringify({ build: digest, files: [] }));

const source = (name = 'w'): WorkflowSource => ({ name: 'project', folder: join(folder, name), label: name });

function write(count: number, name = 'w'): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (let at = 0; at < count; at += 1)
    writeFileSync(
      join(folder, name, `${at}.yaml`),
      `workflow: team.w${at}\ntitle: W\ndescription: D.\nversion: 1.0.0\nsteps:\n  - { id: a, title: A, prompt: P }\n`,
    );
}

const root = (): { readonly kind: 'given'; readonly folder: string } => ({
  kind: 'given',
  folder: join(folder, 'data'),
});

/** Lists everything as one process does; gives back how many it had to compile. */
async function list({ name = 'w', sealedWith = key } = {}): Promise<number> {
  const kept = openKeptWorkflows(root(), [source(name)], join(folder, 'built.json'), () => sealedWith);
  let compiled = 0;
  const library = openLibrary([source(name)], {
    ...kept,
    compiled: (count, all) => {
      compiled += count;
      kept.compiled(count, all);
    },
  });
  expect((await library.list()).every(({ violations }) => violations.length === 0)).toBe(true);
  await library.close();
  return compiled;
}

const index = (): string => join(root().folder, 'local', 'index');
const files = (): readonly string[] => (existsSync(index()) ? readdirSync(index()) : []);

describe('what workflows compiled to', () => {
  it('is there for the next process, as long as the files are the same', async () => {
    expect(await list()).toBe(limits.compiledKeptFrom);
    expect(await list()).toBe(0);
    writeFileSync(
      join(folder, 'w', '0.yaml'),
      readFileSync(join(folder, 'w', '0.yaml'), 'utf8').replace('title: W', 'title: Another'),
    );
    expect(await list()).toBe(1);
  });

  it('is not kept where it is little', async () => {
    rmSync(join(folder, 'w', '0.yaml'));
    expect(await list()).toBe(limits.compiledKeptFrom - 1);
    expect(existsSync(root().folder)).toBe(false);
  });

  it('is not believed of another build, under another key, or where a byte differs', async () => {
    await list();
    build('second');
    expect(await list()).toBe(limits.compiledKeptFrom);
    expect(await list({ sealedWith: Buffer.alloc(32, 2) })).toBe(limits.compiledKeptFrom);
    expect(await list()).toBe(limits.compiledKeptFrom);
    const file = join(index(), files()[0]!);
    const bytes = readFileSync(file);
    for (const at of [0, Math.trunc(bytes.length / 2), bytes.length - 1]) {
      writeFileSync(file, Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1));
      expect(await list()).toBe(limits.compiledKeptFrom);
    }
    writeFileSync(file, '');
    expect(await list()).toBe(limits.compiledKeptFrom);
    expect(await list()).toBe(0);
  });

  it('is not kept by a program that does not know its build', async () => {
    rmSync(join(folder, 'built.json'));
    expect(await list()).toBe(limits.compiledKeptFrom);
    expect(files()).toEqual([]);
  });

  it('is compiled again where it cannot be kept', async () => {
    mkdirSync(root().folder);
    writeFileSync(join(root().folder, 'local'), '');
    expect([await list(), await list()]).toEqual([limits.compiledKeptFrom, limits.compiledKeptFrom]);
  });

  it('is kept for so many sets of folders, the last ones', async () => {
    for (let at = 0; at <= limits.compiledKeptFiles; at += 1) {
      write(limits.compiledKeptFrom, `w${at}`);
      await list({ name: `w${at}` });
    }
    expect(files()).toHaveLength(limits.compiledKeptFiles);
    expect(await list({ name: `w${limits.compiledKeptFiles}` })).toBe(0);
  });
});
