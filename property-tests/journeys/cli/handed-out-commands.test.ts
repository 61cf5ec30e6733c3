import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from '../../../src/cli/command-table.js';
import { findCommand } from '../../../src/cli/shell/find-command.js';
import { commandLine, commandWord } from '../../../src/base/sentence.js';
import { installPackage } from '../../worlds/installed-package.js';

// From a clone, or from what `npm pack` makes, installed: handed-out-commands-installed.test.ts asks for that.
const installed = process.env['HANDED_OUT_FROM'] === 'package' ? installPackage() : undefined;
const main = installed?.main ?? fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const secret = 'AKIAQZ7XK4M2TPW9RSVB';
let folder: string;
let data: string;
const servers: ChildProcess[] = [];

// Names that a shell would take apart show whether what is shown is quoted.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handed-out-'));
  data = join(folder, "Ann's data");
  for (const made of ['work', 'home', 'shop', "Ann's data"]) mkdirSync(join(folder, made));
});
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL');
  for (const made of [folder, installed?.folder])
    if (made !== undefined) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
});

const surroundings = (): NodeJS.ProcessEnv => ({
  PATH: [...(installed === undefined ? [] : [installed.bin]), process.env['PATH']].join(delimiter),
  HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: join(folder, 'home', 'config'),
  XDG_DATA_HOME: join(folder, 'home', 'data'),
});

interface Ran {
  readonly status: number | null;
  readonly said: string;
}

function inShell(line: string): Ran {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: join(folder, 'work'),
    env: surroundings(),
    encoding: 'utf8',
    input: 'What is said on stdin.\n',
  });
  return { status, said: `${stdout}\n${stderr}` };
}

const prefix = installed === undefined ? ['node', main] : ['workrail'];
const program = commandLine(prefix, []);
const run = (...words: readonly string[]): Ran => inShell(commandLine(prefix, [...words, '--data-dir', data]));

/** What stands in the place of something that is to be put in. */
const putIn: Readonly<Record<string, string>> = {
  "'<workflow>'": 'wr.bug_investigation',
  "'<id>'": 'wr.bug_investigation',
  "'<session>'": 'S-1',
  "'<name>'": 'cursor',
  "'<event>'": '0123456789abcdef',
  "'<mode>'": 'guided',
  "'<catalog>'": 'pets',
  "'<file>'": 'pets.yaml',
  "'<words>'": 'pets',
  "'<url>'": 'http://localhost:8080',
};

/** Every text in an answer, one a line. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join('\n') : '';
}

const firstWords = new Set(commandTable.map(({ name }) => name.split(' ')[0]));
/** The program's name alone stands in other sentences too. Its path does not: there a command that is none is found. */
const isCommand = (rest: string): boolean =>
  // What went wrong begins with the name of the command that it went wrong in.
  !/^[a-z]+(?: [a-z]+)?: /u.test(rest) &&
  (installed === undefined || firstWords.has(/^[a-z]+(?=$|[\s,.;)`])/u.exec(rest)?.[0]));

/** The commands in a text, each to the end of its sentence. */
function commandsIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) =>
    line
      .split(`${program} `)
      .slice(1)
      .filter(isCommand)
      .map((rest) => {
        const [words = ''] = /^(?:'[^']*'|\\'|[^\s'\\,;)`]|[,;)](?=\S)| )+/u.exec(rest) ?? [];
        return Object.entries(putIn).reduce(
          (filled, [hole, value]) => filled.replaceAll(hole, value),
          `${program} ${words.trimEnd().replace(/[.)]$/u, '')}`,
        );
      }),
  );
}

const tokensIn = (text: string): readonly string[] => text.match(/(?:st|ack)\.v1\.\w+/gu) ?? [];
const start = (session: string, ...more: readonly string[]): Ran =>
  run('start', 'wr.bug_investigation', '--session', session, '--input', 'symptom=The login loops', ...more);

