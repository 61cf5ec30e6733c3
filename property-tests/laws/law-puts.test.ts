import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, type Called, fieldsOf, makeRequestsWorld, mergeInto, pairOf, textOf } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const schema = {
  type: 'object',
  properties: {
    own: { type: 'object', additionalProperties: { type: 'integer', maximum: 9 } },
    list: { type: 'array', items: { type: 'integer' } },
    count: { type: 'integer' },
  },
};
const workflow = (counts: boolean): string => `workflow: team.law
steps:
  - id: rounds
    repeat: 40
    steps:
      - id: put
        prompt: "\${{ state }}"
        sets: { key: { type: string }, number: { type: any } }
        puts:
          /own/\${{ context.key }}: context.number
          /list/-: context.number
${counts ? '          /count: state.count + 1\n' : ''}      - id: pass
        if: size(state.list) % 3 == 2
        prompt: "\${{ state.list }}"
`;

type Turn = { readonly at: number; readonly which: number } & (
  | { readonly do: 'put'; readonly key: string; readonly number: JsonValue }
  | { readonly do: 'replay' | 'back' | 'write' | 'restart' | 'exchange' }
);
const at = fc.nat(1);
const which = fc.nat(20);
const turn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      at,
      which,
      key: fc.constantFrom('a', 'b/c', '~', 'length', '-', '0'),
      // Some of them no schema takes.
      number: fc.oneof({ weight: 5, arbitrary: fc.nat(9) }, fc.constantFrom(99, 'x', null)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('replay', 'back', 'write', 'restart', 'exchange'), at, which }),
  },
);

/** What a state is in the plainest way. */
interface Model {
  own: { [key: string]: JsonValue };
  list: JsonValue[];
  count: number;
}
function putInto(model: Model, { key, number }: { readonly key: string; readonly number: JsonValue }): void {
  model.own[key] = number;
  model.list.push(number);
  model.count += 1;
}
const isRight = (number: JsonValue): boolean => typeof number === 'number' && number <= 9;

interface Told {
  readonly stateToken: string;
  readonly prompt: string;
}
interface Sent {
  readonly request: JsonObject;
  readonly text: string;
}

const promptOf = ({ answer }: Called): string => textOf(fieldsOf(answer['pending'])['prompt']);

const isAtPut = ({ answer }: Called): boolean => textOf(fieldsOf(answer['pending'])['stepId']) === 'put';
const inOrder = (list: readonly JsonValue[]): readonly string[] => list.map(String).toSorted();

/** One machine with a copy of the session, and the agent on it. */
class Machine {
  here: Called | undefined;
  requests: Requests;
  constructor(
    readonly data: string,
    readonly open: (data: string) => Requests,
  ) {
    this.requests = open(data);
  }

  async start(): Promise<void> {
    this.here = await call(this.requests, 'start_workflow', { workflowId: 'team.law', session: 'L-1' });
  }

  async restart(): Promise<void> {
    await this.requests.close();
    this.requests = this.open(this.data);
  }

  async state(): Promise<JsonValue | undefined> {
    return (await call(this.requests, 'state_read', { session: 'L-1' })).answer['current_data'];
  }
}

async function begin(seed: number, counts: boolean) {
  const world = makeRequestsWorld({ seed });
  world.writeWorkflow('law', workflow(counts));
  const machine = new Machine(world.data, (data) => world.open(data));
  await machine.requests.people.addSchema({ name: 'law', json: schema });
  const initialData = { own: {}, list: [], count: 0 };
  await call(machine.requests, 'state_create', { schemaName: 'law', initialData, session: 'L-1' });
  return { world, machine };
}

