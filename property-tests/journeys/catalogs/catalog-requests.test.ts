import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { openBuiltRequests } from '../../worlds/built-requests.js';
import { petDocument } from '../../worlds/pet-document.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 19, openRequests: openBuiltRequests });
  requests = world.open();
  put('pets.json');
});
afterEach(() => world.close());

const workspace = (...names: readonly string[]): string => join(world.folder, 'workspace', ...names);
const put = (name: string, value: unknown = petDocument): void =>
  writeFileSync(workspace(name), typeof value === 'string' ? value : JSON.stringify(value));
const catalogs = (...names: readonly string[]): string => join(world.data, 'catalogs', ...names);
const told = (name: Parameters<typeof call>[1], args: JsonObject = {}): Promise<Called> => call(requests, name, args);
const codeOf = ({ answer }: Called): unknown => answer['error_code'];
const importPets = (args: JsonObject = {}): Promise<Called> =>
  told('import_openapi', { source: 'pets.json', catalogId: 'pets', ...args });
const revisionOf = async (id = 'pets'): Promise<string> => {
  const { answer } = await told('list_catalogs');
  return textOf(listOf(answer['catalogs']).find(({ catalogId }) => catalogId === id)?.['revision']);
};
/** All files of the data root but those that are speed only, as they are. */
const onDisk = (folder = world.folder): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return entry.isFile() && !/\/local\/|\/keys/u.test(file) ? [[file, readFileSync(file, 'utf8')]] : [];
    }),
  );
const unchangedBy = async (work: () => Promise<unknown>): Promise<void> => {
  const before = onDisk();
  await work();
  expect(onDisk()).toEqual(before);
};
const workflow = (run: string, more = ''): string =>
  `workflow: team.pets\ntitle: Pets\ndescription: Use this for pets.\nsteps:\n  - id: go\n    run: ${run}\n${more}`;

