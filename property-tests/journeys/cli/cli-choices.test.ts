import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLineWorld, makeCommandLineWorld, type Ran } from '../../worlds/command-line-world.js';
import { configureMini, organizations, writeMiniCatalog } from '../../worlds/mini-api.js';
import { answer, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';

let world: CommandLineWorld;
let server: ScriptedServer;

beforeEach(async () => {
  world = makeCommandLineWorld();
  server = await scriptedServer(organizations);
  writeMiniCatalog(join(world.workspace, '.workrail'), server.origin);
  await world.run(['catalogs', 'configure', 'mini', '--allow', '127.0.0.1']);
});
afterEach(async () => {
  world.close();
  await server.close();
});

const start = (stdin: string, ...more: readonly string[]): Promise<Ran> =>
  world.run(['start', 'team.pick', ...more], { terminal: true, stdin, env: { NO_COLOR: '1' } });

describe('start on a terminal', () => {
  it('lets a person choose, by number, by words and by name, what depends on another after it', async () => {
    const ran = await start('1\n3-2\nrepo-3-2\n');
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('1  acme  Acme Inc')]);
    expect(ran.out).toContain('Do repo-3-2.');
  });

  it('takes a value that is none of the choices where the person says so', async () => {
    expect((await start('acme\n=brand-new\n')).out).toContain('Do brand-new.');
  });

  it('asks for nothing that is given, and says what has no such word', async () => {
    const ran = await start('nothing like it\nrepo-1-1\n', '--input', 'org=acme');
    expect(ran.err).toContain('Nothing has “nothing like it”');
    expect(ran.err).not.toContain('Acme');
    expect(ran.out).toContain('Do repo-1-1.');
  });

  it('without an answer refuses as ever, and starts nothing', async () => {
    const ran = await start('\n');
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('org')]);
    expect((await world.run(['sessions', '--json'])).out).toContain('"sessions":[]');
  });

  it('is typed where the provider cannot be asked', async () => {
    server.script(() => answer(500, {}));
    const ran = await start('acme\nsome-repo\n');
    expect(ran.err).toContain('could not be fetched');
    expect(ran.out).toContain('Do some-repo.');
  });
});

it('what the project allows itself is not called, and shown with the command that allows it', async () => {
  configureMini(join(world.workspace, '.workrail'), { allow: ['127.0.0.1', '10.0.0.0/8'] });
  const show = async (): Promise<string> => (await world.run(['catalogs', 'show', 'mini'])).out;
  expect(await show()).toContain('10.0.0.0/8: this project asks for it, and you have not allowed it on this machine');
  expect(await show()).toContain('workrail catalogs configure mini --allow 10.0.0.0/8');
  const allowed = await world.run(['catalogs', 'configure', 'mini', '--allow', '10.0.0.0/8']);
  expect(allowed.out).toContain('Configured mini.');
  expect(await show()).toMatch(/Allowed +127\.0\.0\.1, 10\.0\.0\.0\/8/u);
  expect(await show()).not.toContain('Blocked');
  const again = await world.run(['catalogs', 'configure', 'mini', '--allow', '10.0.0.0/8']);
  expect(again.out).toContain('Unchanged: mini.');
});

it('asks nobody without a terminal, nor for a script', async () => {
  for (const run of [world.run(['start', 'team.pick']), start('1\n1\n', '--json')]) expect((await run).code).toBe(1);
  expect(server.connections()).toBe(0);
});

describe('completions of inputs', () => {
  const complete = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await world.run(['completions', 'line', '--', ...words])).out.split('\n').filter((line) => line !== '');

  it('are their names, then what the provider offers', async () => {
    expect(await complete('start', 'team.pick', '--input', '')).toEqual(['org=\t', 'repo=\t', 'plain=\t']);
    expect(await complete('start', 'team.pick', '--input', 'r')).toEqual(['repo=\t']);
    expect(await complete('start', 'team.pick', '--input', 'org=')).toEqual(['org=acme\tAcme Inc', 'org=beta\t']);
    expect(await complete('start', 'team.pick', '--input', 'org=acme', '--input', 'repo=repo-4')).toHaveLength(5);
  });

  it('are the values alone where bash has taken the word apart', async () => {
    expect(await complete('start', 'team.pick', '--input', 'org', '=')).toEqual(['=acme\tAcme Inc', '=beta\t']);
    expect(await complete('start', 'team.pick', '--input', 'org', '=', 'b')).toEqual(['beta\t']);
    const chained = ['start', 'team.pick', '--input', 'org', '=', 'acme', '--input', 'repo', '=', 'repo-2'];
    expect(await complete(...chained)).toHaveLength(5);
  });
});
