import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../base/digest.js';
import { pinWorkflow } from '../definitions/pin.js';
import { openLibrary, type Library } from './workflow-library.js';

let folder: string;
let library: Library;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const workflow = (id: string, title = 'T', more = ''): string => `workflow: ${id}\ntitle: ${title}\ndescription: Use this.\n${more}steps: [ { id: a, prompt: Go. } ]\n`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
  library = openLibrary([
    { name: 'bundled', folder: join(folder, 'bundled'), label: 'bundled' },
    { name: 'user', folder: join(folder, 'user'), label: '~/workflows' },
    { name: 'project', folder: join(folder, 'project'), label: '.workrail/workflows' },
  ]);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('a library', () => {
  it('lists by namespace, workflows before routines, then id', async () => {
    await write('bundled/z.yaml', workflow('wr.z'));
    await write('bundled/a.yaml', workflow('wr.a', 'A', 'kind: routine\n'));
    await write('project/deep/er/b.json', JSON.stringify({ workflow: 'team.b', description: 'D', steps: [{ id: 'a', prompt: 'p' }] }));
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
    expect(await library.list()).toMatchObject([{ title: 'Of the project', source: 'project', hides: [{ source: 'user', file: '~/workflows/x.yaml' }], violations: [] }]);
    const hidden = pinWorkflow((await openLibrary([{ name: 'user', folder: join(folder, 'user'), label: 'u' }]).find('team.x'))!.workflow!);
    expect(await library.byHash(hidden.hash)).toBe(hidden.text);
    expect(await library.byHash('0'.repeat(64) as typeof hidden.hash)).toBeUndefined();
  });

  it('lists a broken file, which hides nothing', async () => {
    await write('user/x.yaml', workflow('team.x'));
    await write('project/x.yaml', workflow('team.x', 'Broken', 'nonsense: 1\n'));
    await write('project/odd name.yaml', '{{{');
    const entries = await library.list();
    expect(entries.map(({ id, violations }) => [id, violations.length])).toEqual([['odd name', expect.any(Number)], ['team.x', 0], ['team.x', 1]]);
    expect(entries[2]?.violations[0]).toMatchObject({ rule: 'unknown_key', line: 4 });
    expect(await library.find('team.x')).toMatchObject({ entry: { source: 'user' }, workflow: { id: 'team.x' } });
    expect(await library.find('odd name')).not.toHaveProperty('workflow');
    expect(await library.find('team.y')).toBeUndefined();
    expect(await library.closest('team.y')).toEqual(['team.x']);
  });

  it('keeps wr. for what is bundled, and says how to rename', async () => {
    await write('bundled/x.yaml', workflow('wr.x'));
    await write('project/x.yaml', workflow('wr.x', 'Mine'));
    expect((await library.list()).map(({ source, violations }) => [source, violations.map(({ rule, closest }) => [rule, closest])])).toEqual([['bundled', []], ['project', [['reserved_namespace', 'project.x']]]]);
    expect((await library.find('wr.x'))?.entry.source).toBe('bundled');
  });

  it('runs a legacy id and suggests a name for it', async () => {
    await write('project/x.yaml', workflow('old_one'));
    expect(await library.find('old_one')).toMatchObject({ entry: { idStatus: 'legacy', suggestedId: 'project.old_one', warnings: [{ rule: 'legacy_id' }] }, workflow: { id: 'old_one' } });
  });

  it('refuses the later of two files with one id', async () => {
    await write('project/a.yaml', workflow('team.x', 'A'));
    await write('project/b.yaml', workflow('team.x', 'B'));
    expect((await library.list()).map(({ title, violations }) => [title, violations.map(({ rule }) => rule)])).toEqual([['A', []], ['B', ['duplicate_id']]]);
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

  it('follows no links, and reads nothing that is too large or no text', async () => {
    await write('elsewhere/x.yaml', workflow('team.x'));
    await mkdir(join(folder, 'project'));
    await symlink(join(folder, 'elsewhere/x.yaml'), join(folder, 'project/link.yaml'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'project/folder'));
    await write('project/big.yaml', 'x'.repeat(1_100_000));
    await writeFile(join(folder, 'project/bytes.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    expect((await library.list()).map(({ id, violations }) => [id, violations[0]?.rule])).toEqual([['big', 'file_size'], ['bytes', 'encoding']]);
    expect(JSON.stringify(await library.list())).not.toContain(folder);
  });
});

describe('the bundled workflows', () => {
  const bundled = openLibrary([{ name: 'bundled', folder: fileURLToPath(new URL('../../workflows', import.meta.url)), label: 'workflows' }]);

  it('are the ones we ship, without a violation or a warning', async () => {
    const entries = await bundled.list();
    expect(entries.map(({ id }) => id)).toEqual(['wr.bug_investigation', 'wr.coding_task', 'wr.review_change']);
    expect(entries.map(({ violations, warnings }) => [violations, warnings])).toEqual(entries.map(() => [[], []]));
    for (const { description } of entries) expect(description).toMatch(/^Use this /u);
  });
});
