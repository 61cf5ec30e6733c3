import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectTimeWithin } from '../../property-tests/worlds/time-in-step.js';
import { sha256Hex } from '../base/digest.js';
import { limits } from '../base/limits.js';
import { pinWorkflow } from '../definitions/compiled/pin.js';
import { Folders } from './folders.js';
import { openLibrary, type Library } from './workflow-library.js';

let folder: string;
let library: Library;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const workflow = (id: string, title = 'T', more = ''): string =>
  `workflow: ${id}\ntitle: ${title}\ndescription: Use this.\n${more}steps: [ { id: a, prompt: Go. } ]\n`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
  library = openLibrary([
    { name: 'bundled', folder: join(folder, 'bundled'), label: 'bundled' },
    { name: 'user', folder: join(folder, 'user'), label: '~/workflows' },
    { name: 'project', folder: join(folder, 'project'), label: '.workrail/workflows' },
  ]);
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

describe('a library', () => {
  it('lists by namespace, workflows before routines, then id', async () => {
    await write('bundled/z.yaml', workflow('wr.z'));
    await write('bundled/a.yaml', workflow('wr.a', 'A', 'kind: routine\n'));
    await write(
      'project/deep/er/b.json',
      JSON.stringify({ workflow: 'team.b', description: 'D', steps: [{ id: 'a', prompt: 'p' }] }),
    );
    await write('project/note.txt', 'nothing');
    expect((await library.list()).map(({ id, kind, file }) => [id, kind, file])).toEqual([
      ['team.b', 'workflow', '.workrail/workflows/deep/er/b.json'],
      ['wr.z', 'workflow', 'bundled/z.yaml'],
      ['wr.a', 'routine', 'bundled/a.yaml'],
    ]);
  });

  it('gives precedence to the higher source, and says what it hides', async () => {
    await write('user/x.yaml', workflow('team.x', 'Of the user'));
    await write('project/x.yaml', workflow('team.x', 'Of the project'));
    expect(await library.list()).toMatchObject([
      {
        title: 'Of the project',
        source: 'project',
        hides: [{ source: 'user', file: '~/workflows/x.yaml' }],
        violations: [],
      },
    ]);
    const hidden = pinWorkflow(
      (await openLibrary([{ name: 'user', folder: join(folder, 'user'), label: 'u' }]).find('team.x'))!.workflow!,
    );
    expect(await library.byHash(hidden.hash)).toBe(hidden.text);
    expect(await library.byHash('0'.repeat(64) as typeof hidden.hash)).toBeUndefined();
  });

  it('lists a broken file, which hides nothing', async () => {
    await write('user/x.yaml', workflow('team.x'));
    await write('project/x.yaml', workflow('team.x', 'Broken', 'nonsense: 1\n'));
    await write('project/odd name.yaml', '{{{');
    const entries = await library.list();
    expect(entries.map(({ id, violations }) => [id, violations.length])).toEqual([
      ['odd name', expect.any(Number)],
      ['team.x', 0],
      ['team.x', 1],
    ]);
    expect(entries[2]?.violations[0]).toMatchObject({ rule: 'unknown_key', line: 4 });
    expect(await library.find('team.x')).toMatchObject({ entry: { source: 'user' }, workflow: { id: 'team.x' } });
    expect(await library.find('odd name')).not.toHaveProperty('workflow');
    expect(await library.find('team.y')).toBeUndefined();
    expect(await library.closest('team.y')).toEqual(['team.x']);
  });

  it('keeps wr. for what is bundled, and says how to rename', async () => {
    await write('bundled/x.yaml', workflow('wr.x'));
    await write('project/x.yaml', workflow('wr.x', 'Mine'));
    expect(
      (await library.list()).map(({ source, violations }) => [
        source,
        violations.map(({ rule, closest }) => [rule, closest]),
      ]),
    ).toEqual([
      ['bundled', []],
      ['project', [['reserved_namespace', 'project.x']]],
    ]);
    expect((await library.find('wr.x'))?.entry.source).toBe('bundled');
  });

  it('runs a legacy id and suggests a name for it', async () => {
    await write('project/x.yaml', workflow('old_one'));
    expect(await library.find('old_one')).toMatchObject({
      entry: { idStatus: 'legacy', suggestedId: 'project.old_one', warnings: [{ rule: 'legacy_id' }] },
      workflow: { id: 'old_one' },
    });
  });

  it.each([
    ['Team.x', 'team.x'],
    ['a.b.c', 'a.b_c'],
    ['team.Two', 'team.two'],
  ])('takes %s for no namespace and a name, and suggests %s', async (id, suggestedId) => {
    await write('project/x.yaml', workflow(id));
    expect((await library.list())[0]).toMatchObject({ id, idStatus: 'legacy', suggestedId });
  });

  it('refuses the later of two files with one id', async () => {
    await write('project/a.yaml', workflow('team.x', 'A'));
    await write('project/b.yaml', workflow('team.x', 'B'));
    expect((await library.list()).map(({ title, violations }) => [title, violations.map(({ rule }) => rule)])).toEqual([
      ['A', []],
      ['B', ['duplicate_id']],
    ]);
  });

  it('reads what changed, and gives its text and digest', async () => {
    await write('project/x.yaml', workflow('team.x', 'One'));
    const [before] = await library.list();
    await write('project/x.yaml', workflow('team.x', 'Another'));
    const found = await library.find('team.x');
    expect(found?.source).toBe(await readFile(join(folder, 'project/x.yaml'), 'utf8'));
    expect(found?.entry.sourceDigest).toBe(sha256Hex(found!.source));
    expect([before?.title, found?.entry.title]).toEqual(['One', 'Another']);
    await rm(join(folder, 'project/x.yaml'));
    expect(await library.list()).toEqual([]);
  });

  it('reads nothing of a file of 100 MB', async () => {
    await write('project/x.yaml', workflow('team.x'));
    await write('project/huge.yaml', 'workflow: team.huge\n');
    const listedAt = (size: number) => async (): Promise<void> => {
      await truncate(join(folder, 'project/huge.yaml'), size);
      const listed = await library.list();
      expect(listed.map(({ id, violations }) => [id, violations[0]?.rule, violations[0]?.line])).toEqual([
        ['huge', 'file_size', 1],
        ['team.x', undefined, undefined],
      ]);
    };
    await expectTimeWithin(4, listedAt(100 * 1024 * 1024), listedAt(limits.workflowFile + 1));
  });

  it('follows no links and says so, and reads nothing that is too large or no text', async () => {
    await write('elsewhere/x.yaml', workflow('team.x'));
    await mkdir(join(folder, 'project'));
    await symlink(join(folder, 'elsewhere/x.yaml'), join(folder, 'project/link.yaml'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'project/folder'));
    await write('project/big.yaml', 'x'.repeat(1_100_000));
    await writeFile(join(folder, 'project/bytes.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    await mkdir(join(folder, 'project/a folder.yaml'));
    await write('project/a folder.yaml/inner.yaml', workflow('team.inner'));
    await symlink(join(folder, 'nowhere'), join(folder, 'project/.#editing.yaml'));
    const listed = await library.list();
    expect(listed.map(({ id, idStatus, violations }) => [id, idStatus, violations[0]?.rule])).toEqual([
      ['big', 'unknown', 'file_size'],
      ['bytes', 'unknown', 'encoding'],
      ['folder', 'unknown', 'file'],
      ['link', 'unknown', 'file'],
      ['team.inner', 'namespaced', undefined],
    ]);
    expect(
      listed.filter(({ id }) => id === 'folder' || id === 'link').map(({ violations }) => violations[0]?.message),
    ).toEqual([expect.stringContaining('a link to a folder'), expect.stringContaining('links are not followed')]);
    expect(JSON.stringify(await library.list())).not.toContain(folder);
  });
});

const calling = (id: string, routine: string): string =>
  `workflow: ${id}\ndescription: Use this.\nkind: routine\nsteps: [ { id: c, call: ${routine} } ]\n`;
const prompted = (id: string, prompt: string): string =>
  `workflow: ${id}\ndescription: Use this.\nkind: routine\nsteps: [ { id: a, prompt: "${prompt}" } ]\n`;
const promptOf = async (id: string): Promise<unknown> => JSON.stringify((await library.find(id))?.workflow?.steps);

describe('routines in a library', () => {
  it('are found by the precedence of their sources, across formats', async () => {
    await write('user/r.yaml', prompted('team.r', 'of the user'));
    await write('user/x.yaml', calling('team.x', 'team.r'));
    await write('project/y.yaml', calling('team.y', 'json_one'));
    await write(
      'user/old.json',
      JSON.stringify({
        id: 'json_one',
        name: 'J',
        description: 'D',
        version: '1.0.0',
        steps: [{ id: 'a-b', title: 'T', prompt: 'from JSON' }],
      }),
    );
    expect(await promptOf('team.x')).toContain('of the user');
    expect(await promptOf('team.y')).toContain('from JSON');
    await write('project/r.yaml', prompted('team.r', 'of the project'));
    expect(await promptOf('team.x')).toContain('of the project');
    await write('project/r.yaml', 'workflow: team.r\nbroken: 1');
    expect(await promptOf('team.x')).toContain('of the user');
  });

  it('take their callers with them when they change, however far away', async () => {
    await write('project/a.yaml', calling('team.a', 'team.b'));
    await write('project/b.yaml', calling('team.b', 'team.c'));
    await write('project/c.yaml', prompted('team.c', 'one'));
    await write('project/d.yaml', prompted('team.d', 'apart'));
    const [a, d] = [(await library.find('team.a'))!.workflow!, (await library.find('team.d'))!.workflow!];
    await write('project/c.yaml', prompted('team.c', 'another'));
    expect(await promptOf('team.a')).toContain('another');
    expect(pinWorkflow((await library.find('team.a'))!.workflow!).hash).not.toBe(pinWorkflow(a).hash);
    expect((await library.find('team.d'))!.workflow).toBe(d);
    await rm(join(folder, 'project/c.yaml'));
    expect((await library.find('team.a'))!.entry.violations).toMatchObject([
      { rule: 'routine', line: 4, message: expect.stringContaining('no routine named `team.c`') },
    ]);
    await write('project/e.yaml', prompted('team.c', 'elsewhere'));
    expect(await promptOf('team.a')).toContain('elsewhere');
  });

  it('may not go in a circle, and heal when it is cut', async () => {
    await write('project/a.yaml', calling('team.a', 'team.b'));
    await write('project/b.yaml', calling('team.b', 'team.a'));
    await write('project/s.yaml', calling('team.s', 'team.s'));
    const rules = async (): Promise<unknown> =>
      (await library.list())
        .map(({ id, violations }) =>
          [id, ...violations.map(({ rule, line, column }) => `${rule} ${line}:${column}`)].join(' '),
        )
        .toSorted();
    expect(await rules()).toEqual(['team.a call_cycle 4:25', 'team.b call_cycle 4:25', 'team.s call_cycle 4:25']);
    await write('project/b.yaml', prompted('team.b', 'no more'));
    expect(await rules()).toEqual(['team.a', 'team.b', 'team.s call_cycle 4:25']);
  });
});

describe('a library that watches', () => {
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + 5000; !(await holds());) {
      if (Date.now() > end) throw new Error('nothing was noticed');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const titles = async (): Promise<readonly string[]> => (await library.list()).map(({ title }) => title);

  it('notices files and folders that come, change and go', async () => {
    library.watch();
    expect(await titles()).toEqual([]);
    await write('project/deep/x.yaml', workflow('team.x', 'One'));
    await until(async () => (await titles()).join() === 'One');
    await write('project/deep/x.yaml', workflow('team.x', 'Two'));
    await until(async () => (await titles()).join() === 'Two');
    await write('user/y.yaml', workflow('team.y', 'Three'));
    await until(async () => (await titles()).length === 2);
    await rm(join(folder, 'project'), { recursive: true });
    await until(async () => (await titles()).join() === 'Three');
    await write('project/x.yaml', workflow('team.x', 'Back'));
    await until(async () => (await titles()).join() === 'Back,Three');
  });

  it('starts nothing that is out of date, whatever the system has told so far', async () => {
    await write('project/c.yaml', prompted('team.c', 'one'));
    await write('project/a.yaml', calling('team.a', 'team.c'));
    library.watch();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let turn = 0; turn < 20; turn += 1) {
      await write('project/c.yaml', prompted('team.c', `number ${turn}`));
      expect(await promptOf('team.a')).toContain(`number ${turn}`);
    }
    await write('project/new.yaml', workflow('team.new'));
    expect(await library.find('team.new')).toBeDefined();
  });
});

describe('a file that was read while it was fresh', () => {
  it('is not taken for unchanged once it is gone', async () => {
    await write('project/x.yaml', workflow('team.x'));
    const folders = new Folders([{ name: 'project', folder: join(folder, 'project'), label: 'project' }]);
    folders.read('anything');
    const [file] = folders.found().flat();
    expect(file!.read.broken).toBeUndefined();
    await rm(file!.path);
    expect(folders.isAsRead(file!.path)).toBe(false);
  });
});

describe('the bundled workflows', () => {
  const bundled = openLibrary([
    { name: 'bundled', folder: fileURLToPath(new URL('../../workflows', import.meta.url)), label: 'workflows' },
  ]);

  it('are the ones we ship, without a violation or a warning', async () => {
    const entries = await bundled.list();
    expect(entries.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['wr.bug_investigation', 'wr.coding_task', 'wr.review_change']),
    );
    expect(entries.map(({ violations, warnings }) => [violations, warnings])).toEqual(entries.map(() => [[], []]));
    for (const { description } of entries) expect(description).toMatch(/^Use this /u);
  });
});