describe('a document becomes a catalog', () => {
  it('checked, shown, imported, searched, changed and removed', async () => {
    const valid = await told('validate_openapi', { source: 'pets.json' });
    expect(valid.answer).toMatchObject({
      valid: true,
      documentKind: 'openapi_3',
      operationCount: 4,
      title: 'Pet shop',
    });
    const preview = await told('preview_openapi', { source: 'pets.json', includeCommandPreview: true });
    expect(preview.answer).toMatchObject({
      catalog: { catalogId: 'pets', title: 'Pet shop', baseUrl: 'https://pets.example/v1' },
      projectedCommandCount: 4,
      projectedGroupPrefixes: ['pets'],
      providerContractCount: 1,
    });
    expect(listOf(preview.answer['commandPreview'])).toHaveLength(4);
    expect(existsSync(catalogs())).toBe(false);
    const { tool, arguments: args = null } = fieldsOf(preview.answer['nextCall']);
    expect(tool).toBe('import_openapi');
    if (!isJsonObject(args)) throw new Error('the import is handed out whole');
    const imported = await told('import_openapi', args);
    expect(imported.answer).toMatchObject({ catalogId: 'pets', happened: 'created', commandCount: 4, enabled: true });
    expect(JSON.parse(readFileSync(catalogs('pets', 'document.json'), 'utf8'))).toEqual(petDocument);
    expect(JSON.parse(readFileSync(catalogs('pets', 'catalog.json'), 'utf8'))).toEqual({
      version: 1,
      enabled: true,
      from: 'pets.json',
    });
    const found = await told('search_commands', { query: 'add an animal pet' });
    expect(listOf(found.answer['commands'])[0]).toMatchObject({ command: 'pets pets/add', safety: 'mutating' });
    const one = await told('search_commands', { commandId: 'pets pets/delete' });
    expect(one.answer).toMatchObject({ safety: 'destructive', repeatable: true, baseUrl: 'https://pets.example/v1' });
    const providers = await told('list_providers', { query: 'pets' });
    expect(listOf(providers.answer['providers'])).toMatchObject([
      { command: 'pets pets/list', items: 'body', select: ['name', 'id', 'status'] },
    ]);
    const configured = await told('configure_catalog', {
      catalogId: 'pets',
      auth: { kind: 'bearer', token: '${{ secrets.PETS }}' },
    });
    expect(configured.reply.text).toContain('workrail catalogs secret pets PETS');
    const listed = await told('list_catalogs');
    expect(listOf(listed.answer['catalogs'])[0]).toMatchObject({ missingSecrets: ['PETS'] });
    expect(listed.reply.text).toContain('not set on this machine: PETS');
    const unconfirmed = await told('remove_catalog', { catalogId: 'pets' });
    expect(codeOf(unconfirmed)).toBe('CONFIRMATION_REQUIRED');
    const confirm = await revisionOf();
    const removed = await told('remove_catalog', { catalogId: 'pets', confirm, removeManifest: true });
    expect(removed.answer).toMatchObject({
      removedCatalogId: 'pets',
      manifestRemoved: true,
      remainingCatalogCount: 0,
    });
    expect(existsSync(catalogs('pets'))).toBe(false);
    const trash = join(world.data, 'local', 'deleted', textOf(removed.answer['movedTo']).split('/').at(-1)!);
    expect(readdirSync(trash).toSorted()).toEqual(['catalog.json', 'document.json']);
  });

  it('once, and over another only when it is said, with what was configured', async () => {
    await importPets();
    expect((await importPets()).answer['happened']).toBe('unchanged');
    const auth = { kind: 'bearer', token: '${{ secrets.PETS }}' };
    await told('configure_catalog', {
      catalogId: 'pets',
      auth,
      headers: { 'x-team': 'a' },
      baseUrl: 'https://b.example',
    });
    put('pets.json', { ...petDocument, info: { title: 'Other', version: '2' } });
    await unchangedBy(async () => expect(codeOf(await importPets())).toBe('ALREADY_EXISTS'));
    const replaced = await importPets({ overwrite: true });
    expect(replaced.answer['happened']).toBe('replaced');
    expect(JSON.parse(readFileSync(catalogs('pets', 'catalog.json'), 'utf8'))).toEqual({
      version: 1,
      enabled: true,
      from: 'pets.json',
      auth,
      headers: { 'x-team': 'a' },
      baseUrl: 'https://b.example',
    });
    const { answer } = await told('list_catalogs');
    expect(listOf(answer['catalogs'])).toMatchObject([
      { title: 'Other', auth: 'bearer', baseUrl: 'https://b.example' },
    ]);
  });

  it('not if it changed since it was shown', async () => {
    const preview = await told('preview_openapi', { source: 'pets.json' });
    put('pets.json', { ...petDocument, info: { title: 'Other', version: '2' } });
    const expectedDocument = textOf(preview.answer['document']);
    const refused = await importPets({ expectedDocument });
    expect([codeOf(refused), refused.reply.text]).toEqual(['REVISION_CONFLICT', expect.stringContaining('preview it')]);
    expect(existsSync(catalogs('pets'))).toBe(false);
  });

  it('again after it was removed, from the document that stayed', async () => {
    await importPets();
    const removed = await told('remove_catalog', { catalogId: 'pets', confirm: await revisionOf() });
    expect(removed.answer['manifestRemoved']).toBe(false);
    expect(readdirSync(catalogs('pets'))).toEqual(['document.json']);
    expect(codeOf(await told('set_catalog_enabled', { catalogId: 'pets', enabled: true }))).toBe('NOT_FOUND');
    expect((await importPets()).answer['happened']).toBe('created');
    expect(readdirSync(catalogs('pets')).toSorted()).toEqual(['catalog.json', 'document.json']);
  });

  it('of several files, and again out of the one file that is kept', async () => {
    const parts: JsonObject = { ...petDocument, components: {} };
    put('parts.json', JSON.stringify(parts).replaceAll('#/components/schemas/Pet', 'pet.json#/Pet'));
    put('pet.json', { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } });
    expect((await importPets({ source: 'parts.json' })).answer['happened']).toBe('created');
    rmSync(workspace('pet.json'));
    const again = makeRequestsWorld({ seed: 1, openRequests: openBuiltRequests });
    const kept = readFileSync(catalogs('pets', 'document.json'));
    writeFileSync(join(again.folder, 'workspace', 'kept.json'), kept);
    const imported = await call(again.open(), 'import_openapi', { source: 'kept.json', catalogId: 'pets' });
    expect(imported.answer).toMatchObject({ happened: 'created', commandCount: 4 });
    expect(readFileSync(join(again.data, 'catalogs', 'pets', 'document.json'))).toEqual(kept);
    await again.close();
    // Nor is the index needed that the import wrote.
    rmSync(join(world.data, 'local', 'index'), { recursive: true });
    const told = await call(world.open(), 'search_commands', { commandId: 'pets pets/add' });
    expect(JSON.stringify(told.answer['definitions'])).toContain('name');
  });
});

