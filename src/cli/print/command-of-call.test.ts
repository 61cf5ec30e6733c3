import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHole } from '../../base/hole.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { brokenText, isWhole, oddText } from '../../../property-tests/worlds/nasty-text.js';
import { runs } from '../../../property-tests/worlds/runs-of-law.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { commandOfCall } from './command-of-call.js';
import { givenContext, givenValues } from '../shell/given-values.js';
import { givenOutput } from '../shell/given-output.js';
import { parseOptions } from '../shell/parse-options.js';
import { printable } from './printable.js';
import { runningCommands } from '../run/running-commands.js';
import { commandLine, commandWord } from '../../base/sentence.js';

/** The words that a POSIX shell makes of a line, where only single quotes and `\'` quote. */
function split(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/gu)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\'/gu, (_, inner: string | undefined) => inner ?? "'"),
  );
}

const said = 'said on stdin';
/** What `workrail continue` makes of its words. */
async function requestOf(words: readonly string[]): Promise<JsonObject> {
  const { options, words: positional } = runningCommands.find(({ name }) => name === 'continue')!;
  const parsed = parseOptions(words, options, positional!.most);
  if (!parsed.ok) throw new Error(parsed.error);
  const values = givenValues({
    workingFolder: '/',
    stdinIsTerminal: false,
    stdin: Readable.from([said]),
    err: () => undefined,
  });
  const output = await givenOutput(parsed.value, values);
  const context = await givenContext('--context', parsed.value.list('context'), values, () =>
    Promise.resolve(() => undefined),
  );
  const preferences = askedPreferences(parsed.value);
  if (!output.ok || !context.ok || !preferences.ok) throw new Error(JSON.stringify([output, context, preferences]));
  const [stateToken, ackToken] = parsed.value.words;
  return {
    ...(stateToken !== undefined && { stateToken }),
    ...(ackToken !== undefined && { ackToken }),
    ...(output.value !== undefined && { output: output.value }),
    ...(context.value !== undefined && { context: context.value }),
    ...(parsed.value.has('confirmed') && { confirmed: true }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
  };
}

const text = fc.oneof(
  oddText(20),
  fc.constantFrom(
    'true',
    '1.10',
    'null',
    '{}',
    '[1',
    '-',
    '--json',
    '@file',
    '@@',
    "it's",
    '-3',
    'a=b',
    '- done\n- next',
    '\u001b[31m',
    '$(id)',
    '`id`',
    '"q"',
  ),
);
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, false),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const object = fc.dictionary(
  text.filter((key) => key !== ''),
  value,
  { minKeys: 1, maxKeys: 4 },
);
const notes = text.filter((one) => !isHole(one));
const request: fc.Arbitrary<JsonObject> = fc.record(
  {
    stateToken: fc.constant('st.v1.0123456789'),
    ackToken: fc.constant('ack.v1.0123456789'),
    context: object,
    output: fc.record(
      {
        notesMarkdown: notes,
        artifacts: fc.array(object, { minLength: 1, maxLength: 2 }),
        gaps: fc.array(object, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['notesMarkdown'] },
    ),
    confirmed: fc.constant(true),
    preferences: fc.record(
      { mode: fc.constantFrom('guided', 'auto_stop'), gateHandling: fc.constantFrom('block', 'risk_signal') },
      { requiredKeys: ['mode'] },
    ),
  },
  { requiredKeys: ['stateToken', 'ackToken'] },
);

describe('the command of an offered call', () => {
  it('makes that very call; notes that a terminal cannot show are asked for on stdin', async () => {
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(request, async (args) => {
        const words = commandOfCall({ tool: 'continue_workflow', arguments: args })!;
        const line = commandLine(['workrail'], words);
        expect(printable(line)).toBe(line);
        const [program, name, ...rest] = split(line);
        expect([program, name]).toEqual(['workrail', 'continue']);
        const output = args['output'] as JsonObject | undefined;
        const wanted = output?.['notesMarkdown'];
        const unsayable =
          typeof wanted === 'string' && (wanted.trim() === '' || wanted === '-' || printable(wanted) !== wanted);
        asked += unsayable ? 1 : 0;
        expect(await requestOf(rest)).toEqual(
          unsayable ? { ...args, output: { ...output, notesMarkdown: said } } : args,
        );
      }),
      runs(400),
    );
    expect(asked).toBeGreaterThan(0);
  });

  it('leaves what is to be filled in so that it is refused as it stands', () => {
    const words = commandOfCall({
      tool: 'continue_workflow',
      arguments: {
        stateToken: 'st',
        ackToken: 'ack',
        context: { risk: '<fill in: low or high>' },
        output: { notesMarkdown: '<fill in: what happened>', artifacts: ['<fill in: an artifact of kind team.risk>'] },
        confirmed: '<fill in: true>',
      },
    });
    expect(commandLine(['workrail'], words!)).toBe(
      "workrail continue st ack --notes - --artifact @risk.json --context 'risk=<fill in>'",
    );
  });

  it('knows every call that answers offer', () => {
    const commands = [
      'list_workflows',
      'inspect_workflow',
      'start_workflow',
      'continue_workflow',
      'checkpoint_workflow',
      'resume_session',
    ].map((tool) => commandOfCall({ tool, arguments: {} })?.join(' '));
    expect(commands).toEqual(['list', 'inspect', 'start', 'continue', 'checkpoint', 'resume']);
    expect(commandOfCall({ tool: 'start_session', arguments: {} })).toBeUndefined();
  });
});

describe('a word for the shell', () => {
  it('comes back from a real shell as it was', () => {
    const words = fc
      .sample(
        brokenText(30).filter((one) => isWhole(one) && !one.includes('\u0000')),
        { numRuns: 300, seed: 7 },
      )
      .filter((word) => word !== '');
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${words.map(commandWord).join(' ')}`], {
      encoding: 'utf8',
    });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});
