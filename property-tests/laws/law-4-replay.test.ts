import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { type Action, actions, at, keysOf, outputOf } from '../worlds/random-actions.js';
import {
  call,
  type Fields,
  fieldsOf,
  linesOnDisk,
  listOf,
  makeRequestsWorld,
  mergeInto,
  type RequestsWorld,
  textOf,
  withoutOtherWork,
} from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { renderWorkflow, straightWorkflow, tinyWorkflow, type TinyWorkflow } from '../worlds/tiny-workflow.js';

/** An ack that was recorded, and the answer that was given to it then. */
interface Recorded {
  readonly request: JsonObject;
  readonly answer: string;
  readonly child: string;
}

async function answerOf(requests: Requests, request: JsonObject): Promise<string> {
  const { reply, answer } = await call(requests, 'continue_workflow', request);
  return `${reply.text}\n${JSON.stringify(answer)}`;
}

async function startIn(
  requests: Requests,
  session: string,
  name = 'one',
): Promise<{ readonly stateToken: string; readonly ackToken: string }> {
  const { answer } = await call(requests, 'start_workflow', {
    workflowId: `wr.${name}`,
    session,
    mode: 'auto_never_stop',
    context: { ...keysOf({ keys: 'all', number: 7 } as Action['intent']), goal: 'done' },
    fresh: true,
  });
  return { stateToken: textOf(answer['stateToken']), ackToken: textOf(answer['ackToken']) };
}

/** Goes along a run, and off it: every few steps it goes back and does a step anew. */
async function work(requests: Requests, session: string, todo: readonly Action[]): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  let here = await startIn(requests, session);
  for (const { intent, which } of todo) {
    if (here.ackToken === '' || which % 4 === 0) {
      const back = textOf(
        at(
          recorded.map(({ request }) => request['stateToken']),
          which,
        ) ?? here.stateToken,
      );
      const { answer } = await call(requests, 'continue_workflow', { stateToken: back });
      here = { stateToken: back, ackToken: textOf(answer['ackToken']) };
    }
    if (here.ackToken === '') break;
    const request = {
      ...here,
      context: keysOf(intent),
      output: outputOf(intent, true, []) as JsonObject,
      preferences: { mode: 'auto_never_stop' },
    };
    const { reply, answer } = await call(requests, 'continue_workflow', request);
    if (reply.failed) throw new Error(reply.text);
    recorded.push({ request, answer: `${reply.text}\n${JSON.stringify(answer)}`, child: textOf(answer['stateToken']) });
    here = { stateToken: textOf(answer['stateToken']), ackToken: textOf(answer['ackToken']) };
  }
  return recorded;
}

/** Everything that may have happened in between, each of which must leave recorded answers as they are. */
const upheavals: {
  readonly [name: string]: (
    world: RequestsWorld,
    requests: Requests,
    workflow: TinyWorkflow,
    recorded: readonly Recorded[],
  ) => Promise<Requests>;
} = {
  fork: async (_world, requests, _workflow, recorded) => {
    for (const { request } of recorded.slice(0, 3)) {
      const { answer } = await call(requests, 'continue_workflow', { stateToken: request['stateToken']! });
      await call(requests, 'continue_workflow', {
        stateToken: request['stateToken']!,
        ackToken: answer['ackToken']!,
        output: { notesMarkdown: 'another way' },
        preferences: { mode: 'auto_never_stop' },
      });
    }
    return requests;
  },
  edited: async (world, requests, workflow) => {
    world.writeWorkflow('one', renderWorkflow({ ...workflow, version: 9, steps: straightWorkflow('one', 3).steps }));
    return requests;
  },
  broken: async (world, requests) => {
    world.writeWorkflow('one', 'workflow: [');
    return requests;
  },
  deleted: async (world, requests) => {
    world.removeWorkflow('one');
    return requests;
  },
  'other preferences': async (_world, requests, _workflow, recorded) => {
    const { answer } = await call(requests, 'continue_workflow', { stateToken: recorded.at(-1)!.child });
    if (answer['ackToken'] !== undefined)
      await call(requests, 'continue_workflow', {
        stateToken: recorded.at(-1)!.child,
        ackToken: answer['ackToken'],
        preferences: { riskPolicy: 'aggressive', assumptionPolicy: 'ask_when_missing' },
      });
    return requests;
  },
  restarted: async (world, requests) => {
    await requests.close();
    return world.open();
  },
  crashed: async (world) => world.open(),
  'other sessions': async (world, requests) => {
    world.writeWorkflow('other', renderWorkflow(straightWorkflow('other', 2)));
    const other = await startIn(requests, 'OTHER-1', 'other');
    await call(requests, 'continue_workflow', { ...other, output: { notesMarkdown: 'elsewhere' } });
    return requests;
  },
  'another run': async (world, requests, workflow) => {
    world.writeWorkflow('one', renderWorkflow(workflow));
    await startIn(requests, 'ALPHA-1');
    return requests;
  },
  'a checkpoint': async (_world, requests, _workflow, recorded) => {
    for (const { child } of recorded.slice(-2))
      await call(requests, 'checkpoint_workflow', {
        stateToken: child,
        output: {
          notesMarkdown: 'kept',
          gaps: [{ category: 'unexpected', reason: 'r', detail: 'd', severity: 'critical' }],
        },
      });
    return requests;
  },
  'a new key': async (_world, requests) => {
    requests.rotateKey();
    return requests;
  },
  'no local folder': async (world, requests) => {
    await requests.close();
    rmSync(join(world.data, 'local'), { recursive: true, force: true });
    return world.open();
  },
};

