import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { limits } from '../../src/base/limits.js';
import { modeNames, type Mode } from '../../src/base/preferences.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  linesOnDisk,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../worlds/requests-world.js';
import { patience } from '../worlds/runs-of-law.js';

const bundled = fileURLToPath(new URL('../../workflows', import.meta.url));
const ids = readdirSync(bundled)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => textOf((parse(readFileSync(join(bundled, name), 'utf8')) as { workflow: string }).workflow));

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 1, bundled });
  requests = world.open();
});
afterAll(async () => {
  await world.close();
  console.log(
    [
      'workflow · mode · choice: steps, skips, gaps, warnings; most bytes beyond the author in an advance, in one that wants notes and a key, in a later round; beside the prompt in any answer',
      ...table,
    ].join('\n'),
  );
});
const table: string[] = [];

type HandBack = (expects: Fields) => JsonObject;

/** What a script sends that has read `pending.expects` and nothing else. Where several values are right, `choice` says which. */
const everythingAsked =
  (choice: number): HandBack =>
  (expects) => {
    const notes = fieldsOf(expects['notes']);
    const context = [
      ...listOf(expects['needs']).flatMap(({ key, satisfied }): [string, JsonValue][] =>
        satisfied === true ? [] : [[textOf(key), 'as the user gave it']],
      ),
      // Where the step says what the user may choose among, that.
      ...listOf(expects['context']).map(({ key, example, values }): [string, JsonValue] => [
        textOf(key),
        Array.isArray(values)
          ? (values as readonly JsonValue[])[choice % values.length]!
          : longer(example ?? null, choice),
      ]),
    ];
    return {
      output: {
        notesMarkdown: notes['example'] ?? '',
        artifacts: listOf(expects['artifacts']).map(({ example }) => fieldsOf(example) as JsonObject),
      },
      ...(context.length > 0 && { context: Object.fromEntries(context) }),
      ...(fieldsOf(expects['confirmation'])['required'] === true && { confirmed: true }),
    };
  };

/** A list of so many more elements: what goes over it has later rounds. */
const longer = (example: JsonValue, choice: number): JsonValue =>
  Array.isArray(example) ? Array.from({ length: choice + 1 }, () => example as JsonValue[]).flat() : example;

const nothing: HandBack = () => ({});

const bytes = (value: JsonValue | undefined): number =>
  value === undefined ? 0 : Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

/** Of a text, what its author did not write: without the prompt, role, guidance, functions, pieces to delegate, judgements, what keys are for, and the contracts' examples and schemas. */
function beyondTheAuthor({ reply, answer }: Called): number {
  const pending = fieldsOf(answer['pending']);
  const expects = fieldsOf(pending['expects']);
  const authored = [
    ...promptIn(reply.text, textOf(pending['prompt']).trimEnd()),
    textOf(pending['role']),
    // What was found so far is the agent's own.
    ...[...reply.text.matchAll(/^So far in .*\n(?:> .*\n)+All of it: .*$/gmu)].map(([block]) => block),
    // What is skipped is told in the author's words, and as long as those are.
    ...[...reply.text.matchAll(/^Skipped .*$/gmu)].map(([line]) => line),
    ...(Array.isArray(pending['guidance']) ? pending['guidance'].map((line) => textOf(line as JsonValue)) : []),
    ...listOf(pending['functions']).map(({ text }) => textOf(text)),
    ...listOf(pending['delegates']).flatMap(({ title, goal }) => [textOf(title), textOf(goal)]),
    ...delegated(pending),
    ...listOf(expects['assessments']).flatMap(assessed),
    ...listOf(expects['context']).flatMap(({ description, example }) => [
      textOf(description),
      typeof example === 'object' ? JSON.stringify(example) : '',
    ]),
    // Examples as they are shown, with what the agent is to judge left open.
    ...[...reply.text.matchAll(/^- output\.artifacts: .* [Ff]or example (\{.*\})$/gmu)].map(([, example]) => example!),
    ...listOf(expects['artifacts']).map(({ schema }) => JSON.stringify(schema)),
  ].filter((text) => text !== '' && text !== undefined && reply.text.includes(text));
  return bytes(reply.text) - authored.reduce((sum, text) => sum + bytes(text), 0);
}

/** Of a later round, the paragraphs that are told again. */
const promptIn = (text: string, prompt: string): readonly string[] =>
  text.includes(prompt) ? [prompt] : [...new Set(prompt.split(/\n{2,}/u))];

const isLaterRound = ({ reply }: Called): boolean => reply.text.includes('; the whole step: continue_workflow');

/** A step that wants notes and one key at most. */
function isPlain({ answer }: Called): boolean {
  const expects = fieldsOf(fieldsOf(answer['pending'])['expects']);
  const wants = listOf(expects['context']).length + listOf(expects['artifacts']).length;
  return wants <= 1 && listOf(expects['needs']).length === 0 && listOf(answer['gaps']).length === 0;
}

const assessed = ({ purpose, dimensions, followUps }: Fields): readonly string[] => [
  textOf(purpose),
  ...listOf(dimensions).flatMap((dimension) => [
    textOf(dimension['purpose']),
    (dimension['levels'] as readonly string[]).join(', '),
  ]),
  ...listOf(followUps).map(({ guidance }) => textOf(guidance)),
];

const delegated = (pending: Fields): readonly string[] =>
  listOf(pending['delegates']).map(({ text }) => textOf(text).trimEnd());