describe('what is wrong is told, and nothing is written', () => {
  const bad: readonly (readonly [string, JsonObject, string, string])[] = [
    ['no such file', { source: 'none.json' }, 'NOT_FOUND', 'no such file'],
    ['a NUL in its name', { source: 'a\0b' }, 'NOT_FOUND', '\\u0000'],
    ['a line break in its name', { source: 'a\nb' }, 'NOT_FOUND', '"a\\nb"'],
    ['outside the workspace', { source: '../bundled' }, 'NOT_FOUND', 'outside the workspace'],
    ['a folder', { source: '.' }, 'NOT_FOUND', 'is a folder'],
    ['an address', { source: 'https://a.example/x.json' }, 'PRECONDITION_FAILED', 'sourceType'],
    ['an id that leads out', { catalogId: '../x' }, 'VALIDATION_ERROR', 'is not a catalog id'],
    ['an id with a NUL', { catalogId: 'a\0' }, 'VALIDATION_ERROR', 'is not a catalog id'],
    ['an id with a line break', { catalogId: 'pets\n' }, 'VALIDATION_ERROR', 'is not a catalog id'],
    ['no address', { baseUrl: 'pets.example' }, 'VALIDATION_ERROR', 'http'],
    ['an address with a password', { baseUrl: 'https://a:b@pets.example' }, 'VALIDATION_ERROR', 'password'],
    ['another kind of address', { baseUrl: 'file:///etc' }, 'VALIDATION_ERROR', 'http'],
  ];
  it.each(bad)('%s', async (_, args, code, says) => {
    await unchangedBy(async () => {
      const refused = await importPets(args);
      expect([codeOf(refused), refused.reply.text]).toEqual([code, expect.stringContaining(says)]);
      if (args['catalogId'] === undefined && args['baseUrl'] === undefined)
        expect(codeOf(await told('validate_openapi', { source: args['source']! }))).toBe(code);
    });
  });

  const documents: readonly (readonly [string, unknown, string])[] = [
    ['AsyncAPI', { asyncapi: '2.0.0', channels: {} }, 'AsyncAPI'],
    ['a GraphQL schema', { data: { __schema: {} } }, 'GraphQL'],
    ['a Postman collection', { info: {}, item: [] }, 'Postman'],
    ['no object', '[1]', 'not an object'],
    ['nothing', '', 'a value is expected'],
    ['cut', JSON.stringify(petDocument).slice(0, 400), 'bad.json:1:391'],
    ['no text', '\u0000\u0001', ''],
    ['nested a hundred thousand deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested'],
    ['OpenAPI 1.2', { swagger: '1.2' }, 'convert'],
  ];
  it.each(documents)('%s', async (_, value, says) => {
    put('bad.json', value);
    await unchangedBy(async () => {
      const judged = await told('validate_openapi', { source: 'bad.json' });
      expect([judged.reply.failed, judged.answer['valid']]).toEqual([false, false]);
      expect(judged.reply.text).toContain(says);
      for (const tool of ['preview_openapi', 'import_openapi'] as const) {
        const refused = await told(tool, { source: 'bad.json', catalogId: 'bad' });
        expect([codeOf(refused), refused.reply.text]).toEqual(['CATALOG_INVALID', expect.stringContaining(says)]);
      }
    });
  });

  it('a reference to a file outside, to a link that leads there, or to a host is nothing that is read', async () => {
    writeFileSync(join(world.folder, 'secret.json'), '{"Secret":{"const":"told"}}');
    symlinkSync(join(world.folder, 'secret.json'), workspace('link.json'));
    for (const ref of ['../secret.json#/Secret', 'link.json#/Secret', 'http://127.0.0.1:1/x#/Secret', '/etc/passwd']) {
      put('refs.json', JSON.stringify(petDocument).replaceAll('#/components/schemas/Pet', ref));
      const imported = await told('import_openapi', { source: 'refs.json', catalogId: 'refs', overwrite: true });
      expect(imported.reply.text).toContain('warning');
      expect(JSON.stringify(onDisk(catalogs()))).not.toContain('told');
      const one = await told('search_commands', { commandId: 'refs pets/add' });
      expect(one.reply.text).not.toContain('told');
    }
  });

  it('a file of 200 MB', async () => {
    writeFileSync(workspace('large.json'), Buffer.alloc(200 * 1024 * 1024, 32));
    const refused = await importPets({ source: 'large.json' });
    expect([codeOf(refused), refused.reply.text]).toEqual(['CATALOG_INVALID', expect.stringContaining('32 MiB')]);
  });

  it('a catalog that is not here, with the closest', async () => {
    await importPets();
    const calls: readonly [Parameters<typeof call>[1], JsonObject][] = [
      ['set_catalog_enabled', { catalogId: 'petz', enabled: true }],
      ['configure_catalog', { catalogId: 'petz' }],
      ['remove_catalog', { catalogId: 'petz' }],
      ['search_commands', { catalog: 'petz', query: 'x' }],
      ['list_providers', { catalog: 'petz' }],
      ['search_commands', { commandId: 'pets pets/ad' }],
    ];
    for (const [name, args] of calls) {
      const refused = await told(name, args);
      expect([name, codeOf(refused), refused.reply.text]).toEqual([
        name,
        'NOT_FOUND',
        expect.stringContaining('closest: pets'),
      ]);
    }
    for (const [commandId, catalog, meant] of [
      ['petz pets/add', 'petz', 'pets pets/add'],
      ['pets-api pets/add', 'pets-api', 'pets pets/add'],
      ['zoo pets/add', 'zoo', 'pets pets/add'],
      ['petz nothing/here', 'petz', 'pets'],
    ]) {
      const refused = await told('search_commands', { commandId: commandId! });
      expect([codeOf(refused), refused.reply.text]).toEqual([
        'NOT_FOUND',
        expect.stringContaining(`no catalog named \`${catalog}\`; did you mean \`${meant}\`?`),
      ]);
      const { tool, arguments: args } = fieldsOf(refused.answer['nextCall']);
      expect((await told(tool as 'search_commands', args as JsonObject)).reply.failed).toBe(false);
    }
    expect((await told('search_commands', { commandId: 'pets/add' })).answer['command']).toBe('pets pets/add');
    for (const name of ['list_catalogs', 'search_commands', 'list_providers'] as const)
      expect((await told(name, { cursor: 'x' })).reply.failed).toBe(true);
  });

  it('a path that leads to no document, with what to do', async () => {
    mkdirSync(workspace('apis'));
    put(join('apis', 'petstore.yaml'));
    writeFileSync(join(world.folder, 'outside.json'), '{}');
    const paths: readonly [source: string, says: string][] = [
      ['apis/petstor.yaml', 'no such file: apis/petstor.yaml; did you mean apis/petstore.yaml?'],
      ['apis/petstor.yaml', '"source":"apis/petstore.yaml"'],
      ['apis', 'apis is a folder'],
      ['.', '. is a folder'],
      ['apis/petstore.yaml/x', 'no such file: apis/petstore.yaml/x\n'],
      ['../outsid.json', 'no such file: ../outsid.json\n'],
      ['../outside.json', 'copy it into the workspace first'],
    ];
    for (const [source, says] of paths)
      for (const tool of ['validate_openapi', 'preview_openapi', 'import_openapi'] as const) {
        const refused = await told(tool, { source });
        expect([codeOf(refused), refused.reply.text]).toEqual(['NOT_FOUND', expect.stringContaining(says)]);
      }
  });

  it('a secret that is missing is told with the whole line, where its variable is there', async () => {
    await importPets();
    const args = { catalogId: 'pets', auth: { kind: 'bearer', token: '${{ secrets.PETS }}' } };
    const line = 'workrail catalogs secret pets PETS';
    expect((await told('configure_catalog', args)).reply.text).toContain(`${line}; with --env VARIABLE`);
    requests = world.open(undefined, { PETS: 'of-the-environment' });
    expect((await told('configure_catalog', args)).reply.text).toContain(`${line} --env PETS.`);
    const file = join(world.folder, 'secrets.json');
    const entry = { catalog: 'pets', origin: 'https://pets.example', name: 'PETS', env: 'PETS' };
    writeFileSync(file, JSON.stringify({ secrets: [entry] }), { mode: 0o600 });
    requests = world.open(undefined, { WORKRAIL_SECRETS_FILE: file });
    const set = await told('configure_catalog', args);
    expect(set.answer['warnings']).toEqual([]);
  });

  it('a setting that nobody knows, with those that are known', async () => {
    await importPets();
    const settings: readonly [JsonObject, string][] = [
      [
        { limits: { timeout: 60 } },
        '/limits/timeout: `timeout` is not known here; did you mean timeoutMs? (known keys: timeoutMs, answerBytes, atOnce)',
      ],
      [{ auth: { kind: 'bearer', tokn: 'x' } }, '`tokn` is not known here; did you mean token?'],
    ];
    for (const [args, says] of settings)
      expect((await told('configure_catalog', { catalogId: 'pets', ...args })).reply.text).toContain(says);
  });

  it('a secret that is sent as itself, and settings that cannot be', async () => {
    await importPets();
    const wrong: readonly JsonObject[] = [
      { auth: { kind: 'bearer', token: 'ghp_abcdef' } },
      { auth: { kind: 'basic', user: 'a', password: 'b' } },
      { auth: { kind: 'magic' } },
      { headers: { 'a b': 'c' } },
      { headers: { a: 'b\r\nc: d' } },
      { allow: ['not an address'] },
      { limits: { timeoutMs: -1 } },
      { baseUrl: 'https://x.example/?token=1' },
      { idempotencyHeader: 'a:b' },
      { headers: { Authorization: 'Bearer ghp_abcdef' } },
      { headers: { 'x-api-key': 'ghp_abcdef' } },
    ];
    await unchangedBy(async () => {
      for (const args of wrong) {
        const refused = await told('configure_catalog', { catalogId: 'pets', ...args });
        expect([codeOf(refused), refused.reply.text]).toEqual(['VALIDATION_ERROR', expect.stringContaining('/')]);
        expect(refused.reply.text).not.toContain('ghp_abcdef');
      }
    });
  });
});

