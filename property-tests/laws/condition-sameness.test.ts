import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { evaluateCondition } from '../../src/definitions/expression/expression.js';
import { tellCondition, tellExpression } from '../../src/definitions/expression/tell-expression.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, fieldsOf, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { conditions, scalars } from '../worlds/workrail-files.js';
import { naiveHolds } from '../worlds/workrail-naive.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 21 });
  requests = world.open();
});
afterAll(() => world.close(), patience);

/** A condition, and the same with what a context holds written into it: undefined where it reads what nobody has set. */
interface Condition {
  readonly live: string;
  readonly fixed: (context: JsonObject) => string | undefined;
}

const key = fc.constantFrom('size', 'mode', 'ready', 'count');
const literal = fc.constantFrom(...scalars.filter((value) => value !== null)).map((value) => JSON.stringify(value));
const read = key.map((name): Condition => ({
  live: `context.${name}`,
  fixed: (context) => (Object.hasOwn(context, name) ? `(${JSON.stringify(context[name])})` : undefined),
}));
const around = (inner: Condition, wrap: (text: string) => string): Condition => ({
  live: wrap(inner.live),
  fixed: (context) => {
    const text = inner.fixed(context);
    return text === undefined ? undefined : wrap(text);
  },
});
const joined = (a: Condition, b: Condition, operator: string): Condition => ({
  live: `(${a.live}) ${operator} (${b.live})`,
  fixed: (context) => {
    const [left, right] = [a.fixed(context), b.fixed(context)];
    return left === undefined || right === undefined ? undefined : `(${left}) ${operator} (${right})`;
  },
});
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 6,
      arbitrary: fc
        .tuple(read, fc.constantFrom('==', '!=', '<', '>='), literal)
        .map(([one, operator, value]) => around(one, (text) => `${text} ${operator} ${value}`)),
    },
    fc
      .tuple(read, fc.array(literal, { maxLength: 3 }))
      .map(([one, values]) => around(one, (text) => `${text} in [${values.join(', ')}]`)),
    read,
    read.map((one) => around(one, (text) => `size(${text}) > 3`)),
    read.map((one) => around(one, (text) => `${text}.contains("a")`)),
    key.map((name): Condition => ({
      live: `has(context.${name})`,
      fixed: (context) => String(Object.hasOwn(context, name)),
    })),
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie('condition'), tie('condition'), fc.constantFrom('&&', '||'))
        .map(([a, b, operator]) => joined(a, b, operator)),
    },
    { weight: 2, arbitrary: tie('condition').map((one) => around(one, (text) => `!(${text})`)) },
  ),
}));
const contexts = fc.dictionary(key, fc.constantFrom(...scalars.filter((value) => value !== null)), { maxKeys: 4 });

/** The steps that are met, and whether the last one asks for agreement, or may by what comes back with it. */
async function executed(
  workflowId: string,
  context: JsonObject,
): Promise<{ readonly met: readonly string[]; readonly asks: boolean; readonly may: boolean; readonly text: string }> {
  let here = await call(requests, 'start_workflow', { workflowId, context, mode: 'auto_never_stop', fresh: true });
  const met: string[] = [];
  for (;;) {
    if (here.reply.failed) throw new Error(here.reply.text);
    const pending = fieldsOf(here.answer['pending']);
    met.push(textOf(pending['stepId']));
    if (met.at(-1) === 'asks') {
      const { required, where } = fieldsOf(fieldsOf(pending['expects'])['confirmation']);
      return { met, asks: required === true, may: where !== undefined, text: here.reply.text };
    }
    here = await call(requests, 'continue_workflow', {
      stateToken: here.answer['stateToken']!,
      ackToken: here.answer['ackToken']!,
      output: { notesMarkdown: 'Done.' },
    });
  }
}

/** The conditions of the first two steps as a preview tells them. */
async function previewed(workflowId: string): Promise<readonly string[]> {
  const { answer } = await call(requests, 'inspect_workflow', { workflowId, mode: 'preview' });
  const steps = listOf(answer['steps']);
  return [
    textOf(steps.find(({ stepId }) => stepId === 'maybe')?.['if']),
    textOf(fieldsOf(steps.find(({ stepId }) => stepId === 'rounds')?.['loop'])['test']),
  ];
}

const written = (name: string, text: string): void => {
  mkdirSync(world.bundled, { recursive: true });
  writeFileSync(join(world.bundled, name), text);
};