function besideThePrompt({ reply, answer }: Called): number {
  const pending = fieldsOf(answer['pending']);
  return bytes(reply.text) - bytes(pending['prompt']) - delegated(pending).reduce((sum, text) => sum + bytes(text), 0);
}

interface Walked {
  readonly steps: number;
  readonly last: Fields;
  readonly advanceBytes: number;
  readonly plainBytes: number;
  readonly roundBytes: number;
  readonly checkpointBytes: number;
  readonly answerBytes: number;
  readonly warnings: number;
}

async function startOf(workflowId: string, mode: Mode): Promise<Called> {
  // A script that knows nothing of the inputs is told their names, and fills them in.
  const first = await call(requests, 'start_workflow', { workflowId, mode, fresh: true });
  if (!first.reply.failed) return first;
  const told = fieldsOf(fieldsOf(first.answer['nextCall'])['arguments']);
  const context = Object.fromEntries(
    Object.keys(fieldsOf(told['context'])).map((name) => [name, `What the user says of ${name}.`]),
  );
  const second = await call(requests, 'start_workflow', { ...(told as JsonObject), context });
  if (second.reply.failed) throw new Error(second.reply.text);
  return second;
}

async function walk(workflowId: string, mode: Mode, handBack: HandBack): Promise<Walked> {
  let here = await startOf(workflowId, mode);
  const seen: Called[] = [here];
  let steps = 0;
  const [advances, kept]: [Called[], Called[]] = [[], []];
  while (here.answer['isComplete'] === false) {
    if (steps > 150) throw new Error('the run does not end');
    seen.push(await call(requests, 'continue_workflow', { stateToken: here.answer['stateToken']! }));
    here = await call(requests, 'continue_workflow', {
      stateToken: here.answer['stateToken']!,
      ackToken: here.answer['ackToken']!,
      ...handBack(fieldsOf(fieldsOf(here.answer['pending'])['expects'])),
    });
    if (here.reply.failed || here.answer['kind'] === 'blocked')
      throw new Error(`${workflowId} in ${mode}: ${here.reply.text}`);
    steps += 1;
    advances.push(here);
    seen.push(here);
    kept.push(
      await call(requests, 'checkpoint_workflow', {
        stateToken: here.answer['stateToken']!,
        output: { notesMarkdown: 'Half of it.' },
      }),
    );
  }
  seen.push(
    await call(requests, 'continue_workflow', { stateToken: here.answer['stateToken']! }),
    await call(requests, 'resume_session', {}),
  );
  return {
    steps,
    last: here.answer,
    advanceBytes: most(advances),
    plainBytes: most(advances.filter((one) => isPlain(one) && !isLaterRound(one))),
    roundBytes: most(advances.filter(isLaterRound)),
    checkpointBytes: Math.max(0, ...kept.map(({ reply }) => bytes(reply.text))),
    answerBytes: Math.max(...seen.map(besideThePrompt)),
    warnings: seen.flatMap(({ answer }) => listOf(answer['warnings'])).length,
  };
}

const most = (some: readonly Called[]): number => Math.max(0, ...some.map(beyondTheAuthor));

function note(
  workflowId: string,
  mode: Mode,
  choice: string,
  { steps, last, advanceBytes, plainBytes, roundBytes, answerBytes, warnings }: Walked,
): void {
  const acks = linesOnDisk(world.data)
    .filter(({ run }) => run === fieldsOf(last['session'])['runId'])
    .map(({ data }) => fieldsOf(data as JsonValue));
  const count = (field: string): number => acks.reduce((sum, data) => sum + listOf(data[field]).length, 0);
  table.push(
    `${workflowId} · ${mode} · ${choice}: ${steps}, ${count('skipped')}, ${count('gaps')}, ${warnings}; ${advanceBytes}, ${plainBytes}, ${roundBytes}, ${answerBytes}`,
  );
}

describe.each(ids)('%s', (workflowId) => {
  describe.each(modeNames)('in %s', (mode) => {
    test.each([0, 1, 2])(
      'is finished by a script that reads pending.expects, choice %i',
      async (choice) => {
        const walked = await walk(workflowId, mode, everythingAsked(choice));
        note(workflowId, mode, String(choice), walked);
        expect(walked.steps).toBeGreaterThan(0);
        expect(walked.last['status']).toBe('complete');
        expect(walked.advanceBytes, 'bytes of an advance beyond what the author wrote').toBeLessThanOrEqual(1200);
        expect(walked.plainBytes, 'the same of a step that wants notes and a key').toBeLessThanOrEqual(900);
        expect(walked.roundBytes, 'the same of a later round').toBeLessThanOrEqual(600);
        expect(walked.checkpointBytes, 'bytes of the answer to a checkpoint').toBeLessThanOrEqual(300);
        expect(walked.answerBytes, 'bytes of an answer beside the prompt').toBeLessThanOrEqual(limits.answer);
      },
      patience,
    );
  });

  test(
    'is finished in auto_never_stop by an agent that hands back nothing, and says so',
    async () => {
      const walked = await walk(workflowId, 'auto_never_stop', nothing);
      note(workflowId, 'auto_never_stop', 'nothing', walked);
      expect(walked.last['status']).toBe('complete_with_gaps');
      expect(walked.answerBytes).toBeLessThanOrEqual(limits.answer);
    },
    patience,
  );
});
