import { expect } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';
import { type AckDecision, decideAck } from '../../src/decide/decide-ack.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import type { PendingStep } from '../../src/contract/answer.js';
import { tellStep } from '../../src/respond/tell-step.js';
import type { RunNode } from '../../src/sessions/folded-session.js';
import { beginRun, key } from './decided-run.js';
import {
  bodyOf,
  type FindFile,
  naiveHolds,
  naiveRun,
  type NaiveStop,
  objectsIn,
  routineOf,
  textIn,
  topLevel,
} from './workrail-naive.js';

/** A file of the WorkRail JSON format, and what the program has made of it. */
export interface ReadTwice {
  readonly main: JsonObject;
  readonly find: FindFile;
  readonly workflow: CompiledWorkflow;
}

/** Numbers below a bound, the same ones for the same seed. */
export type Draw = (below: number) => number;

export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

interface Handed {
  readonly context: JsonObject;
  readonly artifacts: readonly JsonObject[];
}
export type HandBack = (expects: PendingStep['expects']) => Handed;

/** What was asked for with its examples, and nothing else. */
export const examplesAlone: HandBack = ({ context, artifacts }) => ({
  context: Object.fromEntries(context.map(({ key: name, example }) => [name, example])),
  artifacts: artifacts.map(({ example }) => example),
});

/** Whatever the conditions of a file can tell apart, be it asked for or not. */
export function anyFacts(main: JsonObject, routines: readonly JsonObject[], draw: Draw): HandBack {
  const pool = poolOf([main, ...routines]);
  const { values: valuesOf } = pool;
  const pick = (name: string): JsonValue => {
    const values = (valuesOf.get(name) ?? []).filter((value) => value !== null);
    return values[draw(values.length)] ?? 'something else';
  };
  return ({ context, artifacts }) => {
    const drawn = [...valuesOf.keys()]
      .filter(() => draw(3) === 0)
      .map((name): [string, JsonValue] => [name, draw(12) === 0 && !pool.lists.has(name) ? null : pick(name)]);
    const needed = context
      .filter(({ required }) => required || draw(2) === 0)
      .map(({ key: name }): [string, JsonValue] => [name, pick(name)]);
    return {
      context: Object.fromEntries([...drawn, ...needed]),
      artifacts: artifacts.map(({ kind, example }) => ({
        ...example,
        ...(kind === 'wr.loop_control' && { decision: draw(3) === 0 ? 'continue' : 'stop' }),
      })),
    };
  };
}

export interface Compared {
  readonly steps: number;
  /** Approvals that the author wants wherever a condition on the context holds: those that the walk came to, and those it was held at. */
  readonly conditional: number;
  readonly held: number;
}

/**
 * One run of the program beside the plainest reading of the file: at each step the same one waits, and whoever does not
 * agree is stopped where the author says so and nowhere else.
 */
export function compareRun({ main, find, workflow }: ReadTwice, handBack: HandBack): Compared {
  const state: { context: JsonObject } = { context: {} };
  const expected = naiveRun(main, find, state);
  const outer = outerApprovals(main, find);
  const { session, record, root } = beginRun(workflow, 'guided');
  let node: RunNode = session.nodes.get(root)!;
  let next = expected.next();
  const told = { steps: 0, conditional: 0, held: 0 };
  for (; node.pending !== undefined; told.steps += 1) {
    expect({ after: told.steps, path: node.pending.path }).toEqual({ after: told.steps, path: pathOf(next) });
    const stop = next.value as NaiveStop;
    const { expects } = tellStep(session, workflow, node).pending;
    const handed = handBack(expects);
    state.context = patched(state.context, handed.context);
    const known = { context: state.context, names: stop.names };
    const wanted = [stop.source['requireConfirmation'], ...(outer.get(stop.id) ?? [])];
    const asks = wanted.some((one) => naiveAsks(one, known));
    const ack = (confirmed: boolean): AckDecision =>
      decideAck(session, node, {
        workflow,
        attempt: idsFromSeed(`attempt ${told.steps}`).attemptId(),
        output: { notesMarkdown: expects.notes.example, artifacts: [...handed.artifacts] },
        context: handed.context,
        confirmed,
        preferences: undefined,
        key,
        engine: 'test',
        draw: idsFromSeed(`step ${told.steps}`),
      });
    const unasked = ack(false);
    if (unasked.kind === 'incomplete') throw new Error(JSON.stringify(unasked.mend.map(({ message }) => message)));
    expect({ at: stop.path, kind: unasked.kind }).toEqual({ at: stop.path, kind: asks ? 'blocked' : 'advanced' });
    const ofRound = Object.keys(stop.names).some((name) => JSON.stringify(wanted).includes(`"var":"${name}`));
    if (wanted.some(isJsonObject) && !ofRound) {
      told.conditional += 1;
      told.held += asks ? 1 : 0;
    }
    const done = asks ? ack(true) : unasked;
    if (done.kind !== 'advanced') throw new Error(`${stop.path}: ${done.kind}`);
    for (const draft of done.events) record(draft);
    node = session.nodes.get(done.child)!;
    next = expected.next(
      handed.artifacts.findLast(({ kind }) => kind === 'wr.loop_control')?.['decision'] as
        | 'continue'
        | 'stop'
        | undefined,
    );
  }
  expect(pathOf(next)).toBe('the end');
  return told;
}