describe('a condition gives one result', () => {
  it(
    'in validation, in a preview and in execution',
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(condition, contexts, async ({ live, fixed }, context) => {
          const workflow = (source: string): JsonObject => ({
            workflow: 'wr.same',
            title: 'Same',
            description: 'Use this.',
            steps: [
              { id: 'maybe', if: source, prompt: 'Perhaps.' },
              { id: 'rounds', while: source, max: 1, steps: [{ id: 'body', prompt: 'Once.' }] },
              { id: 'asks', prompt: 'Agreed?', confirm: { if: source } },
            ],
          });
          written('same.json', JSON.stringify(workflow(live)));
          const result = evaluateCondition(live, { inputs: {}, context, outputs: {}, names: {} });
          const holds = result.ok && result.value;
          seen.add(result.ok ? String(holds) : 'unknown');
          const compiled = compileSource(JSON.stringify(workflow(live)), 'same.json');
          fc.pre(compiled.ok);
          expect(await executed('wr.same', context)).toMatchObject({
            met: [...(holds ? ['maybe', 'body'] : []), 'asks'],
            asks: holds || !result.ok,
          });
          for (const told of await previewed('wr.same'))
            expect(evaluateCondition(told, { inputs: {}, context, outputs: {}, names: {} })).toEqual(result);
          const constant = fixed(context);
          const validated =
            constant === undefined ? undefined : compileSource(JSON.stringify(workflow(constant)), 'same.json');
          if (validated?.ok === true)
            expect(
              validated.warnings.filter(({ rule }) => rule === 'never_runs').map(({ pointer }) => pointer),
            ).toEqual(result.ok && !holds ? ['/steps/0/if', '/steps/1/while'] : []);
        }),
        runs(80),
      );
      expect([...seen].toSorted()).toEqual(['false', 'true', 'unknown']);
    },
    patience,
  );

  it(
    'in the WorkRail JSON format, wherever it stands: as the plainest reading has it',
    async () => {
      await fc.assert(
        fc.asyncProperty(conditions, contexts, async (source, context) => {
          const when = source as JsonValue;
          const text = JSON.stringify({
            id: 'wr.older',
            name: 'Older',
            description: 'Use this.',
            version: '1.0.0',
            steps: [
              { id: 'maybe', title: 'Maybe', prompt: 'Perhaps.', runCondition: when },
              {
                id: 'rounds',
                type: 'loop',
                title: 'Rounds',
                loop: { type: 'while', condition: when, maxIterations: 1 },
                body: [{ id: 'body', title: 'Body', prompt: 'Once.' }],
              },
              {
                id: 'asks',
                title: 'Asks',
                prompt: 'Agreed?',
                requireConfirmation: when,
                promptFragments: [{ id: 'f', when, text: 'One fragment.' }],
                parallelDelegations: [{ workflowId: 'nobody', goal: 'One goal.', runCondition: when }],
              },
            ],
          });
          written('older.json', text);
          const holds = naiveHolds(when, { context, names: {} });
          const enters = naiveHolds(when, { context, names: { currentIteration: 1, currentIndex: 0 } });
          const { met, asks, may, text: said } = await executed('wr.older', context);
          // Nothing but a key that nobody has set yet can come back with the step and decide it.
          const open = Array.from(text.matchAll(/"var":"(\w+)/gu), ([, name]) => name!).some(
            (name) => !Object.hasOwn(context, name),
          );
          expect(open || !may, text).toBe(true);
          expect({ met, asks, fragment: said.includes('One fragment.'), goal: said.includes('One goal.') }).toEqual({
            met: [...(holds ? ['maybe'] : []), ...(enters ? ['body'] : []), 'asks'],
            asks: may || holds,
            fragment: holds,
            goal: holds,
          });
          const compiled = compileSource(text, 'older.json');
          if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
          const [maybe, rounds] = compiled.workflow.steps;
          const sources = [
            maybe?.if ?? 'true',
            rounds?.kind === 'loop' && rounds.loop.type === 'while' ? rounds.loop.test : '',
          ];
          // What always holds is told by leaving it out, and a condition in words.
          expect(await previewed('wr.older')).toEqual([tellCondition(maybe?.if) ?? '', tellExpression(sources[1]!)]);
          // What a loop calls its rounds has a value inside of it alone.
          for (const one of sources)
            if (!/currentIteration|currentIndex/u.test(one))
              expect(evaluateCondition(one, { inputs: {}, context, outputs: {}, names: {} })).toEqual({
                ok: true,
                value: holds,
              });
        }),
        runs(60),
      );
    },
    patience,
  );
});
