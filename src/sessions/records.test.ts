import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from '../base/byte-budget.js';
import { canonicalJson } from '../base/canonical-json.js';
import type { EventSum, NodeId, RunId } from '../base/ids.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Event } from '../events/event.js';
import { foldSession } from './fold-session.js';
import { emptySession, type Records, type RunNode } from './folded-session.js';
import { recordsAt } from './records.js';

/** What one step hands in, and how far above the newest node it stands: almost always on it. */
interface Done {
  readonly back: number;
  readonly step: number;
  readonly context: JsonObject;
  readonly notes: string | undefined;
  readonly loops: readonly string[];
  readonly said: 'continue' | 'stop' | undefined;
}

/** Names that objects treat in their own way are among them. */
const names = fc.oneof(
  fc.nat(60).map((number) => `key${number}`),
  fc.constantFrom('7', '12', '__proto__', 'constructor', 'toJSON', ''),
);
const patch: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(names, fc.oneof(fc.constant(null), fc.nat(9), fc.constant<JsonValue>({ deep: [1] }))), {
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries<JsonValue>(entries));
const done: fc.Arbitrary<Done> = fc.record({
  back: fc.oneof({ weight: 60, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(90) }),
  step: fc.nat(40),
  context: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: patch }),
  notes: fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
  loops: fc.array(
    fc.nat(9).map((at) => `loop@${at}`),
    { maxLength: 1 },
  ),
  said: fc.constantFrom(undefined, undefined, 'continue', 'stop'),
});

/** All that a node inherits, copied at every step. */
interface Copied {
  readonly context: ReadonlyMap<string, JsonValue>;
  readonly outputs: ReadonlyMap<string, unknown>;
  readonly lists: ReadonlyMap<string, unknown>;
  readonly controls: ReadonlyMap<string, unknown>;
  readonly pending: string;
}

const with_ = <V>(map: ReadonlyMap<string, V>, entries: readonly (readonly [string, V])[]): ReadonlyMap<string, V> =>
  new Map([...map, ...entries]);

function afterStep(before: Copied, { step, context, notes, loops, said }: Done, items: readonly JsonValue[]): Copied {
  const patched = new Map(before.context);
  for (const [name, value] of Object.entries(context)) {
    if (value === null) patched.delete(name);
    else patched.set(name, value);
  }
  return {
    context: patched,
    outputs: with_(before.outputs, [[before.pending, outputOf(notes, said)]]),
    lists: with_(
      before.lists,
      loops.map((loop) => [loop, items] as const),
    ),
    controls: with_(before.controls, said === undefined ? [] : [[`${before.pending}@1`, said] as const]),
    pending: `s${step}`,
  };
}

const outputOf = (notes: string | undefined, said: Done['said']): JsonObject => ({
  ...(notes !== undefined && { notes }),
  ...(said !== undefined && { artifacts: [{ kind: 'wr.loop_control', decision: said }] }),
});

const run = 'run_00000000' as RunId;
const idOf = (at: number): NodeId => `n_${String(at).padStart(12, '0')}` as NodeId;
const stamped = (seq: number, kind: string, data: object): Event =>
  ({
    v: 1,
    seq,
    by: 'writer000',
    at: '2026-01-05T09:00:00.000Z',
    prev: '',
    sum: String(seq).padStart(16, '0') as EventSum,
    kind,
    run,
    node: idOf(seq),
    data,
  }) as Event;
const pendingAt = (id: string): object => ({ id, path: `${id}@1/${id}`, title: id, frames: [] });

const told = (map: ReadonlyMap<string, unknown>): string => JSON.stringify(Object.entries(Object.fromEntries(map)));

test('what a node inherits is found by name, and all of it in order, as if each step had copied it', () => {
  let [deepest, forked] = [0, 0];
  fc.assert(
    fc.property(patch, fc.array(done, { minLength: 1, maxLength: 700, size: 'max' }), (given, steps) => {
      const session = emptySession();
      foldSession(session, [stamped(0, 'run_started', { context: given, next: pendingAt('s0') })]);
      const none = new Map<string, never>();
      const copied: Copied[] = [
        { context: new Map(Object.entries(given)), outputs: none, lists: none, controls: none, pending: 's0' },
      ];
      for (const [index, step] of steps.entries()) {
        const above = Math.max(0, index - step.back);
        if (step.back > 0) forked += 1;
        const items = [index];
        copied.push(afterStep(copied[above]!, step, items));
        const output = outputOf(step.notes, step.said);
        const data = {
          parent: idOf(above),
          attempt: 'a_0000000000',
          step: 's',
          brought: '0000000000000000',
          next: pendingAt(`s${step.step}`),
          ...(Object.keys(output).length > 0 && { output }),
          ...(Object.keys(step.context).length > 0 && { context: step.context }),
          ...(step.loops.length > 0 && { entered: step.loops.map((loop) => ({ loop, items })) }),
        };
        foldSession(session, [stamped(index + 1, 'step_acked', data)]);
      }
      for (const [at, { context, outputs, lists, controls }] of copied.entries()) {
        // All of those near the end, and some of the others.
        if (at % 7 !== 0 && at < copied.length - 20) continue;
        const node: RunNode = session.nodes.get(idOf(at))!;
        deepest = Math.max(deepest, node.depth);
        const records: Records = recordsAt(session, node);
        for (const [name, expected] of Object.entries({ context, outputs, lists, controls })) {
          const record: { readonly [name: string]: unknown } = records[name as keyof Records];
          const asked = ['nobody', '__proto__', 'toString', 'key0', 's0', ...expected.keys()];
          expect(JSON.stringify(asked.map((key) => [key, Object.hasOwn(record, key), record[key]]))).toBe(
            JSON.stringify(asked.map((key) => [key, expected.has(key), expected.get(key)])),
          );
          expect(JSON.stringify(Object.entries(record))).toBe(told(expected));
        }
        const bytes = byteLength(canonicalJson(Object.fromEntries(context)));
        if (![...copied[0]!.context.values()].includes(null)) expect(Math.max(2, node.contextBytes)).toBe(bytes);
      }
    }),
    { numRuns: 25 },
  );
  expect(deepest).toBeGreaterThan(200);
  expect(forked).toBeGreaterThan(0);
});
