import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import { valuesInstead } from '../../../src/definitions/check/known-values.js';
import type { CompiledWorkflow } from '../../../src/definitions/compiled/compiled-workflow.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const step = (id: string, prompt: string, more: JsonObject = {}): JsonObject => ({ id, title: id, prompt, ...more });
const when = (condition: JsonObject): JsonObject => ({ runCondition: condition });
const file = (steps: readonly JsonObject[]): string =>
  JSON.stringify({ id: 'p.ways', name: 'Ways', description: 'D', version: '1.0.0', steps });

const choose = step('choose', 'Set `way` to exactly one of: Short, Full.');
const short = step('short', 'S', when({ var: 'way', equals: 'Short' }));
const full = step(
  'full',
  'F',
  when({
    or: [
      { var: 'way', equals: 'Full' },
      { var: 'way', in: ['Epic'] },
    ],
  }),
);

function compiled(text: string, name = 'x.json'): CompiledWorkflow {
  const result = compileSource(text, name);
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}
const instead = (steps: readonly JsonObject[], value: JsonValue): readonly JsonValue[] | undefined =>
  valuesInstead(compiled(file(steps)), 'way', value);

test.each<[string, readonly JsonObject[], JsonValue, readonly JsonValue[] | undefined]>([
  ['a text that is none of them', [choose, short, full], 'Small', ['Short', 'Full', 'Epic']],
  ['the nearest first', [choose, short, full], 'full path', ['Full', 'Short', 'Epic']],
  ['one of them', [choose, short, full], 'Epic', undefined],
  ['one in another case', [choose, short, full], ' full ', undefined],
  ['nothing', [choose, short, full], null, undefined],
  ['something else than a text', [choose, short, full], 3, ['Short', 'Full', 'Epic']],
  ['one value, which has an otherwise', [choose, short], 'Small', undefined],
  [
    'an otherwise that the text names',
    [step('choose', 'Set `way`: Short, Full, Medium or Epic.'), short, full],
    'medium',
    undefined,
  ],
  [
    'one that is taken as well',
    [choose, short, full, step('n', 'N', when({ var: 'way', not_equals: 'Full' }))],
    'Small',
    undefined,
  ],
  [
    'one that is looked into',
    [choose, short, full, step('n', 'N', when({ var: 'way', contains: 'a' }))],
    'Small',
    undefined,
  ],
  [
    'true and false',
    [step('choose', 'Set `way`.'), step('s', 'S', when({ var: 'way', equals: true }))],
    'perhaps',
    [true, false],
  ],
  [
    'what is as good as false',
    [step('choose', 'Set `way`.'), step('s', 'S', when({ var: 'way', equals: true }))],
    'No',
    undefined,
  ],
])('conditions know %s', (_, steps, value, known) => {
  expect(instead(steps, value)).toEqual(known);
});

it('a file of this format is held to its words as they are written', () => {
  const own = compiled(
    [
      'workflow: p.own',
      'title: Own',
      'description: D',
      'version: 1.0.0',
      'steps:',
      '  - { id: choose, title: C, prompt: Choose., sets: { way: { type: string } } }',
      '  - { id: short, title: S, prompt: S, if: context.way == "Short" }',
      '  - { id: full, title: F, prompt: F, if: \'context.way in ["Full", "Epic"]\' }',
    ].join('\n'),
    'x.yaml',
  );
  expect(valuesInstead(own, 'way', 'full')).toEqual(['Full', 'Short', 'Epic']);
  expect(valuesInstead(own, 'way', 'Full')).toBeUndefined();
});

it('a value that a step allows is known, whether conditions compare with it or not', () => {
  const own = compiled(
    [
      'workflow: p.own',
      'title: Own',
      'description: D',
      'version: 1.0.0',
      'steps:',
      '  - { id: choose, title: C, prompt: Choose., sets: { way: { type: string, enum: [Short, Full, None] } } }',
      '  - { id: short, title: S, prompt: S, if: context.way == "Short" }',
      '  - { id: full, title: F, prompt: F, if: context.way == "Full" }',
    ].join('\n'),
    'x.yaml',
  );
  expect(valuesInstead(own, 'way', 'None')).toBeUndefined();
  expect(valuesInstead(own, 'way', 'Small')).toEqual(['Short', 'Full']);
});

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 3, store: 'memory' });
  requests = world.open();
});
afterAll(() => world.close());
const begin = (steps: readonly JsonObject[], more: JsonObject = {}): Promise<Called> => {
  writeFileSync(join(world.bundled, 'ways.json'), file(steps));
  return call(requests, 'start_workflow', { workflowId: 'p.ways', fresh: true, ...more });
};
const done = (here: Called, context?: JsonObject): Promise<Called> =>
  call(requests, 'continue_workflow', {
    ...pairOf(here.answer),
    output: { notesMarkdown: 'Done.' },
    ...(context !== undefined && { context }),
  });
const said = 'context.way is "Small", which no condition knows; they compare it with "Short", "Full" or "Epic"';
const warned = ({ answer }: Called): readonly string[] =>
  listOf(answer['warnings']).flatMap(({ code, message }) => (code === 'VALUE_UNKNOWN' ? [textOf(message)] : []));
const gaps = ({ answer }: Called): readonly string[] =>
  listOf(answer['gaps'] ?? []).map(({ severity, detail }) => `${textOf(severity)} ${textOf(detail)}`);

it('a run that ends because no condition knows a value says so, in every mode', async () => {
  for (const mode of ['guided', 'auto_stop', 'auto_never_stop']) {
    const end = await done(await begin([choose, short, full], { mode }), { way: 'Small' });
    expect(end.answer).toMatchObject({ kind: 'complete', status: 'complete_with_gaps' });
    expect(gaps(end)).toEqual([`critical ${said}: “short”, “full” were skipped and might have run with one of them`]);
    expect(warned(end)).toEqual([]);
    expect(end.reply.text).toContain('Skipped “short”: ');
  }
});

it('the answer to the call that brings it names the values, and a value that is known ends it well', async () => {
  const asks = { ...choose, requireConfirmation: true };
  expect(warned(await done(await begin([asks, short, full]), { way: 'Small' }))).toEqual([said]);
  const start = await begin([choose, short, step('more', 'M'), full]);
  const more = await done(start, { way: 'Small' });
  expect(warned(more)).toEqual([said]);
  expect(more.reply.text).toContain(`Warning: ${said}.`);
  const end = await done(more, { way: 'full' });
  expect(fieldsOf(end.answer['pending'])['stepId']).toBe('full');
  expect(warned(await done(more, {}))).toEqual([]);
  expect(warned(await begin([step('look', 'L'), choose, short, full], { context: { way: 'Small' } }))).toEqual([said]);
});

it('whoever is asked for a key is told its values', async () => {
  const { reply } = await done(await begin([choose, short, full]));
  expect(reply.text).toContain('set context.way to "Short", "Full" or "Epic"');
  expect(reply.text).not.toContain('any value');
  const flag = step('flagged', 'F', when({ var: 'flag', equals: true }));
  expect((await done(await begin([step('look', 'Set `flag`.'), flag]))).reply.text).toContain(
    'set context.flag to true or false',
  );
  const { reply: one } = await done(await begin([step('look', 'Set `way`.'), short]));
  expect(one.text).toContain('set context.way to any value; conditions compare it with "Short"');
});