/** Each situation ends with what it shows. */
const situations: Readonly<Record<string, () => readonly Ran[]>> = {
  'a list and a workflow': () => [run('list'), run('inspect', 'wr.bug_investigation'), run('list', 'nothing of it')],
  'no session yet': () => [run('sessions'), run('show'), run('resume')],
  'a start, a step and a look': () => {
    const started = start("S-1 of Ann's");
    const [state = '', ack = ''] = tokensIn(started.said);
    const done = run('continue', state, ack, '--notes', 'It loops.', '--context', 'complexity=Small');
    return [started, done, run('continue', state), run('show', 'S-1'), run('sessions'), run('resume', 'login')];
  },
  'what is missing or wrong': () => {
    const [state = '', ack = ''] = tokensIn(start('S-2').said);
    return [
      run('start', 'wr.bug_investigation'),
      run('start', 'wr.bug_investigatio'),
      run('continue', state, ack, '--notes', ' '),
      run('continue', state, ack, '--notes', 'x', '--context', 'complexity=<fill in>'),
      run('continue', state, '--notes', 'x'),
      run('continue', `${state}Z`),
      run('continue', ack, state, '--notes', 'x'),
      run('checkpoint', state, '--gap', '{"category":"none"}'),
      run('show', 'nowhere'),
      run('show', 'S-2', '--node', 'n_nowhere'),
      run('graph', 'S-2', '--run', 'run_nowhere'),
      run('validate', 'nothing.here'),
      run('import', 'nothing.here'),
      run('shwo'),
      run('log', 'S-2', '--kind', 'nothing'),
    ];
  },
  'a block, a branch and an end': () => {
    mkdirSync(join(folder, 'work', '.workrail', 'workflows'), { recursive: true });
    writeFileSync(
      join(folder, 'work', '.workrail', 'workflows', 'asks.yaml'),
      'workflow: team.asks\ndescription: Asks.\nsteps:\n  - id: ask\n    prompt: Ask.\n    needs: [{ reason: needs_user_choice, key: colour, ask: Which colour? }]\n  - id: agree\n    prompt: Agree.\n    confirm: true\n',
    );
    const started = run('start', 'team.asks', '--session', 'S-3');
    const [state = '', ack = ''] = tokensIn(started.said);
    const blocked = run('continue', state, ack, '--notes', 'x');
    const done = run('continue', state, ack, '--notes', 'x', '--context', "colour=Ann's red");
    const unconfirmed = run('continue', '--session', 'S-3', '--notes', 'x');
    const ended = run(
      'continue',
      '--session',
      'S-3',
      '--notes',
      'x',
      '--confirmed',
      '--gap',
      'the blue one was not looked at',
    );
    const back = run('continue', state);
    const [fork = ''] = back.said.match(/ack\.v1\.\w+/u) ?? [];
    const forked = run('continue', state, fork, '--notes', 'y', '--context', 'colour=blue');
    return [started, blocked, done, unconfirmed, ended, back, forked, run('continue', '--session', 'S-3')];
  },
  'preferences and notes': () => [run('prefs'), run('prefs', 'S-2'), run('note', 'S-2', 'Agreed.'), run('note', 'S-2')],
  'a secret': () => {
    start('S-4', '--input', `ticketId=${secret}`);
    return [
      run('export', 'S-4'),
      run('doctor', '--secrets', '--everywhere'),
      run('redact', 'S-4'),
      run('redact', 'S-4', '--secrets', '--dry-run'),
      run('sessions', 'move', 'S-4', '--to', 'project'),
    ];
  },
  'a bundle': () => {
    start('S-5');
    const exported = run('export', 'S-5', '-o', 'it is.workrail');
    const handed = { ...exported, said: exported.said.replace('  workrail import', `  ${program} import`) };
    return [handed, run('import', 'it is.workrail')];
  },
  'a mistake in the command line': () => [
    run('start'),
    run('inspect'),
    run('sessions', 'label'),
    run('start', 'wr.bug_investigation', 'symptom=The login loops'),
    run('doctor', '--nothing'),
    inShell(`${program} help`),
    inShell(`${program} help options`),
  ],
  damage: () => {
    start('S-6');
    run('checkpoint', '--session', 'S-6', '--notes', 'Something that stands behind it.');
    const segments = join(data, 'sessions', 'S-6', 'segments');
    // What it held is known to no file that a repair could take it from.
    rmSync(join(data, 'local'), { recursive: true });
    for (const name of readdirSync(segments)) {
      const file = join(segments, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace('The login loops', 'The login lOOps'));
    }
    const seen = [run('doctor'), run('show', 'S-6'), run('export', 'S-6'), run('log', 'S-6'), run('render', 'S-6')];
    // What repairs it names the session and the folder, wherever it is shown.
    const repair = commandLine(prefix, ['doctor', 'S-6', '--repair', '--data-dir', data]);
    for (const { said } of [...seen.slice(0, 2), seen[3]!]) expect(said).toContain(repair);
    return [...seen, inShell(`${commandLine(prefix, ['show', 'S-6', '--json', '--data-dir', data])}`)];
  },
  catalogs: () => {
    const operation = (operationId: string): object => ({
      get: { operationId, responses: { 200: { description: '' } } },
    });
    const pets = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: { '/a': operation('a pet') } };
    writeFileSync(join(folder, 'work', 'pets.yaml'), JSON.stringify(pets));
    writeFileSync(join(folder, 'work', 'cut.yaml'), '{"openapi":');
    const none = [run('catalogs'), run('catalogs', 'show', 'pest'), run('commands', 'search', 'pets')];
    const imported = [
      run('catalogs', 'validate', 'pets.yaml'),
      run('catalogs', 'preview', 'pets.yaml'),
      run('catalogs', 'import', 'cut.yaml'),
      run('catalogs', 'import', 'pets.yaml', '--disabled'),
      run('catalogs', 'import', 'pets.yaml', '--base-url', 'http://localhost:8080'),
      run('catalogs', 'import', 'pets.yaml', '--id', '../x'),
      run('catalogs', 'import'),
      run('catalogs', 'import', 'https://pets.example/openapi.yaml'),
    ];
    return [
      ...none,
      ...imported,
      run('catalogs', 'show', 'pets'),
      run('catalogs', 'enable', 'pets'),
      run('catalogs', 'list'),
      run('catalogs', 'show', 'pest'),
      run('catalogs', 'enable', 'pest'),
      run('catalogs', 'configure', 'pets'),
      run('catalogs', 'configure', 'pets', '--auth', 'bearer:TOKEN', '--allow', 'localhost:8080'),
      run('catalogs', 'configure', 'pets', '--auth', 'bearer:not a name'),
      run('catalogs', 'remove', 'pets'),
      run('commands', 'search', 'pet'),
      run('commands', 'search', 'nothing of it'),
      run('commands', 'search', '--catalog', 'pest'),
      run('commands', 'show'),
      run('commands', 'show', 'pets a pet'),
      run('commands', 'show', 'pets a bet'),
      run('commands', 'providers', 'pets'),
    ];
  },
  init: () => [run('init'), run('init', '--client', 'cursor'), run('init', '--client', 'cursor', '--write')],
};