test(
  'law 4: k replays append once and answer byte for byte alike, whatever happened in between',
  async () => {
    let replays = 0;
    const names = Object.keys(upheavals);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.oneof(fc.constant(straightWorkflow('one', 5)), tinyWorkflow('one')),
        actions(3, 12),
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }),
        async (seed, workflow, todo, between) => {
          const world = makeRequestsWorld({ seed });
          try {
            world.writeWorkflow('one', renderWorkflow(workflow));
            let requests = world.open();
            const other = world.open();
            const recorded = await work(requests, 'ALPHA-1', todo);
            if (recorded.length === 0) return;
            for (const name of between) {
              requests = await upheavals[name]!(world, requests, workflow, recorded);
              const before = linesOnDisk(world.data).length;
              // One process after the other: each turn costs a wait for the lease.
              for (const process of [other, requests]) {
                for (const { request, answer } of recorded) {
                  expect(await answerOf(process, request), `after ${name}`).toBe(answer);
                  replays += 1;
                }
              }
              // An ack without anything in it is a replay as well: the answer was lost, and with it what had been sent.
              const { request, answer } = recorded.at(-1)!;
              expect(
                await answerOf(requests, { stateToken: request['stateToken']!, ackToken: request['ackToken']! }),
              ).toBe(answer);
              expect(linesOnDisk(world.data)).toHaveLength(before);
            }
          } finally {
            await world.close();
          }
        },
      ),
      runs(20),
    );
    console.log(`law 4: ${replays} replays`);
    expect(replays).toBeGreaterThan(0);
  },
  patience,
);

