import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  builtCommandLine,
  type CommandLineWorld,
  makeCommandLineWorld,
  type Ran,
  type RunOptions,
} from '../../worlds/command-line-world.js';

const pets = `openapi: 3.0.3
info: { title: Pets, version: "1.0" }
servers: [{ url: "https://pets.example/v1" }]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      parameters: [{ name: limit, in: query, description: How many, schema: { type: integer, maximum: 100 } }]
      responses:
        "200":
          description: Some pets
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Pet" } }
    post:
      operationId: addPet
      summary: Add a pet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
      responses: { "201": { description: Added } }
  /pets/{petId}:
    delete:
      operationId: removePet
      summary: Give a pet away
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: Gone } }
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string, description: What it hears }
        kind: { enum: [cat, dog] }
        parent: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
`;

// A document is read in a thread, which is started from a file of the built program.
const built = await builtCommandLine();

let world: CommandLineWorld;
const put = (name: string, text: string): void => writeFileSync(join(world.workspace, name), text);
const run = (line: string, options?: RunOptions): Promise<Ran> => world.run(line.split(' '), options);
const onTerminal = (line: string, stdin = ''): Promise<Ran> =>
  run(line, { terminal: true, stdin, env: { NO_COLOR: '1' } });
const catalogs = (): string => join(world.workspace, '.workrail', 'catalogs');

beforeEach(() => {
  world = makeCommandLineWorld(built);
  mkdirSync(join(world.workspace, '.workrail'));
  put('pets.yaml', pets);
});
afterEach(() => world.close());

