import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json-value.js';
import { openLibrary, type Library } from './workflow-library.js';

let folder: string;
let library: Library;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const inJson = (id: string, name: string, more: JsonObject = {}): string =>
  JSON.stringify(
    {
      id,
      name,
      description: 'Use this.',
      version: '1.0.0',
      steps: [{ id: 'one', title: 'One', prompt: name }],
      ...more,
    },
    null,
    2,
  );
const titles = async (): Promise<readonly unknown[]> =>
  (await library.list()).map(({ title, violations }) => [title, violations.map(({ rule }) => rule)]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'variants-'));
  library = openLibrary([
    { name: 'bundled', folder: join(folder, 'bundled'), label: 'bundled' },
    { name: 'project', folder: join(folder, 'project'), label: 'project' },
  ]);
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

describe('variants of one file of the WorkRail JSON format', () => {
  it('count by their names, and the others are said to be hidden', async () => {
    for (const [at, infix] of ['', '.agentic', '.v2', '.lean'].entries()) {
      await write(`bundled/x${infix}.json`, inJson('wr.x', `Variant ${at}`));
      expect(await titles()).toEqual([[`Variant ${at}`, []]]);
    }
    expect((await library.list())[0]?.hides.map(({ file }) => file)).toEqual([
      'bundled/x.agentic.json',
      'bundled/x.json',
      'bundled/x.v2.json',
    ]);
    expect((await library.find('wr.x'))?.workflow?.title).toBe('Variant 3');
  });

  it('are what callers get, too', async () => {
    await write(
      'bundled/a.json',
      inJson('wr.a', 'Caller', {
        steps: [{ id: 'go', title: 'Go', templateCall: { templateId: 'wr.templates.routine.x' } }],
      }),
    );
    await write('bundled/routine-x.json', inJson('routine-x', 'Standard'));
    await write('bundled/routine-x.v2.json', inJson('routine-x', 'Second'));
    expect((await library.find('wr.a'))?.workflow).toMatchObject({ steps: [{ prompt: 'Second' }] });
  });

  it('hide nothing when they are broken, in another folder, or of our own format', async () => {
    await write('bundled/x.json', inJson('wr.x', 'Standard'));
    await write('bundled/x.lean.json', inJson('wr.x', 'Lean', { steps: [] }));
    expect(await titles()).toEqual([
      ['Standard', []],
      ['Lean', ['missing']],
    ]);
    await write(
      'bundled/x.lean.json',
      JSON.stringify({
        workflow: 'wr.x',
        title: 'Ours',
        description: 'Use this.',
        steps: [{ id: 'one', prompt: 'x' }],
      }),
    );
    expect(await titles()).toEqual([
      ['Standard', []],
      ['Ours', ['duplicate_id']],
    ]);
    await rm(join(folder, 'bundled/x.lean.json'));
    await write('bundled/other/x.lean.json', inJson('wr.x', 'Elsewhere'));
    expect(new Set((await titles()).flat(2))).toContain('duplicate_id');
  });
});

it('speaks of the id of a file as it is written there', async () => {
  await write('project/old.json', inJson('old', 'Old', { about: 'workflow: nothing' }));
  await write(
    'project/mine.json',
    `{"name": "Mine",\n"description": "d", "version": "1.0.0",\n"id": "wr.mine", "steps": [{"id": "one", "workflow": 1, "prompt": "x"}]}`,
  );
  await write('project/ours.yaml', 'workflow: ours\ndescription: Use this.\nsteps:\n  - id: a\n    prompt: x\n');
  const found = Object.fromEntries(
    (await library.list()).map(({ id, violations, warnings }) => [
      id,
      [...violations, ...warnings.filter(({ rule }) => rule === 'legacy_id')],
    ]),
  );
  expect(found).toMatchObject({
    old: [
      {
        pointer: '/id',
        line: 2,
        column: 9,
        message: expect.stringContaining('`"id": "project.old"`'),
        patch: [{ path: '/id', value: 'project.old' }],
      },
    ],
    'wr.mine': [
      {
        rule: 'reserved_namespace',
        pointer: '/id',
        line: 3,
        message: expect.stringContaining('`"id": "project.mine"`'),
      },
    ],
    ours: [{ pointer: '/workflow', line: 1, column: 11, message: expect.stringContaining('`workflow: project.ours`') }],
  });
});