test(
  'law 4: each other output of a replay is kept once, with the step it came for, the answer says so first, and one call makes a branch of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        actions(2, 6),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }),
        async (seed, todo, sent) => {
          const world = makeRequestsWorld({ seed, lock: seed % 2 === 0 ? 'on' : 'off' });
          try {
            world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 4)));
            const processes = [world.open(), world.open()];
            const recorded = await work(processes[0]!, 'ALPHA-1', todo);
            const kept = new Map<string, Set<number>>();
            const branches = new Map<string, Fields>();
            for (const [turn, number] of sent.entries()) {
              const place = (number + turn) % recorded.length;
              const { request, answer, child } = recorded[place]!;
              const before = linesOnDisk(world.data);
              const known = kept.get(child) ?? new Set();
              kept.set(child, known);
              const called = await call(at(processes, turn), 'continue_workflow', {
                ...request,
                context: { odd: number },
                output: { notesMarkdown: `redone ${place}, ${number}`, artifacts: [{ kind: 'x', number }] },
              });
              expect(withoutOtherWork(called)).toBe(answer);
              const { branch } = fieldsOf(called.answer['otherWork']);
              branches.set(`redone ${place}, ${number}`, fieldsOf(fieldsOf(branch)['arguments']));
              const written = linesOnDisk(world.data).filter(({ sum }) => before.every((line) => line.sum !== sum));
              expect(written.map(({ kind }) => kind)).toEqual(known.has(number) ? [] : ['checkpoint']);
              known.add(number);
            }
            for (const [place, { child }] of recorded.entries()) {
              const { answer } = await call(world.open(), 'continue_workflow', { stateToken: child });
              // This branch did other work, and what came late steers nothing of it.
              const told = listOf(fieldsOf(answer['recap'])['entries']).map(({ notes }) => notes);
              for (const number of kept.get(child) ?? []) expect(told).not.toContain(`redone ${place}, ${number}`);
              expect(JSON.stringify(linesOnDisk(world.data).filter(({ kind }) => kind === 'step_acked'))).not.toContain(
                '"odd"',
              );
            }
            for (const [notes, pair] of branches) {
              const { reply, answer } = await call(at(processes, 1), 'continue_workflow', pair as JsonObject);
              expect([reply.failed, answer['happened']]).toEqual([false, 'forked']);
              expect(fieldsOf(answer['recorded'])['notes']).toBe(notes);
              // Made again, by whoever has it, it is the same branch.
              expect(await answerOf(at(processes, 0), pair as JsonObject)).toBe(
                `${reply.text}\n${JSON.stringify(answer)}`,
              );
            }
          } finally {
            await world.close();
          }
        },
      ),
      runs(25),
    );
  },
  patience,
);

test(
  'law 4: two processes that present one attempt at one moment get one answer and write one event',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 2, max: 4 }), async (seed, racers) => {
        const world = makeRequestsWorld({ seed });
        try {
          world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
          const processes = Array.from({ length: racers }, () => world.open());
          const tokens = await startIn(processes[0]!, 'ALPHA-1');
          const before = linesOnDisk(world.data).length;
          const answers = await Promise.all(
            processes.flatMap((process) => [
              answerOf(process, { ...tokens, output: { notesMarkdown: 'done' } }),
              answerOf(process, { ...tokens, output: { notesMarkdown: 'done' } }),
            ]),
          );
          expect(new Set(answers).size).toBe(1);
          expect(linesOnDisk(world.data)).toHaveLength(before + 1);
        } finally {
          await world.close();
        }
      }),
      runs(15),
    );
  },
  patience,
);

test(
  'law 4: an attempt that two clones used answers each with its own record after they are merged',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), async (seed, swapped) => {
        const world = makeRequestsWorld({ seed });
        try {
          world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
          const first = world.open();
          const tokens = await startIn(first, 'ALPHA-1');
          await first.close();
          const clones = ['left', 'right'].map((name) => ({ name, data: world.clone(world.data, name) }));
          const given = new Map<string, string>();
          for (const { name, data } of swapped ? clones.toReversed() : clones)
            given.set(name, await answerOf(world.open(data), { ...tokens, output: { notesMarkdown: `done ${name}` } }));
          const merged = world.clone(join(world.folder, 'nowhere'), 'merged');
          for (const { data } of clones) mergeInto(merged, data);
          const requests = world.open(merged);
          const before = linesOnDisk(merged).length;
          for (const { name } of clones)
            expect(await answerOf(requests, { ...tokens, output: { notesMarkdown: `done ${name}` } })).toBe(
              given.get(name),
            );
          expect(linesOnDisk(merged)).toHaveLength(before);
          expect([...given.values()]).toContain(
            withoutOtherWork(
              await call(requests, 'continue_workflow', {
                ...tokens,
                output: { notesMarkdown: 'done in a third way' },
              }),
            ),
          );
          expect(linesOnDisk(merged)).toHaveLength(before + 1);
          const { answer } = await call(requests, 'continue_workflow', { stateToken: tokens.stateToken });
          expect(listOf(answer['branches'])).toHaveLength(2);
        } finally {
          await world.close();
        }
      }),
      runs(10),
    );
  },
  patience,
);