describe('who may', () => {
  it('call what is not public is asked of the user', async () => {
    await importPets();
    const allow = ['127.0.0.1:8080'];
    await unchangedBy(async () => {
      expect(codeOf(await told('configure_catalog', { catalogId: 'pets', allow }))).toBe('CONFIRMATION_REQUIRED');
      const stale = await told('configure_catalog', { catalogId: 'pets', allow, confirm: 'rv_0000000000000000' });
      expect(codeOf(stale)).toBe('CONFIRMATION_REQUIRED');
      // A revision can be had from any list: what agrees is told with what would be allowed, and with nothing else.
      const guessed = await told('configure_catalog', { catalogId: 'pets', allow, confirm: await revisionOf() });
      expect(codeOf(guessed)).toBe('CONFIRMATION_REQUIRED');
      const other = /send "confirm": "(rv_\w+)"/u.exec(stale.reply.text)![1]!;
      const more = { catalogId: 'pets', allow: [...allow, '10.0.0.0/8'], confirm: other };
      expect(codeOf(await told('configure_catalog', more))).toBe('CONFIRMATION_REQUIRED');
    });
    const before = await revisionOf();
    const asked = await told('configure_catalog', { catalogId: 'pets', allow });
    const confirm = /send "confirm": "(rv_\w+)"/u.exec(asked.reply.text)![1]!;
    expect((await told('configure_catalog', { catalogId: 'pets', allow, confirm })).answer['happened']).toBe(
      'configured',
    );
    // What was agreed to goes on; what is more is asked again.
    const headers = { a: 'b' };
    expect((await told('configure_catalog', { catalogId: 'pets', allow, headers })).answer['happened']).toBe(
      'configured',
    );
    const more = await told('configure_catalog', { catalogId: 'pets', allow: [...allow, '10.0.0.0/8'] });
    expect(more.reply.text).toContain('10.0.0.0/8');
    expect(codeOf(more)).toBe('CONFIRMATION_REQUIRED');
    const reset = await told('configure_catalog', { catalogId: 'pets', reset: ['allow'] });
    expect(reset.answer['settings']).toEqual({ from: 'pets.json', headers });
    const old = await told('configure_catalog', { catalogId: 'pets', headers: {}, expectedRevision: before });
    expect(codeOf(old)).toBe('REVISION_CONFLICT');
  });

  it('of forty who import at once one does, and nothing is half written', async () => {
    const others = Array.from({ length: 4 }, () => world.open());
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        call(others[at % 4]!, 'import_openapi', { source: 'pets.json', catalogId: 'pets', title: `T${at % 20}` }),
      ),
    );
    const counts = new Map<unknown, number>();
    for (const one of all) {
      const what = one.answer['happened'] ?? codeOf(one);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    expect(counts.get('created')).toBe(1);
    expect(counts.get('ALREADY_EXISTS')).toBeGreaterThan(0);
    expect(
      [...counts.keys()].filter((one) => !['ALREADY_EXISTS', 'created', 'unchanged'].includes(String(one))),
    ).toEqual([]);
    expect(readdirSync(catalogs()).filter((name) => name !== '.lock')).toEqual(['pets']);
  }, 120_000);
});