describe('a catalog on the command line', () => {
  it('is checked and previewed', async () => {
    expect(await onTerminal('catalogs')).toMatchObject({
      code: 0,
      out: "No catalogs yet.\nImport one: workrail catalogs import '<file>'",
    });
    expect(await run('catalogs validate pets.yaml')).toMatchObject({
      code: 0,
      out: expect.stringContaining('pets.yaml is valid: Pets 1.0 (OpenAPI 3.0), 3 operations.'),
    });
    const preview = await run('catalogs preview pets.yaml --id shop');
    expect(preview.out).toContain('  shop addPet: Add a pet (POST, mutating)');
    expect(preview.out).toContain('Import it: workrail catalogs import pets.yaml --id shop');
    expect(existsSync(catalogs())).toBe(false);
  });

  it('is imported, replaced, and removed', async () => {
    const imported = await run('catalogs import pets.yaml --vendor Us');
    expect(imported).toMatchObject({
      code: 0,
      out: expect.stringContaining('Imported pets (.workrail/catalogs/pets): 3 commands.'),
    });
    expect((await run('catalogs import pets.yaml')).out).toContain('Already imported: pets');
    put('pets.yaml', pets.replace('List pets', 'List all pets'));
    const taken = await run('catalogs import pets.yaml');
    expect([taken.code, taken.err]).toEqual([
      1,
      expect.stringContaining('add --overwrite; or choose another id with --id'),
    ]);
    expect((await run('catalogs import pets.yaml --overwrite')).out).toContain('Replaced pets');
    const asked = await run('catalogs remove pets');
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('workrail catalogs remove pets --yes')]);
    expect((await onTerminal('catalogs remove pets', 'n\n')).out).toContain('Nothing removed.');
    expect((await onTerminal('catalogs remove pets', 'y\n')).out).toContain('The copy of its document stays.');
    expect(readdirSync(join(catalogs(), 'pets'))).toEqual(['document.json']);
    await run('catalogs import pets.yaml');
    expect((await run('catalogs remove pets --with-document --yes')).out).toContain('with its document');
    expect(readdirSync(catalogs())).toEqual([]);
  });

  it('is listed, shown, disabled and enabled', async () => {
    await run('catalogs import pets.yaml --vendor Us');
    expect(await run('catalogs')).toMatchObject({ out: 'pets\tenabled\t3\thttps://pets.example/v1\tPets' });
    const shown = await onTerminal('catalogs show pets');
    expect(shown.out).toContain('pets  Pets (Us)');
    expect(shown.out).toContain('Commands   3, 1 of which can offer choices');
    expect((await run('catalogs disable pets')).out).toBe('pets is disabled.');
    expect((await run('catalogs disable pets')).out).toBe('pets is already disabled.');
    expect((await onTerminal('commands search pets')).out).toContain('Disabled catalogs are not searched.');
    expect((await run('catalogs enable pets')).out).toBe('pets is enabled: 3 commands.');
  });

  it('is configured by options, which add to what is set', async () => {
    await run('catalogs import pets.yaml');
    const settings = (): unknown => JSON.parse(readFileSync(join(catalogs(), 'pets', 'catalog.json'), 'utf8'));
    const configured = await run(
      'catalogs configure pets --auth header:X-Key:PETS_KEY --header A=1 --allow localhost:1 --timeout 2.5 --base-url http://localhost:1/x',
    );
    expect(configured).toMatchObject({
      code: 0,
      out: expect.stringContaining('workrail catalogs secret pets PETS_KEY'),
    });
    await run('catalogs configure pets --header B=2 --header a= --allow 10.0.0.0/8 --at-once 2');
    expect(settings()).toMatchObject({
      auth: { kind: 'header', name: 'X-Key', value: '${{ secrets.PETS_KEY }}' },
      headers: { B: '2' },
      allow: ['localhost:1', '10.0.0.0/8'],
      limits: { timeoutMs: 2500, atOnce: 2 },
      baseUrl: 'http://localhost:1/x',
    });
    await run(
      'catalogs configure pets --reset allow --allow 127.0.0.1 --reset headers --auth client:me:S --token-url https://a.example/t --scope read',
    );
    expect(settings()).toMatchObject({
      allow: ['127.0.0.1'],
      auth: { kind: 'client_credentials', clientId: 'me', clientSecret: '${{ secrets.S }}', scopes: ['read'] },
    });
    expect(settings()).not.toHaveProperty('headers');
    const shown = await onTerminal('catalogs configure pets');
    expect(shown.out).toContain('Auth       client credentials, token url https://a.example/t');
    expect(shown.out).toContain('Limits     2.5 s a call, 2 calls at once');
  });

  it.each([
    ['--auth bearer:not-a-name', 2, 'not the secret itself'],
    ['--auth magic:X', 2, '--auth is one of bearer:SECRET'],
    ['--auth header:X', 2, 'header:NAME:SECRET'],
    ['--auth client:a:B', 2, 'needs --token-url'],
    ['--scope x', 2, 'go with --auth client:ID:SECRET'],
    ['--auth client:a:B --token-url ftp://x', 1, '--token-url: is not an http or https address'],
    ['--base-url nonsense', 1, '--base-url: is not an http or https address'],
    ['--allow a?b', 1, '--allow: is not an address such as'],
    ['--header nothing', 2, '--header takes name=value'],
    ['--header Authorization=pets-are-best', 1, '--header Authorization: names no secret: write ${{ secrets.NAME }}'],
    ['--header pets-are-best', 2, '--header takes name=value'],
    ['--auth pets-are-best', 2, '--auth is one of bearer:SECRET'],
    ['--timeout never', 2, '--timeout takes seconds'],
    ['--at-once 99', 2, '--at-once takes a number'],
    ['--reset all', 2, '--reset is one of base-url'],
  ])('refuses %s', async (options, code, said) => {
    await run('catalogs import pets.yaml');
    const before = readFileSync(join(catalogs(), 'pets', 'catalog.json'), 'utf8');
    const ran = await run(`catalogs configure pets ${options}`);
    expect(ran).toMatchObject({ code, err: expect.stringContaining(said) });
    expect(`${ran.out}${ran.err}`).not.toContain('best');
    expect(readFileSync(join(catalogs(), 'pets', 'catalog.json'), 'utf8')).toBe(before);
  });
});