const pathOf = (next: IteratorResult<NaiveStop, unknown>): string => (next.done === true ? 'the end' : next.value.path);

/** Null takes a key out. */
const patched = (context: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...context, ...patch }).filter(([, value]) => value !== null));

/** Whether an author wants somebody to agree: always, or where a condition holds. */
function naiveAsks(wanted: JsonValue | undefined, known: Parameters<typeof naiveHolds>[1]): boolean {
  if (typeof wanted !== 'object' || wanted === null) return wanted === true;
  if (!isJsonObject(wanted)) return wanted.every((part: JsonValue) => naiveHolds(part, known));
  const isShape = wanted['kind'] !== undefined || wanted['condition'] !== undefined;
  return naiveHolds(isShape ? wanted['condition'] : wanted, known);
}

/** What a loop or a call wants is asked at the last step inside of it. */
function outerApprovals(main: JsonObject, find: FindFile): ReadonlyMap<string, readonly JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  const idsIn = (step: JsonObject, file: JsonObject, prefix: string): readonly string[] => {
    const id = prefix + textIn(step['id']);
    const routine = routineOf(step['templateCall'], find);
    const ids = routine
      ? topLevel(routine).flatMap((one) => idsIn(one, routine, `${id}.`))
      : step['type'] === 'loop'
        ? bodyOf(step, file).flatMap((one) => idsIn(one, file, prefix))
        : [id];
    const wanted = step['requireConfirmation'];
    const last = ids.at(-1);
    if (last !== undefined && last !== id && wanted !== undefined)
      found.set(last, [...(found.get(last) ?? []), wanted]);
    return ids;
  };
  for (const step of topLevel(main)) idsIn(step, main, '');
  return found;
}

const noise: readonly JsonValue[] = ['something else', '', 0, 3, true, false];

/** What may be said of each key: what conditions compare it with and a little besides; of lists and counts, lists and counts. */
function poolOf(files: readonly JsonObject[]): {
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  readonly lists: ReadonlySet<string>;
} {
  const pool = new Map<string, readonly JsonValue[]>();
  const loops = new Map<string, readonly JsonValue[]>();
  const see = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) see(item);
    if (!isJsonObject(value ?? null)) return;
    const { var: name, items, count, ...rest } = value as JsonObject;
    if (typeof items === 'string') loops.set(items, [[], [{ name: 'first' }, { name: 'second' }], ['one']]);
    if (typeof count === 'string') loops.set(count, [0, 1, 2]);
    if (typeof name === 'string') {
      const operands = Object.values(rest).flatMap((one): readonly JsonValue[] => (Array.isArray(one) ? one : [one]));
      pool.set(name, [...(pool.get(name) ?? noise), ...operands, ...operands]);
    }
    for (const inner of Object.values(rest)) see(inner);
  };
  for (const file of files) see(file['steps']);
  return { values: new Map([...pool, ...loops]), lists: new Set(loops.keys()) };
}

/** The files that a file calls, one after the other. */
export function routinesOf(main: JsonObject, find: FindFile): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const visit = (file: JsonObject): void => {
    for (const step of topLevel(file).flatMap((one) => [one, ...objectsIn(one['body'])])) {
      const routine = routineOf(step['templateCall'], find);
      if (routine === undefined || found.has(routine)) continue;
      found.add(routine);
      visit(routine);
    }
  };
  visit(main);
  return [...found];
}
