import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLineWorld, makeCommandLineWorld, type Ran } from '../../worlds/command-line-world.js';

/** The user answers what an agent waits for: at a terminal, or in a script that says that it is one. */
let world: CommandLineWorld;
beforeEach(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.workrail/workflows'), { recursive: true });
  writeFileSync(
    join(world.workspace, '.workrail/workflows/ask.yaml'),
    [
      'workflow: team.ask',
      'title: Ask',
      'description: D',
      'steps:',
      '  - id: give',
      '    title: Give',
      '    prompt: p',
      '    confirm: true',
      '    needs: [{ reason: needs_user_choice, key: count, ask: How many? }]',
      '    sets: { count: { type: integer } }',
      '  - { id: after, title: After, prompt: p }',
    ].join('\n'),
  );
  await world.run(['start', 'team.ask', '--session', 'A-1']);
  await world.run(['continue', '--session', 'A-1', '--notes', 'Two findings.']);
});
afterEach(() => world.close());

const json = ({ out }: Ran): { readonly [key: string]: unknown } =>
  JSON.parse(out) as { readonly [key: string]: unknown };
const shown = (ran: Ran): string => `${ran.out}\n${ran.err}`;

describe('workrail answer', () => {
  it('shows what waits where there is no terminal, with what was handed in', async () => {
    const { code, out } = await world.run(['answer', 'A-1']);
    expect(code).toBe(0);
    for (const words of [
      'A-1 is waiting for you, since',
      'Give (Ask)',
      'Two findings.',
      'How many?',
      'a whole number',
      'Do you agree to this step',
    ])
      expect(out).toContain(words);
  });

  it('asks one question after the other at a terminal, and records each answer', async () => {
    const ran = await world.run(['answer', 'A-1'], { terminal: true, stdin: '3\ny\n' });
    expect(shown(ran)).toContain('the user gave context.count = 3, on the command line');
    expect(shown(ran)).toContain('The agent continues with its next call');
    const done = json(await world.run(['continue', '--session', 'A-1', '--notes', 'Two findings.', '--json']));
    expect(done).toMatchObject({ happened: 'advanced', answered: [{ terminal: true }, { terminal: true }] });
  });

  it('leaves open what is left empty, and records a refusal with its reason', async () => {
    await world.run(['answer', 'A-1'], { terminal: true, stdin: '\nn\nNot yet.\n' });
    expect(json(await world.run(['answer', 'A-1', '--json']))['waiting']).toEqual([]);
    expect((await world.run(['log', 'A-1'])).bytes.toString()).toContain(
      'the user said no: Not yet, on the command line',
    );
  });

  it('wants a terminal unless it is told otherwise, and the log says which it was', async () => {
    const refused = await world.run(['answer', 'A-1', '--agree']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('they need a terminal')]);
    const ran = await world.run(['answer', 'A-1', '--agree', '--no-terminal']);
    expect(ran.out).toContain('the user agreed, on the command line without a terminal');
    expect(ran.out).toContain('Still open: How many?');
  });

  it.each([
    [['--agree', '--refuse'], 'cannot be combined'],
    [['--reason', 'x'], '--reason needs'],
    [['--value', 'three', '--no-terminal'], 'expected a whole number, got "three"'],
    [['--given', '--no-terminal'], 'this could answer /context/count, /confirmed'],
    [['--agree', '--question', 'nothing', '--no-terminal'], 'no open question "nothing"; the open ones are'],
    [['--file', '/etc/hostname', '--question', 'count', '--no-terminal'], 'is not in the workspace'],
  ])('says what is wrong with %j, and records nothing', async (args, words) => {
    const ran = await world.run(['answer', 'A-1', ...args]);
    expect(ran.code).toBeGreaterThan(0);
    expect(shown(ran)).toContain(words);
    const questions = json(await world.run(['answer', 'A-1', '--json']));
    expect(JSON.stringify(questions).match(/"question":/gu)).toHaveLength(2);
  });
});
