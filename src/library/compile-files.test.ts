import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as compileSource from '../definitions/compile-source.js';
import { lookUpSmall } from '../../property-tests/worlds/small-catalog.js';
import type { CommandLookup } from '../definitions/compiled/command-lookup.js';
import type { KeptFile } from './compile-files.js';
import type { WorkflowSource } from './library-entry.js';
import { type KeptCompilations, openLibrary } from './workflow-library.js';

vi.mock('../definitions/compile-source.js', { spy: true });

const bundled = {
  name: 'bundled',
  folder: fileURLToPath(new URL('../../workflows', import.meta.url)),
  label: 'bundled',
} as const;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keeping = (
  files: readonly KeptFile[],
  compiled: KeptCompilations['compiled'] = () => undefined,
): KeptCompilations => ({ read: () => files, compiled, close: () => undefined });

/** As another process would read it. */
async function keptOf(source: WorkflowSource): Promise<readonly KeptFile[]> {
  let text = '[]';
  await openLibrary(
    [source],
    keeping([], (_, all) => (text = JSON.stringify(all()))),
  ).list();
  return JSON.parse(text) as readonly KeptFile[];
}

test('a library that begins with what was kept says and holds the same as one that compiles everything', async () => {
  const plain = openLibrary([bundled]);
  const kept = await keptOf(bundled);
  const quick = openLibrary([bundled], keeping(kept));
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
  const kept = await keptOf(source);
  // Recognisably not what compiling gives: who shows it has believed it.
  const marked = kept.map((one) =>
    one.compilation.ok
      ? { ...one, compilation: { ...one.compilation, workflow: { ...one.compilation.workflow, description: 'Kept.' } } }
      : one,
  );
  const told = async (): Promise<readonly (string | undefined)[]> => {
    const library = openLibrary([source], keeping(marked));
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

test.each(Object.getOwnPropertyNames(Object.prototype))('a file that speaks of `%s` hides no other', async (name) => {
  const source = { name: 'project', folder, label: 'p' } as const;
  const workflow = (id: string, schema: object): object => ({
    workflow: id,
    title: 'T',
    description: 'Use this.',
    version: '1.0.0',
    steps: [{ id: 'a', title: 'A', prompt: 'P', output: { kind: 't.k', schema, example: { a: 1 } } }],
  });
  const named = (value: unknown): object => Object.fromEntries([[name, value]]);
  writeFileSync(
    join(folder, 'field.json'),
    JSON.stringify(workflow('team.field', { properties: named({ type: 'string' }) })),
  );
  writeFileSync(join(folder, 'keyword.json'), JSON.stringify(workflow('team.keyword', named(true))));
  writeFileSync(join(folder, 'good.json'), JSON.stringify(workflow('team.good', { type: 'object' })));
  const listed = await openLibrary([source]).list();
  const rules = Object.fromEntries(listed.map(({ id, violations }) => [id, violations.map(({ rule }) => rule)]));
  expect(rules).toEqual(
    name === '__proto__'
      ? { 'team.field': ['unknown_key'], 'team.keyword': ['unknown_key'], 'team.good': [] }
      : { 'team.field': [], 'team.keyword': ['schema'], 'team.good': [] },
  );
});

test('what nobody thought of in one file is told of that file', async () => {
  const workflow = (id: string): string =>
    `workflow: ${id}\ntitle: T\ndescription: D.\nversion: 1.0.0\nsteps:\n  - { id: a, title: A, prompt: P }\n`;
  writeFileSync(join(folder, 'bad.yaml'), workflow('team.bad'));
  writeFileSync(join(folder, 'good.yaml'), workflow('team.good'));
  vi.spyOn(compileSource, 'compileDocument').mockImplementationOnce(() => {
    throw new TypeError('cannot read\n  anything');
  });
  const listed = await openLibrary([{ name: 'project', folder, label: 'p' }]).list();
  expect(listed.map(({ id, violations }) => [id, violations])).toEqual([
    [
      'team.bad',
      [expect.objectContaining({ rule: 'internal', message: expect.stringContaining('cannot read anything') })],
    ],
    ['team.good', []],
  ]);
});

test('a catalog that changes makes another of each file that uses what has changed', async () => {
  const source = { name: 'project', folder: folder, label: 'p' } as const;
  const file = (name: string, run: string): void =>
    writeFileSync(
      join(folder, `${name}.yaml`),
      `workflow: team.${name}\ntitle: T\ndescription: D.\nsteps:\n  - { id: a, run: ${run}, with: { owner: a, repo: b, branch: c } }\n`,
    );
  file('branch', 'github repos/get-branch');
  file('other', 'later anything');
  let path = '/first';
  const commands: CommandLookup = (catalog, command) => {
    const found = lookUpSmall(catalog, command);
    return found === undefined || 'problem' in found ? found : { ...found, path };
  };
  const library = openLibrary([source], undefined, { lookup: commands, state: () => path });
  const pathOf = async (id: string): Promise<readonly string[]> =>
    Object.values((await library.find(id))?.workflow?.operations ?? {}).map((operation) => operation.path);
  expect(await pathOf('team.branch')).toEqual(['/first']);
  const other = (await library.find('team.other'))?.workflow;
  path = '/second';
  file('touched', 'later anything');
  expect(await pathOf('team.branch')).toEqual(['/second']);
  expect((await library.find('team.other'))?.workflow).toBe(other);
  expect((await library.find('team.branch'))?.entry).toMatchObject({ runsCommands: true, warnings: [] });
});

test('what was compiled without catalogs is compiled anew where there are some, and the other way round', async () => {
  const source = { name: 'project', folder: folder, label: 'p' } as const;
  writeFileSync(
    join(folder, 'x.yaml'),
    'workflow: team.x\ntitle: T\ndescription: D.\nsteps:\n  - { id: a, run: github repos/get-brnch }\n',
  );
  const kept = await keptOf(source);
  expect(kept).toMatchObject([{ asked: [['run *', 'none']] }]);
  const rules = async (commands?: CommandLookup): Promise<readonly string[]> => {
    const [entry] = await openLibrary(
      [source],
      keeping(kept),
      commands && { lookup: commands, state: () => '' },
    ).list();
    return [...(entry?.violations ?? []), ...(entry?.warnings ?? [])].map(({ rule }) => rule);
  };
  expect(await rules()).toEqual(['catalogs_not_read']);
  expect(await rules(lookUpSmall)).toEqual(['command']);
});

test('what a catalog says of answers is known of files too', async () => {
  const source = { name: 'project', folder: folder, label: 'p' } as const;
  const text = (field: string): string =>
    `workflow: team.x\ntitle: T\ndescription: D.\nsteps:\n  - { id: a, run: github orgs/list-for-authenticated-user, keep: { b: 'body.${field}' } }\n`;
  const schema = { type: 'object', properties: { login: { type: 'string' } } };
  const answers = () => ({ answers: [{ status: '200', schemas: [schema] }], definitions: {} });
  const lookup = Object.assign((...names: Parameters<CommandLookup>) => lookUpSmall(...names), { answers });
  const library = openLibrary([source], undefined, { lookup, state: () => '' });
  const found = async (field: string): Promise<readonly unknown[]> => {
    writeFileSync(join(folder, 'x.yaml'), text(field));
    return (await library.list()).flatMap(({ violations }) => violations.map(({ closest }) => closest));
  };
  expect(await found('login')).toEqual([]);
  expect(await found('logn')).toEqual(['body.login']);
});