describe('catalogs that lie there', () => {
  it('with settings of nonsense are told, not used, and not written over', async () => {
    await importPets({ title: 'Mine' });
    for (const nonsense of ['{', '{"version":1}', '[]', '', '{"version":1,"enabled":true,"more":1}', 'a\0b']) {
      writeFileSync(catalogs('pets', 'catalog.json'), nonsense);
      const { answer } = await told('list_catalogs');
      expect(listOf(answer['catalogs'])).toMatchObject([{ catalogId: 'pets', enabled: false }]);
      expect(textOf(listOf(answer['catalogs'])[0]!['problem'])).toContain('catalog.json');
      await unchangedBy(async () => {
        expect(codeOf(await told('configure_catalog', { catalogId: 'pets', headers: {} }))).toBe('CATALOG_INVALID');
        expect(codeOf(await told('set_catalog_enabled', { catalogId: 'pets', enabled: true }))).toBe('CATALOG_INVALID');
        expect(codeOf(await importPets({ overwrite: true }))).toBe('CATALOG_INVALID');
        const one = await told('search_commands', { commandId: 'pets pets/add' });
        expect([codeOf(one), one.reply.text]).toEqual(['PRECONDITION_FAILED', expect.stringContaining('catalog.json')]);
      });
    }
    const removed = await told('remove_catalog', { catalogId: 'pets', confirm: await revisionOf() });
    expect(removed.answer['happened']).toBe('removed');
    expect((await importPets()).answer['happened']).toBe('created');
  });

  it('with a secret itself in a header are told by the name of the header, and stop no other', async () => {
    await importPets();
    put('others.json');
    await told('import_openapi', { source: 'others.json', catalogId: 'others' });
    const headers = { Authorization: 'Bearer pets-are-best' };
    writeFileSync(catalogs('pets', 'catalog.json'), JSON.stringify({ version: 1, enabled: true, headers }));
    const listed = await told('list_catalogs');
    expect(listOf(listed.answer['catalogs'])).toMatchObject([
      { catalogId: 'others', enabled: true },
      { catalogId: 'pets', enabled: false, problem: expect.stringContaining('headers.Authorization: names no secret') },
    ]);
    const started = await told('save_workflow', { content: workflow('pets pets/add') });
    const refused = await told('configure_catalog', { catalogId: 'pets', headers: {} });
    expect([codeOf(refused), started.reply.failed]).toEqual(['CATALOG_INVALID', true]);
    for (const { reply, answer } of [listed, started, refused])
      expect(`${reply.text}${JSON.stringify(answer)}`).not.toContain('best');
    writeFileSync(catalogs('pets', 'catalog.json'), '{"headers": {"Authorization": best}}');
    expect((await told('list_catalogs')).reply.text).not.toContain('best');
  });

  it('without their document keep their settings until it is imported again', async () => {
    await importPets({ title: 'Mine' });
    writeFileSync(catalogs('pets', 'document.json'), '{"openapi":');
    const { answer } = await told('list_catalogs');
    expect(listOf(answer['catalogs'])).toMatchObject([{ title: 'Mine', enabled: false, problem: expect.any(String) }]);
    rmSync(catalogs('pets', 'document.json'));
    expect((await told('list_catalogs')).reply.text).toContain('there is no document.json');
    expect((await importPets({ overwrite: true })).answer['happened']).toBe('replaced');
    const { answer: after } = await told('list_catalogs');
    expect(listOf(after['catalogs'])).toMatchObject([{ title: 'Mine', enabled: true, commandCount: 4 }]);
  });

  it('behind links are not followed, and what links lead to is not written', async () => {
    const outside = join(world.folder, 'outside');
    mkdirSync(outside);
    await importPets();
    for (const name of ['catalog.json', 'document.json']) {
      writeFileSync(join(outside, name), readFileSync(catalogs('pets', name)));
      rmSync(catalogs('pets', name));
      symlinkSync(join(outside, name), catalogs('pets', name));
      const { answer } = await told('list_catalogs');
      expect(listOf(answer['catalogs'])).toMatchObject([{ enabled: false, problem: expect.stringContaining('link') }]);
      const before = onDisk(outside);
      await importPets({ overwrite: true, title: 'Other' });
      await told('configure_catalog', { catalogId: 'pets', headers: { a: name } });
      expect(onDisk(outside)).toEqual(before);
      rmSync(catalogs('pets'), { recursive: true });
      await importPets();
    }
    rmSync(catalogs('pets'), { recursive: true });
    symlinkSync(outside, catalogs('pets'));
    expect((await told('list_catalogs')).reply.text).toContain('its folder is a link');
    await unchangedBy(async () => {
      const confirm = await revisionOf();
      for (const [name, args] of [
        ['import_openapi', { source: 'pets.json', catalogId: 'pets', overwrite: true }],
        ['configure_catalog', { catalogId: 'pets', headers: {} }],
        ['remove_catalog', { catalogId: 'pets', confirm }],
      ] as const) {
        const refused = await told(name, args);
        expect([name, codeOf(refused), refused.reply.text]).toEqual([
          name,
          'CATALOG_INVALID',
          expect.stringContaining('link'),
        ]);
      }
    });
    rmSync(catalogs(), { recursive: true });
    symlinkSync(outside, catalogs());
    await unchangedBy(async () => expect((await importPets()).reply.failed).toBe(true));
  });

  it('of the project hide those of the user, which are found again without them', async () => {
    await importPets({ to: 'user', title: 'Of the user' });
    const user = join(world.folder, 'config', 'workrail', 'catalogs');
    expect(readdirSync(user)).toContain('pets');
    expect((await importPets({ to: 'project', title: 'Of the project' })).answer['happened']).toBe('created');
    const { answer } = await told('list_catalogs');
    expect(listOf(answer['catalogs'])).toMatchObject([
      { title: 'Of the project', source: 'project', hides: ['user/catalogs/pets'] },
    ]);
    // The hidden one is still there to be replaced.
    expect(codeOf(await importPets({ to: 'user', title: 'New' }))).toBe('ALREADY_EXISTS');
    expect((await importPets({ to: 'user', title: 'New', overwrite: true })).answer['happened']).toBe('replaced');
    await told('remove_catalog', { catalogId: 'pets', confirm: await revisionOf(), removeManifest: true });
    expect(listOf((await told('list_catalogs')).answer['catalogs'])).toMatchObject([{ title: 'New', source: 'user' }]);
  });
});

