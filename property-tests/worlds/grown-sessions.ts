import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import { compareEvents, type Event } from '../../src/events/event.js';
import type { Requests } from '../../src/requests/requests.js';
import { type Action, at, keysOf, outputOf } from './random-actions.js';
import {
  call,
  eventsIn,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  mergeInto,
  type RequestsWorld,
  segmentTexts,
  textOf,
} from './requests-world.js';
import { renderWorkflow, type TinyWorkflow } from './tiny-workflow.js';

/** What an agent remembers of the places it has been: tokens and nothing else. */
interface Memory {
  readonly places: { readonly stateToken: string; readonly ackTokens: string[] }[];
  readonly gaps: string[];
}

/** One life of a session: where it began, what each clone did alone, and what was done after they were merged. */
export interface Life {
  readonly workflows: readonly TinyWorkflow[];
  readonly before: readonly Action[];
  readonly apart: readonly (readonly Action[])[];
  readonly after: readonly Action[];
}

/** Lives it on disk, with real requests, and leaves the merged data root. Nothing is foreseen: any answer is fine. */
export async function grow(
  seed: number,
  { workflows, before, apart, after }: Life,
): Promise<{ readonly world: RequestsWorld; readonly data: string }> {
  const world = makeRequestsWorld({ seed });
  for (const workflow of workflows) world.writeWorkflow(workflow.name, renderWorkflow(workflow));
  const memory: Memory = { places: [], gaps: [] };
  let data = world.data;
  const first = world.open(data);
  await wander(first, workflows, before, memory);
  await first.close();
  const clones = apart.map((_, index) => world.clone(data, `clone${index}`));
  for (const [index, actions] of apart.entries()) {
    const requests = world.open(clones[index]);
    await wander(requests, workflows, actions, {
      places: memory.places.map(({ stateToken, ackTokens }) => ({ stateToken, ackTokens: [...ackTokens] })),
      gaps: [...memory.gaps],
    });
    // One of them is closed in good order, the other left as it lies.
    if (index % 2 === 0) await requests.close();
  }
  if (clones.length > 0) {
    data = world.clone(join(world.folder, 'nowhere'), 'merged');
    for (const clone of clones.toReversed()) mergeInto(data, clone);
  }
  await wander(world.open(data), workflows, after, memory);
  return { world, data };
}

async function wander(
  requests: Requests,
  workflows: readonly TinyWorkflow[],
  actions: readonly Action[],
  memory: Memory,
): Promise<void> {
  for (const action of actions) {
    if (action.do === 'start' || memory.places.length === 0) await start(requests, workflows, action, memory);
    else if (action.do === 'look' || action.do === 'redo') await look(requests, action, memory);
    else if (action.do === 'checkpoint') await checkpoint(requests, action, memory);
    else await ack(requests, action, memory);
  }
}

async function start(
  requests: Requests,
  workflows: readonly TinyWorkflow[],
  { pick, intent }: Action,
  memory: Memory,
): Promise<void> {
  const { mode, ...preferences } = intent.preferences ?? {};
  const { answer } = await call(requests, 'start_workflow', {
    workflowId: `wr.${at(workflows, pick).name}`,
    session: 'ALPHA-1',
    context: { ...keysOf({ ...intent, keys: 'all' }), goal: 'done' },
    ...(mode !== undefined && { mode }),
    preferences,
    fresh: intent.number % 2 === 0,
  });
  remember(memory, answer);
}

async function look(requests: Requests, { pick }: Action, memory: Memory): Promise<void> {
  remember(
    memory,
    (await call(requests, 'continue_workflow', { stateToken: at(memory.places, pick).stateToken })).answer,
  );
}

async function checkpoint(requests: Requests, { pick, intent }: Action, memory: Memory): Promise<void> {
  await call(requests, 'checkpoint_workflow', {
    stateToken: at(memory.places, pick).stateToken,
    output: outputOf(intent, false, memory.gaps) as JsonObject,
  });
}

async function ack(requests: Requests, { pick, which, intent }: Action, memory: Memory): Promise<void> {
  // Half of the time where it was last, else anywhere.
  const place = which % 2 === 0 ? memory.places.at(-1)! : at(memory.places, pick);
  if (place.ackTokens.length === 0) return;
  const context = { ...keysOf(intent), ...(intent.lack !== 'needs' && { secret: 'given', design: 'given' }) };
  const { answer } = await call(requests, 'continue_workflow', {
    stateToken: place.stateToken,
    ackToken: at(place.ackTokens, which),
    ...(intent.lack !== 'everything' && {
      context,
      output: outputOf(intent, intent.lack !== 'artifact', memory.gaps) as JsonObject,
    }),
    ...(intent.lack !== 'confirmation' && { confirmed: true }),
    ...(intent.preferences !== undefined && { preferences: intent.preferences }),
  });
  remember(memory, answer);
}

function remember(memory: Memory, answer: { readonly [key: string]: unknown }): void {
  const fields = fieldsOf(answer as JsonObject);
  const [stateToken, ackToken] = [textOf(fields['stateToken']), textOf(fields['ackToken'])];
  if (stateToken === '') return;
  const known = memory.places.findIndex((place) => place.stateToken === stateToken);
  const place = known < 0 ? { stateToken, ackTokens: [] } : memory.places.splice(known, 1)[0]!;
  if (ackToken !== '' && !place.ackTokens.includes(ackToken)) place.ackTokens.push(ackToken);
  memory.places.push(place);
  for (const gap of listOf(fields['gaps']))
    if (!memory.gaps.includes(textOf(gap['id']))) memory.gaps.push(textOf(gap['id']));
}

/** Every event of a session, each once, in the total order. */
export function eventsOf(data: string, session: string): readonly Event[] {
  const bySum = new Map(
    segmentTexts(data, session)
      .flatMap(({ text }) => eventsIn(text))
      .map((event) => [event.sum, event]),
  );
  return [...bySum.values()].toSorted(compareEvents);
}

export function pinOf(data: string, session: string, hash: string): string {
  return readFileSync(join(data, 'sessions', session, 'pins', `${hash}.json`), 'utf8');
}