describe('a secret of a catalog', () => {
  it.each([
    ['', 0, 'TOKEN: not set'],
    ['--list', 0, 'workrail catalogs secret pets TOKEN'],
    ['TOKEN', 2, 'give the value on stdin, or use --env'],
    ['not-a-name', 2, 'its value is asked for'],
    ['TOKEN --env A-B', 2, '--env takes the name'],
    ['TOKEN --env A --remove', 2, '--remove takes no --env'],
    ['TOKEN --list', 2, 'leave out --list'],
    ['TOKEN --env A', 0, 'TOKEN: set'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a --env A', 1, 'looks like a secret'],
  ])('%s', async (words, code, said) => {
    await run('catalogs import pets.yaml');
    await run('catalogs configure pets --auth bearer:TOKEN');
    const ran = await run(`catalogs secret pets${words === '' ? '' : ` ${words}`}`);
    expect([ran.code, `${ran.out}${ran.err}`]).toEqual([code, expect.stringContaining(said)]);
  });

  it('is asked for where the catalog is shown, until it is set', async () => {
    await run('catalogs import pets.yaml');
    await run('catalogs configure pets --auth bearer:TOKEN');
    const ask = 'workrail catalogs secret pets TOKEN';
    expect((await run('catalogs show pets')).out).toContain(ask);
    await run('catalogs secret pets TOKEN --env A');
    expect((await run('catalogs show pets')).out).not.toContain(ask);
    expect((await run('catalogs configure pets --timeout 3')).out).not.toContain(ask);
    // At another address it is not sent, and has to be set again.
    expect((await run('catalogs configure pets --base-url http://localhost:1')).out).toContain(ask);
  });

  it('is read from stdin, or asked for without being shown', async () => {
    await run('catalogs import pets.yaml');
    for (const terminal of [false, true]) {
      const ran = await run('catalogs secret pets TOKEN', { stdin: 'pets-are-best\n', terminal });
      expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('TOKEN: set')]);
      expect((await run('catalogs secret pets TOKEN --remove')).code).toBe(0);
      expect(`${ran.out}${ran.err}${ran.bytes.toString()}`).not.toContain('best');
      expect(ran.bytes.toString()).toBe(terminal ? 'Value of TOKEN (not shown): \n' : '');
    }
  });
});

describe('a document that cannot be imported', () => {
  it.each([
    ['nope.yaml', 'no such file: nope.yaml'],
    ['folder', 'folder is a folder'],
    ['tabs.yaml', 'tabs.yaml:3:1'],
    ['async.yaml', 'AsyncAPI'],
    ['bytes.yaml', 'UTF-8'],
    ['/dev/null', 'not a regular file'],
    ['--url http://169.254.169.254/openapi.yaml', 'public addresses'],
    ['--url ftp://pets.example/openapi.yaml', 'http'],
    ['pets.yaml --id ../x', '--id: is not a catalog id'],
    ['pets.yaml --base-url x', '--base-url'],
    ['pets.yaml --to nowhere', '--to'],
  ])('%s', async (named, said) => {
    mkdirSync(join(world.workspace, 'folder'));
    put('tabs.yaml', 'openapi: 3.0.0\ninfo:\n\ttitle: x\n');
    put('async.yaml', 'asyncapi: 2.6.0\ninfo: { title: A, version: "1" }\nchannels: {}\n');
    writeFileSync(join(world.workspace, 'bytes.yaml'), Buffer.from([0xff, 0xfe, 0]));
    const ran = await run(`catalogs import ${named}`);
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain(said);
    expect(ran.err).toContain('\nNext: ');
    expect(ran.err).not.toMatch(/catalogId|sourceType|import_openapi|list_catalogs|"to"|tell the user| - : /u);
    expect(existsSync(catalogs())).toBe(false);
    const asJson = await run(`catalogs import ${named} --json`);
    expect(asJson).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(asJson.out)).toMatchObject({ error_code: expect.any(String) });
  });

  it('is judged with its lines, and the exit code says so', async () => {
    put('tabs.yaml', 'openapi: 3.0.0\ninfo:\n\ttitle: x\n');
    const judged = await run('catalogs validate tabs.yaml');
    expect([judged.code, judged.out]).toEqual([1, expect.stringContaining('tabs.yaml:3:1: error yaml: Tabs')]);
    expect(judged.out).toContain('tabs.yaml cannot be imported: 1 error.');
    put('ref.yaml', pets.replaceAll('#/components/schemas/Pet', 'https://elsewhere.example/pet.yaml'));
    expect(await run('catalogs validate ref.yaml')).toMatchObject({
      code: 0,
      out: expect.stringContaining('outside the document’s folder'),
    });
  });
});

