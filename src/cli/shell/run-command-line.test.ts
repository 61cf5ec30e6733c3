import { describe, expect, it } from 'vitest';
import { commandTable } from '../command-table.js';
import type { Command } from './command.js';
import { runCommandLine } from './run-command-line.js';
import { styleFor } from '../print/style.js';

/** What a shell would see; commands that serve or play are stood in for. */
async function run(args: readonly string[], stdinIsTerminal = true, standIns = ['mcp', 'demo', 'keys rotate']) {
  const out: string[] = [];
  const err: string[] = [];
  const ran: string[] = [];
  const standIn = (command: Command): Command => ({
    ...command,
    load: () =>
      Promise.resolve(({ words }) => {
        ran.push([command.name, ...words].join(' '));
        return Promise.resolve(0);
      }),
  });
  const table = commandTable.map((command) => (standIns.includes(command.name) ? standIn(command) : command));
  const code = await runCommandLine(args, table, {
    env: {},
    workingFolder: '/here',
    home: '/home/you',
    program: () => ['workrail'],
    packageFolder: '/package',
    version: '1.2.3',
    platform: 'linux',
    nodePath: '/usr/bin/node',
    stdinIsTerminal,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    now: () => new Date(0),
    stdin: process.stdin,
    stdout: process.stdout,
    progress: () => undefined,
    interrupted: () => new AbortController().signal,
    style: styleFor(false, {}),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n'), ran };
}

describe('workrail alone', () => {
  it('is the server where a program speaks, and the help where a person does', async () => {
    expect(await run([], false)).toMatchObject({ code: 0, ran: ['mcp'] });
    expect(await run(['--legacy-tool-names'], false)).toMatchObject({ code: 0, ran: ['mcp'] });
    const { code, out, ran } = await run([]);
    expect({ code, ran }).toEqual({ code: 0, ran: [] });
    for (const { name, summary } of commandTable) expect(out).toMatch(new RegExp(`${name} +${summary}`, 'u'));
  });
});

describe('a command', () => {
  it('is found by one word or two', async () => {
    expect((await run(['demo'])).ran).toEqual(['demo']);
    expect((await run(['keys', 'rotate', '--json'])).ran).toEqual(['keys rotate']);
  });

  it.each(commandTable.map(({ name }) => name))('%s has a help with examples', async (name) => {
    const asked = await run(['help', ...name.split(' ')]);
    expect(asked.code).toBe(0);
    expect(asked.out).toContain(`Usage  workrail ${name}`);
    expect(asked.out).toContain(`Examples\n  workrail ${name}`);
    expect((await run([...name.split(' '), '--help'])).out).toBe(asked.out);
    expect((await run([...name.split(' '), '-h'])).out).toBe(asked.out);
  });

  it('prints the version, also as JSON, also when asked as an option', async () => {
    expect((await run(['version'])).out).toBe('workrail 1.2.3');
    expect((await run(['--version'])).out).toBe('workrail 1.2.3');
    expect(JSON.parse((await run(['version', '--json'])).out)).toEqual({
      name: 'workrail',
      version: '1.2.3',
      node: process.versions.node,
    });
  });
});

/** The words of each `workrail …` in a line, as a shell takes them apart. */
function callsIn(line: string): readonly (readonly string[])[] {
  return [...line.matchAll(/(?:^|\| |ssh ann )workrail (?<words>(?:'[^']*'|"[^"]*"|[^|<>'"])*)/gu)].map(({ groups }) =>
    (groups?.['words']?.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu) ?? []).map((word) => word.replaceAll(/['"]/gu, '')),
  );
}

describe('the help', () => {
  it.each(commandTable.flatMap(({ examples }) => examples))(
    'has an example that is understood: %s',
    async (example) => {
      const calls = callsIn(example);
      expect(calls.length).toBeGreaterThan(0);
      const all = commandTable.map(({ name }) => name);
      for (const words of calls) expect(await run(words, true, all)).toMatchObject({ code: 0, err: '' });
    },
  );

  it('gathers commands in groups, each command once', async () => {
    const { out } = await run(['help']);
    const titles = ['Run workflows', 'Use APIs in workflows', 'Look at sessions', 'Share', 'Maintenance', 'Set up'];
    expect(out.split('\n').filter((line) => titles.includes(line))).toEqual(titles);
    for (const { name } of commandTable) expect(out.match(new RegExp(`^  ${name}  +\\S`, 'gmu'))).toHaveLength(1);
  });

  it('names the common options in one line, and says once what they do', async () => {
    const { out } = await run(['help', 'graph']);
    expect(out).toContain('Common options\n  --workspace, --data-dir, --json, --verbose (workrail help options)');
    expect(out).not.toContain('print the result as JSON');
    expect((await run(['help', 'options'])).out).toContain('print the result as JSON');
  });
});

describe('a mistake', () => {
  it.each([
    [['dmo'], 'workrail: no command named "dmo"; did you mean demo?\nSee: workrail help'],
    [
      ['qqqqqqqqqqq'],
      `workrail: no command named "qqqqqqqqqqq"; the commands are ${commandTable.map(({ name }) => name).join(', ')}\nSee: workrail help`,
    ],
    [['keys'], 'workrail: keys needs one more word; use keys rotate\nSee: workrail help'],
    [['keys', 'rotat'], 'workrail: no command named "keys rotat"; use keys rotate\nSee: workrail help'],
    [['--workspace', 'x'], 'workrail: no command named "--workspace"'],
    [
      ['mcp', '--worksapce', 'x'],
      'workrail mcp: unknown option --worksapce; did you mean --workspace?\nSee: workrail help mcp',
    ],
    [['version', 'now'], 'workrail version: unexpected argument "now"\nSee: workrail help version'],
    [
      ['start', 'wr.research', 'task=a b'],
      `workrail start: unexpected argument "task=a b"; did you mean --input 'task=a b'?\nSee: workrail help start`,
    ],
    [['help', 'dmo'], 'workrail help: no command named "dmo"; did you mean demo?'],
  ])('%j is a usage error on stderr alone', async (args, message) => {
    const { code, out, err, ran } = await run(args);
    expect({ code, out, ran }).toEqual({ code: 2, out: '', ran: [] });
    expect(err).toContain(message);
  });
});