test(
  'what steps put is what a naive model has, done once, in one append, and each step is told again what it was told',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.array(turn, { minLength: 8, maxLength: 30, size: 'max' }),
        async (seed, turns) => {
          const { world, machine } = await begin(seed, true);
          try {
            const model: Model = { own: {}, list: [], count: 0 };
            const told: Told[] = [];
            const sent: Sent[] = [];
            await machine.start();
            for (const one of turns) {
              const { here } = machine;
              const pair = pairOf(here!.answer);
              if (pair.ackToken === '') break;
              told.push({ stateToken: pair.stateToken, prompt: promptOf(here!) });
              if (one.do === 'put') {
                const isPut = isAtPut(here!);
                const context = { key: one.key, number: one.number };
                const request = { ...pair, ...(isPut ? { context } : { output: { notesMarkdown: 'Passed.' } }) };
                const answer = await call(machine.requests, 'continue_workflow', request);
                expect(answer.reply.failed, answer.reply.text).toBe(isPut && !isRight(one.number));
                if (answer.reply.failed) {
                  expect(answer.answer['error_code']).toBe('STEP_INCOMPLETE');
                  continue;
                }
                if (isPut) putInto(model, one);
                sent.push({ request, text: answer.reply.text });
                machine.here = answer;
              } else if (one.do === 'replay' && sent.length > 0) {
                const { request, text } = sent[one.which % sent.length]!;
                expect((await call(machine.requests, 'continue_workflow', request)).reply.text).toBe(text);
              } else if (one.do === 'back') {
                const { stateToken, prompt } = told[one.which % told.length]!;
                machine.here = await call(machine.requests, 'continue_workflow', { stateToken });
                expect(promptOf(machine.here)).toBe(prompt);
              } else if (one.do === 'write') {
                const operations = [{ op: 'add', path: '/list/-', value: one.which }];
                await call(machine.requests, 'state_patch', { session: 'L-1', operations });
                model.list.push(one.which);
              } else if (one.do === 'restart') await machine.restart();
              expect(await machine.state()).toEqual(model);
            }
            for (const { stateToken, prompt } of told)
              expect(promptOf(await call(machine.requests, 'continue_workflow', { stateToken }))).toBe(prompt);
            // Each version stands in one append with the step that made it.
            const lines = world.lines();
            for (const [index, line] of lines.entries())
              if (line.kind === 'state_changed' && line.node !== undefined) {
                expect(line.more).toBe(true);
                const acked = lines.slice(index).find(({ kind }) => kind === 'step_acked');
                expect(acked?.data).toMatchObject({ parent: line.node });
              }
          } finally {
            await world.close();
          }
        },
      ),
      runs(15),
    );
  },
  patience,
);

test(
  'what steps of two clones put is all there once they have merged, each once, and both come to one document',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.array(turn, { minLength: 8, maxLength: 24, size: 'max' }),
        async (seed, turns) => {
          const { world, machine } = await begin(seed, false);
          try {
            await machine.start();
            const other = new Machine(world.clone(world.data, 'clone'), (data) => world.open(data));
            other.here = machine.here;
            const machines = [machine, other];
            const own = new Map<string, JsonValue>();
            const listed: JsonValue[] = [];
            const exchange = async (): Promise<void> => {
              for (const one of machines) await one.requests.close();
              mergeInto(machine.data, other.data);
              mergeInto(other.data, machine.data);
              for (const one of machines) one.requests = one.open(one.data);
            };
            for (const [count, one] of turns.entries()) {
              const by = machines[one.at]!;
              if (one.do === 'exchange') await exchange();
              if (one.do !== 'put') continue;
              const pair = pairOf(by.here!.answer);
              if (pair.ackToken === '') break;
              const isPut = isAtPut(by.here!);
              const number = isRight(one.number) ? (one.number as number) : 0;
              // Nobody else writes there, and appending touches nothing.
              const key = `${one.key} of ${count}`;
              const answer = await call(by.requests, 'continue_workflow', {
                ...pair,
                ...(isPut ? { context: { key, number } } : { output: { notesMarkdown: 'Passed.' } }),
              });
              expect(answer.reply.failed, answer.reply.text).toBe(false);
              by.here = answer;
              // The other clone has done this step: what comes is kept beside it, and is no step.
              if (!isPut || answer.answer['otherWork'] !== undefined) continue;
              own.set(key, number);
              listed.push(number);
            }
            await exchange();
            const last = await call(machine.requests, 'state_patch', {
              session: 'L-1',
              operations: [{ op: 'add', path: '/count', value: 1 }],
            });
            expect(last.answer['conflicts']).toEqual([]);
            await exchange();
            const document = await machine.state();
            expect(await other.state()).toEqual(document);
            const { own: kept, list } = document as JsonObject;
            expect(kept).toEqual(Object.fromEntries(own));
            expect(inOrder(list as JsonValue[])).toEqual(inOrder(listed));
          } finally {
            await world.close();
          }
        },
      ),
      runs(12),
    );
  },
  patience,
);