describe('a command of a catalog', () => {
  beforeEach(() => run('catalogs import pets.yaml'));

  it('is found by words, filtered, listed as data, and all of them', async () => {
    expect(await run('commands search give away')).toMatchObject({
      code: 0,
      out: 'pets removePet\tcommand\tDELETE\t/pets/{petId}\tdestructive\tGive a pet away',
    });
    expect((await run('commands search --safety safe')).out.split('\n')).toHaveLength(1);
    const whole = JSON.parse((await run('commands search --catalog pets --all --json')).out) as { commands: unknown[] };
    expect(whole.commands).toHaveLength(3);
    expect((await onTerminal('commands search pets')).out).toMatch(/Show one: workrail commands show 'pets \w+'$/u);
    expect((await onTerminal('commands search zzzz')).out).toContain('No command matches.');
    expect(await run('commands search --safety wild')).toMatchObject({ code: 2 });
    expect(await run('commands search --catalog pest')).toMatchObject({
      code: 1,
      err: expect.stringContaining('workrail commands search --catalog pets'),
    });
  });

  it.each(['commands show pets addPet', 'commands show addPet', 'commands show pets POST /pets'])(
    'is shown by `workrail %s`, with a step that compiles',
    async (line) => {
      const shown = await onTerminal(line);
      expect(shown.code).toBe(0);
      for (const said of [
        'POST /pets',
        'mutating',
        '- name (required): text (What it hears)',
        '- kind: "cat" or "dog"',
      ])
        expect(shown.out).toContain(said);
      const step = await run(`${line} --step`);
      const written = parse(step.out) as object;
      put('mine.yaml', `workflow: team.pets\ndescription: Adds a pet.\n${step.out}\n`);
      expect(await run('validate mine.yaml')).toMatchObject({ code: 0 });
      expect(shown.out.replaceAll(/^ {2}/gmu, '')).toContain(step.out);
      expect(written).toMatchObject({ steps: [{ run: 'pets addPet', body: { name: '${{ inputs.name }}' } }] });
    },
  );

  it('that is not there is answered with the one that was meant', async () => {
    expect(await run('commands show pets addPett')).toMatchObject({
      code: 1,
      err: expect.stringContaining("workrail commands show 'pets addPet'"),
    });
    expect(await run('commands show')).toMatchObject({ code: 2 });
  });

  it('can offer choices', async () => {
    expect((await run('commands providers')).out).toBe('pets listPets\tbody\tname\t\tList pets');
    const shown = await onTerminal('commands providers pets');
    expect(shown.out).toContain('run: pets listPets');
    expect((await onTerminal('commands show listPets')).out).toContain('Can offer choices for an input');
  });

  it('is told with the workflows that use it, before its catalog goes', async () => {
    put('mine.yaml', `workflow: team.pets\ndescription: Adds.\n${(await run('commands show addPet --step')).out}\n`);
    await run('workflows save mine.yaml');
    expect((await run('catalogs show pets')).out).toContain('Used by    team.pets');
    expect((await run('catalogs remove pets')).err).toContain('would no longer start');
    expect((await run('catalogs disable pets')).out).toContain(
      'team.pets (.workrail/workflows/team.pets.yaml) uses it',
    );
  });

  it('and its catalog complete a line', async () => {
    expect((await run('completions line -- catalogs show p')).out).toBe('pets\tPets');
    expect((await run('completions line -- commands search --catalog p')).out).toBe('pets\tPets');
    expect((await run('completions line -- commands show pets add')).out).toBe('addPet\tAdd a pet');
  });
});

describe('a catalog that is not there', () => {
  it.each([
    'catalogs show pest',
    'catalogs enable pest',
    'catalogs remove pest',
    'catalogs configure pest --timeout 1',
  ])('%s', async (line) => {
    const none = await run(line);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("workrail catalogs import '<file>'")]);
    await run('catalogs import pets.yaml');
    const { code, err } = await run(line);
    expect([code, err]).toEqual([1, expect.stringContaining('closest: pets')]);
    expect(err).toContain('Next: to list them: workrail catalogs');
    expect(err).not.toContain('list_catalogs');
  });

  it('is no reason to take another word for one', async () => {
    expect(await run('catalogs impotr pets.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no command named "catalogs impotr"; use catalogs, catalogs show'),
    });
  });
});
