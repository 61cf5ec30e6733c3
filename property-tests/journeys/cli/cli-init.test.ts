import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { clientTable } from '../../../src/cli/serve/client-table.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

let world: CommandLineWorld;
beforeEach(() => {
  world = makeCommandLineWorld();
});
afterEach(() => world.close());

const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: world.workspace,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

describe('workrail init', () => {
  it('makes .workrail/ at the root of the repository, once, and says what it did', async () => {
    git('init', '-q');
    mkdirSync(join(world.workspace, 'deep'));
    const { code, out } = await world.run(['init', '--workspace', 'deep']);
    expect(code).toBe(0);
    expect(out).toContain('Created .workrail:');
    expect(readdirSync(join(world.workspace, '.workrail')).toSorted()).toEqual([
      '.gitattributes',
      '.gitignore',
      'sessions',
    ]);
    git('add', '.workrail');
    expect(git('status', '--porcelain')).toBe('A  .workrail/.gitattributes\nA  .workrail/.gitignore\n');
    expect((await world.run(['init'])).out).toContain('already exists');
    writeFileSync(join(world.workspace, '.workrail', '.gitignore'), 'mine\n');
    await world.run(['init']);
    expect(readFileSync(join(world.workspace, '.workrail', '.gitignore'), 'utf8')).toBe('mine\n');
    expect((await world.run(['init', '--workspace', 'deep', '--here'])).code).toBe(0);
    expect(existsSync(join(world.workspace, 'deep', '.workrail'))).toBe(true);
  });

  it('works without git, and new sessions go into it', async () => {
    expect((await world.run(['init', '--json'])).out).toContain('"made":true');
    expect(
      (await world.run(['start', 'wr.research', '--session', 'A-1', '--input', 'question=Why?', '--json'])).code,
    ).toBe(0);
    expect(readdirSync(join(world.workspace, '.workrail', 'sessions'))).toEqual(['A-1']);
  });

  it('refuses options that say nothing without a client', async () => {
    expect(await world.run(['init', '--write'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--write needs --client') as unknown,
    });
  });
});

describe('workrail init --client', () => {
  const places = clientTable.flatMap((client) => [
    ...(client.userFile === undefined ? [] : [[client.name, 'for all projects', client, []] as const]),
    ...(client.projectFile === undefined ? [] : [[client.name, 'in a project', client, ['--project']] as const]),
  ]);
  test.each(places)('%s %s: prints, writes, keeps what is there, and undoes it', async (name, _, client, scope) => {
    const printed = await world.run(['init', '--client', name, ...scope]);
    expect(printed.code).toBe(0);
    const { file } = JSON.parse((await world.run(['init', '--client', name, ...scope, '--json'])).out) as {
      file: string;
    };
    expect(file.startsWith(world.folder)).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect((await world.run(['init', '--client', name, ...scope, '--write'])).code).toBe(0);
    const alone = readFileSync(file, 'utf8');
    expect(alone).toContain('dist/cli/main.js');
    expect((await world.run(['init', '--client', name, ...scope, '--write'])).out).toContain('nothing was changed');
    // Another form of the entry is somebody's choice.
    expect(await world.run(['init', '--client', name, ...scope, '--write', '--npx'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--force') as unknown,
    });
    expect((await world.run(['init', '--client', name, ...scope, '--write', '--npx', '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('npx');
    expect((await world.run(['init', '--client', name, ...scope, '--undo'])).code).toBe(0);
    expect(readFileSync(file, 'utf8').trim()).toMatch(client.format === 'toml' ? /^$/u : /^\{\s*\}$/u);
    expect((await world.run(['init', '--client', name, ...scope, '--undo'])).out).toContain('nothing was changed');

    const before = client.format === 'toml' ? 'model = "x"\n' : '{\n  "a": 1\n}\n';
    writeFileSync(file, before);
    await world.run(['init', '--client', name, ...scope, '--write']);
    await world.run(['init', '--client', name, ...scope, '--undo']);
    expect(readFileSync(file, 'utf8')).toBe(before);

    writeFileSync(file, '{ broken');
    expect(await world.run(['init', '--client', name, ...scope, '--write'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the file was not changed') as unknown,
    });
    expect(readFileSync(file, 'utf8')).toBe('{ broken');
    expect(readdirSync(join(file, '..'))).toHaveLength(
      readdirSync(join(file, '..')).filter((entry) => !entry.endsWith('.tmp')).length,
    );
  });

  it('writes through a link, and leaves the link', async () => {
    mkdirSync(join(world.home, '.cursor'));
    writeFileSync(join(world.home, 'dotfiles.json'), '{}\n');
    symlinkSync(join(world.home, 'dotfiles.json'), join(world.home, '.cursor', 'mcp.json'));
    await world.run(['init', '--client', 'cursor', '--write']);
    expect(lstatSync(join(world.home, '.cursor', 'mcp.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(world.home, 'dotfiles.json'), 'utf8')).toContain('workrail');
    await world.run(['init', '--client', 'cursor', '--undo']);
    expect(JSON.parse(readFileSync(join(world.home, 'dotfiles.json'), 'utf8'))).toEqual({});
  });

  it('takes out nothing that it would not have written, unless it is told to', async () => {
    const file = join(world.home, '.cursor', 'mcp.json');
    mkdirSync(join(world.home, '.cursor'));
    for (const mine of [
      { command: 'mine' },
      { command: 'npx', args: ['-y', 'workrail', 'mcp'], env: { A: '1' } },
      { command: 'node', args: ['/other/main.js', 'mcp'] },
    ]) {
      writeFileSync(file, JSON.stringify({ mcpServers: { workrail: mine } }));
      expect(await world.run(['init', '--client', 'cursor', '--undo'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('--undo --force') as unknown,
      });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { workrail: mine } });
    }
    expect((await world.run(['init', '--client', 'cursor', '--undo', '--force'])).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
    // What an init elsewhere wrote, in whichever form, is known as such.
    for (const [command, ...args] of [
      ['npx', '-y', 'workrail', 'mcp'],
      ['cmd', '/c', 'npx', '-y', 'workrail', 'mcp'],
      ['C:\\bin\\node.exe', 'D:\\clone\\dist\\cli\\main.js', 'mcp'],
      ['node', '/old/dist/cli/main.js', 'mcp', '--workspace', '/w', '--data-dir', '/d'],
    ]) {
      writeFileSync(file, JSON.stringify({ mcpServers: { workrail: { command, args } } }));
      expect((await world.run(['init', '--client', 'cursor', '--undo'])).code).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
    }
  });

  it.each(['', '{"mcpServers": {}}'])(
    'leaves a file in place that was there before with nothing in it: %j',
    async (before) => {
      const file = join(world.home, '.cursor', 'mcp.json');
      mkdirSync(join(world.home, '.cursor'));
      writeFileSync(file, before);
      await world.run(['init', '--client', 'cursor', '--write']);
      await world.run(['init', '--client', 'cursor', '--undo']);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
    },
  );

  it('passes on the places it is given', async () => {
    mkdirSync(join(world.workspace, 'deep'));
    const { entry } = JSON.parse(
      (await world.run(['init', '--client', 'cursor', '--json', '--workspace', 'deep', '--data-dir', 'data'])).out,
    ) as { entry: { args: string[] } };
    expect(entry.args.slice(1)).toEqual([
      'mcp',
      '--workspace',
      join(world.workspace, 'deep'),
      '--data-dir',
      join(world.workspace, 'data'),
    ]);
    const printed = await world.run(['init', '--client', 'cursor', '--data-dir', 'data']);
    expect(printed.out).toContain('workrail init --client cursor --write --data-dir data');
    for (const step of ['--write', '--undo'])
      expect((await world.run(['init', '--client', 'cursor', '--data-dir', 'data', step])).code).toBe(0);
  });

  it('prints for any other client the form that most of them read', async () => {
    const { out, code } = await world.run(['init', '--client', 'json']);
    expect(code).toBe(0);
    expect(out).toContain('"mcpServers": {');
    expect(await world.run(['init', '--client', 'json', '--write'])).toMatchObject({ code: 2 });
  });

  it("goes through a client's own command where that is here", async () => {
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    const seen = join(world.folder, 'seen');
    // Like the real one it refuses a name that it knows.
    writeFileSync(
      join(bin, 'claude'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> '${seen}'\ncase "$2" in add) [ -e '${seen}.has' ] && { echo "already exists" >&2; exit 1; }; touch '${seen}.has';; remove) rm '${seen}.has';; esac\n`,
      { mode: 0o755 },
    );
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const init = (...more: readonly string[]) => world.run(['init', '--client', 'claude-code', ...more], { env });
    expect(await init('--write', '--data-dir', 'a b')).toMatchObject({ code: 0 });
    const refused = await init('--write');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('already exists') as unknown });
    expect(refused.err).toContain('--write --force');
    expect(await init('--write', '--force')).toMatchObject({ code: 0 });
    expect(await init('--undo')).toMatchObject({ code: 0 });
    const main = 'dist/cli/main.js mcp';
    expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^mcp add --scope user workrail -- node \\S+${main} --data-dir \\S+/a b$`, 'u')),
      expect.stringContaining(main),
      'mcp remove --scope user workrail',
      expect.stringContaining(main),
      'mcp remove --scope user workrail',
    ]);
  });

  it("names a client's own command to take it away", async () => {
    expect(await world.run(['init', '--client', 'claude-code', '--undo'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('claude mcp remove') as unknown,
    });
    expect(await world.run(['init', '--client', 'claude-code', '--write'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('claude mcp add') as unknown,
    });
  });

  it('says in a line what stands in its way', async () => {
    mkdirSync(join(world.workspace, '.cursor'));
    symlinkSync('nowhere.json', join(world.workspace, '.cursor', 'mcp.json'));
    expect(await world.run(['init', '--client', 'cursor', '--project', '--write'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/is a link to a file that does not exist\nNext: .*$/u) as unknown,
    });
    writeFileSync(join(world.home, '.cursor'), 'a file where a folder is wanted');
    expect(await world.run(['init', '--client', 'cursor', '--write'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/^workrail init: the system refused to .*\nNext: .*$/u) as unknown,
    });
    const asJson = await world.run(['init', '--client', 'cursor', '--write', '--json']);
    expect(asJson).toMatchObject({ code: 3, err: '' });
    expect(JSON.parse(asJson.out)).toMatchObject({
      error_code: 'STORAGE_FAULT',
      suggested_action: expect.any(String) as unknown,
    });
  });

  it('names what it knows where the client is unknown', async () => {
    expect(await world.run(['init', '--client', 'cursr'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean cursor?') as unknown,
    });
  });
});

describe('the README', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const clone = { command: 'node', args: ['/path/to/workrail/dist/cli/main.js', 'mcp'] };
  const npx = { command: 'npx', args: ['-y', 'workrail', 'mcp'] };

  test.each(clientTable.map((client) => [client.name, client] as const))('has for %s what init prints', (_, client) => {
    if (client.add !== undefined) expect(readme).toContain(client.add(clone).join(' '));
    if (client.link !== undefined) expect(readme).toContain(`(${client.link(npx)})`);
    expect(readme).toContain(`**${client.title}**`);
    expect(readme).toContain(`--client ${client.name}`);
  });
});

test('no control character of a name or a folder reaches the terminal', async () => {
  const tricks = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u001b[8m';
  const folder = join(world.workspace, `odd${tricks}`);
  mkdirSync(folder);
  const runs = [
    ['init', '--client', `cursor${tricks}`],
    ['init', `--${tricks}`],
    [`in${tricks}it`],
    ['help', tricks],
    ['serve', '--host', tricks],
    ['mcp', '--enable', tricks],
    ['init', '--workspace', folder, '--here'],
    ...clientTable.flatMap(({ name }) => [
      ['init', '--client', name, '--data-dir', folder],
      ['init', '--client', name, '--workspace', folder, '--project'],
      ['init', '--client', name, '--workspace', folder, '--project', '--undo'],
    ]),
  ];
  for (const args of runs) {
    const { out, err } = await world.run(args, { terminal: true, env: { NO_COLOR: '1' } });
    expect({ args, said: `${out}${err}` }).toEqual({
      args,
      said: expect.not.stringMatching(/(?!\n)\p{Cc}|[\u202a-\u202e]/u) as string,
    });
    expect(`${out}${err}`).not.toBe('');
  }
});
