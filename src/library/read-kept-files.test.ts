import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeptFiles } from './read-kept-files.js';
import { openLibrary } from './workflow-library.js';

const bundled = {
  name: 'bundled',
  folder: fileURLToPath(new URL('../../workflows', import.meta.url)),
  label: 'bundled',
} as const;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-files-'));
  file = join(folder, 'kept.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a library that begins with what was kept says and holds the same as one that compiles everything', async () => {
  const plain = openLibrary([bundled]);
  writeFileSync(file, JSON.stringify(plain.kept()));
  const quick = openLibrary([bundled], () => readKeptFiles(file));
  const listed = await plain.list();
  expect(listed.length).toBeGreaterThan(10);
  expect(await quick.list()).toEqual(listed);
  for (const { id } of listed) expect(await quick.find(id)).toEqual(await plain.find(id));
});

test('what was kept is believed as long as the file and all that it calls are the same', async () => {
  const source = { name: 'project', folder: folder, label: 'p' } as const;
  const routine = (words: string): void =>
    writeFileSync(
      join(folder, 'part.yaml'),
      `workflow: team.part\ntitle: Part\ndescription: D.\nkind: routine\nversion: 1.0.0\nsteps:\n  - { id: a, title: A, prompt: ${words} }\n`,
    );
  const caller = (title: string): void =>
    writeFileSync(
      join(folder, 'whole.yaml'),
      `workflow: team.whole\ntitle: ${title}\ndescription: D.\nversion: 1.0.0\nsteps:\n  - { id: b, call: team.part }\n`,
    );
  routine('First');
  caller('Whole');
  const kept = openLibrary([source]).kept();
  // Recognisably not what compiling gives: who shows it has believed it.
  const marked = kept.map((one) =>
    one.compilation.ok
      ? { ...one, compilation: { ...one.compilation, workflow: { ...one.compilation.workflow, description: 'Kept.' } } }
      : one,
  );
  const told = async (): Promise<readonly (string | undefined)[]> => {
    const library = openLibrary([source], () => marked);
    return [
      (await library.find('team.part'))?.workflow?.description,
      (await library.find('team.whole'))?.workflow?.description,
    ];
  };
  expect(await told()).toEqual(['Kept.', 'Kept.']);
  caller('Another');
  expect(await told()).toEqual(['Kept.', 'D.']);
  caller('Whole');
  routine('Second');
  expect(await told()).toEqual(['D.', 'D.']);
});

test('without a file, or with one that is broken, everything is compiled', () => {
  expect(readKeptFiles(join(folder, 'none.json'))).toEqual([]);
  writeFileSync(file, '[');
  expect(readKeptFiles(file)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['kept.json']);
  expect(readFileSync(file, 'utf8')).toBe('[');
});