it('what there is of commands and providers can be read, catalog by catalog', async () => {
  await importPets();
  await told('set_catalog_enabled', { catalogId: 'pets', enabled: false });
  const pages = await Promise.all(
    ['commands', 'providers'].map(async (name) => {
      const found = await requests.resources?.read(`workrail://${name}`);
      return JSON.parse(found?.text ?? '{}') as JsonObject;
    }),
  );
  const [commands, providers] = pages;
  expect(commands).toMatchObject({
    search: expect.stringContaining('search_commands'),
    catalogs: [{ catalogId: 'pets', title: 'Pet shop', enabled: false, commandCount: 4, groups: ['pets'] }],
  });
  expect(providers).toMatchObject({ catalogs: [{ catalogId: 'pets', enabled: false, providerCount: 1 }] });
});

describe.each([{ watch: true }, { watch: false }])('workflows that run commands, $watch', ({ watch }) => {
  it('follow what becomes of the catalog, in a server that stays', async () => {
    requests = world.open(undefined, {}, undefined, { watch });
    await importPets();
    const started = async (): Promise<string> => {
      const { reply } = await told('start_workflow', { workflowId: 'team.pets' });
      return reply.text;
    };
    const content = workflow('pets pets/list').replace('steps:', 'steps:\n  - { id: say, prompt: Say why. }');
    await told('save_workflow', { content });
    expect(await started()).toContain('Started “Pets”');
    const disabled = await told('set_catalog_enabled', { catalogId: 'pets', enabled: false });
    expect(disabled.answer).toMatchObject({ happened: 'disabled', enabled: false, commandCountAfterToggle: 0 });
    expect(disabled.answer['warnings']).toEqual([
      'team.pets (data/workflows/team.pets.yaml) uses it and cannot be started any more',
    ]);
    expect(await started()).toContain('the catalog `pets` is disabled; enable it with set_catalog_enabled');
    const enabling = 'set_catalog_enabled {"catalogId":"pets","enabled":true}';
    for (const args of [{ query: 'list pets' }, { catalog: 'pets' }, { query: 'zzzzzz' }]) {
      const searched = await told('search_commands', args);
      expect(searched.reply.text.split('\n')[0]).toMatch(/^Not searched, since disabled: pets\./u);
      expect(searched.reply.text).toContain(enabling);
    }
    // Those that name it are told too while they cannot be started.
    expect((await told('remove_catalog', { catalogId: 'pets' })).reply.text).toContain(
      'team.pets (data/workflows/team.pets.yaml) would no longer start',
    );
    const enabled = await told('set_catalog_enabled', { catalogId: 'pets', enabled: true });
    expect(enabled.answer).toMatchObject({ happened: 'enabled', commandCountAfterToggle: 4 });
    expect(await started()).toContain('Started “Pets”');
    // By an editor, or git.
    const text = JSON.stringify(petDocument).replaceAll('pets/list', 'pets/all');
    writeFileSync(catalogs('pets', 'document.json'), text);
    expect(await started()).toContain('pets/list');
    expect(await started()).not.toContain('Started');
    expect((await told('search_commands', { commandId: 'pets pets/all' })).answer['command']).toBe('pets pets/all');
    rmSync(catalogs('pets'), { recursive: true });
    expect(await started()).toContain('no catalog named `pets`');
  });
});