async function served(): Promise<string> {
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--data-dir', data], {
    cwd: join(folder, 'work'),
    env: surroundings(),
  });
  servers.push(server);
  let said = '';
  const origin = await new Promise<string>((resolve) => {
    server.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString('utf8');
      const found = /at (http:\S+?)\/\s/u.exec(said)?.[1];
      if (found !== undefined && said.includes('Ctrl-C')) resolve(found);
    });
  });
  const asked = ['about', 'sessions/S-2/resume', 'sessions/nowhere', 'doctor'].map(async (path) => {
    const response = await fetch(`${origin}/api/${path}`, { headers: { 'x-workrail': '1' } });
    return textsIn(await response.json());
  });
  return [said, ...(await Promise.all(asked))].join('\n');
}

const usage = 2;

/** Whether a command is understood does not hang on what is there: one that was is not run again. */
const understood = new Set<string>();

/** Runs every command in a text; those that were not understood, with what they said. */
function misunderstood(text: string): readonly string[] {
  const commands = new Set(commandsIn(text));
  expect(commands.size).toBeGreaterThan(0);
  return [...commands].flatMap((command) => {
    if (understood.has(command)) return [];
    const ran = inShell(command);
    // It asks whoever sits there; here nobody does, and it says so.
    const { status, said } = ran.said.includes('add --yes') ? inShell(`${command} --yes`) : ran;
    if (status === usage) return [`${command}\n${said}`];
    understood.add(command);
    return [];
  });
}

/** A situation starts some forty programs, one after the other. */
const manyPrograms = 120_000;

describe('a command that is shown', { timeout: manyPrograms }, () => {
  // A mistake is told in sentences that begin with the program's name as well.
  const told = Object.entries(situations).filter(([name]) => installed === undefined || !name.startsWith('a mistake'));

  it.each(told)('runs as it stands: %s', (_, situation) => {
    expect(
      misunderstood(
        situation()
          .map(({ said }) => said)
          .join('\n'),
      ),
    ).toEqual([]);
  });

  it('runs as it stands: the page', async () => {
    const said = await served();
    expect(commandsIn(said).some((command) => command.includes(commandWord(data)))).toBe(true);
    expect(misunderstood(said)).toEqual([]);
  });

  it('is one that there is, with its options, wherever the page puts it together', () => {
    const dashboard = new URL('../../../src/dashboard/', import.meta.url);
    const sources = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/u.test(name),
    );
    const made = sources.flatMap((name) => [
      ...readFileSync(new URL(name, dashboard), 'utf8').matchAll(
        /(?:\binShell\(|\buseCommandLine\(\)\(|<CommandTold\s+words=\{)\[(?<words>[^\]]*)/gu,
      ),
    ]);
    expect(made.length).toBeGreaterThan(8);
    for (const { groups } of made) {
      const words = [...(groups?.['words'] ?? '').matchAll(/'([^']+)'/gu)].map(([, word = '']) => word);
      const found = findCommand(words, commandTable);
      expect(found).toMatchObject({ ok: true });
      const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
      for (const option of options) expect(found.ok && Object.keys(found.value.command.options)).toContain(option);
    }
  });

  it('brings back what was taken away', () => {
    start("S-7 of Ann's");
    const { said } = run('prune', '--session', "S-7 of Ann's", '--in-use', '--yes');
    const move = /^ {2}mv .*$/mu.exec(said)?.[0] ?? 'false';
    expect(run('show', "S-7 of Ann's").status).toBe(1);
    expect(inShell(move)).toMatchObject({ status: 0 });
    expect(run('show', "S-7 of Ann's").status).toBe(0);
  });

  it('is found wanting where it has a mistake', () => {
    const [command = ''] = commandsIn(`Next: ${program} show --nod x.`);
    expect(inShell(command).status).toBe(usage);
  });
});
