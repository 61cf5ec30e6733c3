import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { configureMini, organizations, writeMiniCatalog } from '../../worlds/mini-api.js';
import { scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';

let world: RequestsWorld;
let server: ScriptedServer;
const allow = ['127.0.0.1'];
const config = (): string => join(world.folder, 'config', 'workrail', 'config.json');
const file = (data = world.data): string => readFileSync(join(data, 'catalogs', 'mini', 'catalog.json'), 'utf8');

/** A project as it is cloned: its own file lets its catalog call this machine. */
beforeEach(async () => {
  world = makeRequestsWorld({ seed: 2 });
  server = await scriptedServer(organizations);
  writeMiniCatalog(world.data, server.origin);
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const choices = (data?: string): Promise<Called> =>
  call(world.open(data), 'list_provider_values', { workflowId: 'team.pick', input: 'org' });
const configure = (args: object): Promise<Called> =>
  call(world.open(), 'configure_catalog', { catalogId: 'mini', ...args });
const person = () => world.open(undefined, {}, 'terminal').people;
const told = async () => (await call(world.open(), 'list_catalogs', {})).answer;

const expectRefused = async (asked: Promise<Called>): Promise<void> => {
  const before = server.connections();
  const { reply, answer } = await asked;
  expect(answer['error_code']).toBe('ADDRESS_REFUSED');
  expect(reply.text).toContain('workrail catalogs configure mini --allow 127.0.0.1');
  expect(server.connections()).toBe(before);
};
const expectReached = async (asked: Promise<Called>): Promise<void> => {
  expect((await asked).answer).toMatchObject({ total: 2 });
};

it('what a project allows itself counts for nothing, and is told with what to do', async () => {
  await expectRefused(choices());
  expect(await told()).toMatchObject({ catalogs: [{ settings: { allow }, notAllowed: allow }] });
  for (const baseUrl of ['http://169.254.169.254', 'http://[::1]:1', 'http://0x7f.1:1']) {
    configureMini(world.data, { allow: ['169.254.169.254', '::1', '127.0.0.0/8', 'localhost'], baseUrl });
    expect((await choices()).answer['error_code']).toBe('ADDRESS_REFUSED');
  }
});

it('an agent allows it only with what its user was asked, and the file of the project stays as it is', async () => {
  const before = file();
  const asked = await configure({ allow });
  expect(asked.answer['error_code']).toBe('CONFIRMATION_REQUIRED');
  expect(asked.reply.text).toContain('127.0.0.1');
  await expectRefused(choices());
  const confirm = /"confirm": "(rv_\w+)"/u.exec(asked.reply.text)![1]!;
  expect((await configure({ allow, confirm })).answer['happened']).toBe('configured');
  expect(file()).toBe(before);
  await expectReached(choices());
  expect(JSON.stringify(await told())).not.toContain('notAllowed');
  // What nobody asks for needs nobody's agreement, and gives none.
  configureMini(world.data, { allow: [...allow, '10.0.0.0/8'] });
  expect((await configure({ headers: { a: 'b' } })).answer['happened']).toBe('configured');
  expect(await told()).toMatchObject({ catalogs: [{ notAllowed: ['10.0.0.0/8'] }] });
  await expectReached(choices());
});

it('a person allows what they name, and nothing else that the project has in its list', async () => {
  configureMini(world.data, { allow: [...allow, '10.0.0.0/8'] });
  await person().allowAddresses({ catalogId: 'mini', addresses: ['127.0.0.1', '192.168.0.1'] });
  await expectReached(choices());
  expect(await told()).toMatchObject({ catalogs: [{ notAllowed: ['10.0.0.0/8'] }] });
});

it('counts for that project and that catalog on this machine, and as long as its settings say so', async () => {
  await person().allowAddresses({ catalogId: 'mini', addresses: allow });
  const clone = join(world.folder, 'clone');
  cpSync(world.data, clone, { recursive: true });
  await expectRefused(choices(clone));
  cpSync(join(world.data, 'catalogs', 'mini'), join(world.data, 'catalogs', 'other'), { recursive: true });
  expect(await told()).toMatchObject({ catalogs: [{}, { catalogId: 'other', notAllowed: allow }] });
  expect((await configure({ reset: ['allow'] })).answer['happened']).toBe('configured');
  configureMini(world.data, { allow });
  await expectRefused(choices());
});

it('another catalog in the place of one that was removed is asked for anew', async () => {
  await person().allowAddresses({ catalogId: 'mini', addresses: allow });
  const [{ revision }] = (await told())['catalogs'] as [{ readonly revision: string }];
  await call(world.open(), 'remove_catalog', { catalogId: 'mini', confirm: revision, removeManifest: true });
  writeMiniCatalog(world.data, server.origin);
  await expectRefused(choices());
});

it("a catalog of the user's own is theirs", async () => {
  const own = join(world.folder, 'config', 'workrail');
  cpSync(join(world.data, 'catalogs'), join(own, 'catalogs'), { recursive: true });
  cpSync(join(world.data, 'workflows'), join(own, 'workflows'), { recursive: true });
  await expectReached(choices(join(world.folder, 'empty')));
});

it('a configuration that cannot be read allows nothing, and is not written over', async () => {
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  for (const text of [
    '{',
    '{"allowedAddresses": ["127.0.0.1"]}',
    '{"allowedAddresses": {"x": {"mini": "127.0.0.1"}}}',
  ]) {
    writeFileSync(config(), text);
    await expectRefused(choices());
    expect(await person().allowAddresses({ catalogId: 'mini', addresses: allow })).toMatchObject({
      ok: false,
      error: { code: 'PRECONDITION_FAILED', action: expect.stringContaining('config.json') as string },
    });
    expect(readFileSync(config(), 'utf8')).toBe(text);
  }
  writeFileSync(config(), '{"editor": "x"}');
  await person().allowAddresses({ catalogId: 'mini', addresses: allow });
  expect(JSON.parse(readFileSync(config(), 'utf8'))).toMatchObject({ editor: 'x' });
  await expectReached(choices());
});
