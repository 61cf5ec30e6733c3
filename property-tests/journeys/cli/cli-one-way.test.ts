import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandTable } from '../../../src/cli/command-table.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

let world: CommandLineWorld;
beforeEach(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.workrail'));
  for (const key of ['AUTH-1', 'SHOP-2'])
    await world.run(['start', 'wr.bug_investigation', '--session', key, '--input', `symptom=About ${key}`]);
});
afterEach(() => world.close());

const rest: Readonly<Record<string, readonly string[]>> = {
  'sessions label': ['--title', 'T'],
  'sessions move': ['--to', 'user'],
  redact: ['About AUTH-1', '--yes'],
  note: ['A note'],
  export: ['-o', 'one.workrail'],
};

describe('a session is named in one way', () => {
  test.each(commandTable.filter(({ words }) => words?.session === 'first').map(({ name }) => name))(
    'workrail %s takes it as a word and as --session',
    async (name) => {
      const more = rest[name] ?? [];
      const words = name.split(' ');
      const named = await world.run([...words, '--session', 'AUTH-1', ...more, '--json']);
      expect(named).toMatchObject({ code: 0 });
      const said = `${named.out}${named.bytes.toString()}`;
      expect(said).toContain(name === 'log' || name === 'doctor' ? 'session' : 'AUTH-1');
      expect(said).not.toContain('SHOP-2');
      expect(await world.run([...words, '--session', 'nowhere', ...more])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no session named "nowhere"'),
      });
      expect(await world.run([...words, 'nowhere', ...more])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no session named "nowhere"'),
      });
    },
  );

  test.each(['start', 'continue', 'checkpoint', 'resume', 'prune'])('workrail %s takes --session', (name) => {
    expect(commandTable.find((command) => command.name === name)?.options).toHaveProperty('session');
  });

  test('one that is not there is refused, also where earlier work is looked for', async () => {
    expect(await world.run(['resume', '--session', 'nowhere'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('workrail sessions'),
    });
    expect(JSON.parse((await world.run(['resume', '--session', 'nowhere', '--json'])).out)).toMatchObject({
      error_code: 'NOT_FOUND',
    });
    expect(await world.run(['resume', '--session', 'AUTH-1'])).toMatchObject({ code: 0 });
  });
});

describe('a mistake in the command line', () => {
  test.each([
    [['nonsense', '--json'], 'nonsense'],
    [['log', '--bogus', '--json'], '--bogus'],
    [['log', '--kind', 'NOPE', '--json'], 'NOPE'],
    [['sessions', 'label', '--json'], 'which session'],
    [['show', 'AUTH-1', '--session', 'SHOP-2', '--json'], 'AUTH-1'],
    [['render', '-o', 'it.pdf', '--json'], '--format'],
    [['note', 'AUTH-1', '@nowhere', '--json'], 'it does not exist'],
    [['prune', '--json'], '--yes'],
  ])('%j is told as JSON to whoever asked for JSON', async (args, part) => {
    const { code, out, err } = await world.run(args);
    expect({ code, err }).toEqual({ code: 2, err: '' });
    const told = JSON.parse(out) as Readonly<Record<string, string>>;
    expect(told).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      message: expect.stringContaining(part),
      suggested_action: expect.stringContaining('workrail help'),
      retryable: expect.any(Boolean),
    });
    expect(told['message']).not.toMatch(/ENOENT|no such file/u);
  });

  test('a file whose ending promises what is not written is not written', async () => {
    for (const name of ['it.pdf', 'it.docx']) expect((await world.run(['render', 'AUTH-1', '-o', name])).code).toBe(2);
    for (const name of ['it.md', 'it', 'it.txt', 'it.HTM'])
      expect((await world.run(['render', 'AUTH-1', '-o', name])).code).toBe(0);
    expect((await world.run(['render', 'AUTH-1', '-o', 'other.pdf', '--format', 'html'])).code).toBe(0);
    expect(
      readdirSync(world.workspace)
        .filter((name) => name.startsWith('it') || name.startsWith('other'))
        .toSorted(),
    ).toEqual(['it', 'it.HTM', 'it.md', 'it.txt', 'other.pdf']);
  });

  test.skipIf(!existsSync('/proc/self'))(
    'a data folder that cannot be made is a fault of the system, not of ours',
    async () => {
      const { code, err } = await world.run([
        'start',
        'wr.bug_investigation',
        '--input',
        'symptom=x',
        '--data-dir',
        '/proc/none',
      ]);
      expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('ENOENT') });
      expect(err).not.toContain('mistake');
    },
  );
});

describe('the help', () => {
  test.each([[], ...commandTable.map(({ name }) => name.split(' '))])(
    'of workrail %s %s fits 80 columns',
    async (...words) => {
      const { out } = await world.run(['help', ...words.filter((word) => typeof word === 'string')]);
      const examples = out.indexOf('Examples');
      const prose = words.length === 0 ? out : out.slice(0, examples);
      expect(prose.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );
});
