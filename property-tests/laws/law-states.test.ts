import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json-value.js';
import type { JsonPatch, PatchOperation } from '../../src/base/patch/json-patch.js';
import type { JudgeState } from '../../src/decide/states/state-write.js';
import { isChange, type Made } from '../../src/sessions/states/shared-state.js';
import { ancestryOf } from '../../src/sessions/states/version-graph.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { withinLimits } from '../worlds/within-limits.js';
import { StateClones } from '../worlds/state-clones.js';

const clones = 3;
type Turn =
  | { readonly do: 'own' | 'shared' | 'list' | 'sum' | 'whole' | 'remove'; readonly at: number; readonly to: number }
  | { readonly do: 'take'; readonly at: number; readonly from: number }
  | { readonly do: 'merge' | 'work'; readonly at: number };

const at = fc.nat(clones - 1);
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ do: fc.constantFrom('own', 'shared', 'list', 'sum', 'whole', 'remove'), at, to: fc.nat(3) }),
  fc.record({ do: fc.constant('take' as const), at, from: at }),
  fc.record({ do: fc.constantFrom('merge' as const, 'work' as const), at }),
);

/** Two clones may each add to the sum what is allowed, and together more than that. */
const judge: JudgeState = (_schema, value) =>
  ((value as { sum: Record<string, number> }).sum['a'] ?? 0) +
    ((value as { sum: Record<string, number> }).sum['b'] ?? 0) >
  3
    ? [{ path: '/sum', message: 'too much' }]
    : [];

const valueOf = (operation: PatchOperation | undefined): JsonValue | undefined =>
  operation !== undefined && 'value' in operation ? operation.value : undefined;

function opsOf(turn: Turn, count: number): JsonPatch {
  switch (turn.do) {
    case 'own':
      return [{ op: 'add', path: `/own/k${count}`, value: count }];
    case 'shared':
      return [{ op: 'add', path: `/shared/s${turn.to}`, value: count }];
    case 'remove':
      return [{ op: 'remove', path: `/shared/s${turn.to}` }];
    case 'list':
      return [{ op: 'add', path: turn.to === 0 ? '/list/-' : '/list/0', value: count }];
    case 'sum':
      return [{ op: 'add', path: `/sum/${turn.to % 2 === 0 ? 'a' : 'b'}`, value: turn.to }];
    case 'take':
    case 'merge':
    case 'work':
    case 'whole':
      return [];
  }
}

/** What is counted of a state in memory, counted anew: a whole value stands there twice. */
function bytesOf(made: Iterable<Made>): number {
  let bytes = 0;
  for (const { ops, value } of made) {
    if (ops !== undefined) bytes += JSON.stringify(ops).length;
    if (value !== undefined) bytes += 2 * JSON.stringify(value).length;
  }
  return bytes;
}

/** Each change is in the value once, or is told as one that could not be merged. */
function holdsAll(world: StateClones): void {
  const session = world.session(0);
  const state = world.state(0);
  const value = JSON.parse(world.value(0)) as { own: Record<string, number>; list: number[] };
  expect(judge(state.created.data.schema, value)).toEqual([]);
  const changes = [...session.versions.values()].filter(isChange);
  expect(world.served(0).depth).toBe(changes.length);
  const wasThere = ancestryOf([...session.versions.values()]);
  const aside = new Set([...session.versions.values()].flatMap(({ conflicts }) => conflicts));
  const places = changes.flatMap((version) => {
    const [operation] = world.recorded(0, version);
    const path = operation?.path ?? '';
    return path.startsWith('/shared/') ? [{ version, path, value: valueOf(operation) }] : [];
  });
  for (const [index, one] of places.entries())
    for (const other of places.slice(index + 1)) {
      if (one.path !== other.path || one.value === other.value || wasThere(one.version, other.version)) continue;
      expect(aside.has(one.version.id) || aside.has(other.version.id), 'one of them is told').toBe(true);
    }
  for (const version of changes) {
    const { id, mode } = version;
    if (mode !== 'patch' || state.conflicts.has(id)) continue;
    const [operation] = world.recorded(0, version);
    const path = operation?.path ?? '';
    // Nobody takes these out again: done once, each, or waiting for somebody to settle it.
    if (path.startsWith('/own/')) expect(value.own[path.slice(5)]).toBe(valueOf(operation));
    if (path.startsWith('/list/')) expect(value.list.filter((item) => item === valueOf(operation))).toHaveLength(1);
  }
}

/** A head whose chain leads to what memory has let go of: merged, nobody could write to it any more. */
const farBack: [number, Turn[]] = [
  60,
  [
    { do: 'sum', at: 0, to: 2 },
    { do: 'sum', at: 2, to: 3 },
    { do: 'own', at: 0, to: 0 },
    { do: 'work', at: 1 },
    { do: 'own', at: 2, to: 0 },
    { do: 'own', at: 1, to: 0 },
    { do: 'take', at: 1, from: 0 },
    { do: 'take', at: 2, from: 1 },
    { do: 'merge', at: 0 },
    { do: 'own', at: 0, to: 0 },
    { do: 'own', at: 0, to: 0 },
    { do: 'own', at: 0, to: 0 },
    { do: 'own', at: 2, to: 0 },
    { do: 'take', at: 0, from: 0 },
    { do: 'own', at: 0, to: 0 },
    { do: 'merge', at: 0 },
  ],
];

test(
  'clones of a state that are merged lose no change, do none twice, and change no version that was there',
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(60, 250, 600, 100_000),
        fc.array(turn, { minLength: 10, maxLength: 60, size: 'max' }),
        (keptStateAfter, turns) => {
          // Where whole values are kept often, most versions are older than what is in memory.
          withinLimits({ keptStateAfter, keptStateTimes: 0 });
          const world = new StateClones(clones, { own: {}, shared: {}, list: [], sum: {}, whole: 0 }, judge);
          const seen = new Map<string, string>();
          const look = (): void => {
            for (let of = 0; of < clones; of += 1) {
              const session = world.session(of);
              const { recent, recentBytes } = world.state(of);
              expect(recentBytes).toBe(bytesOf(recent.values()));
              for (const version of session.versions.values()) {
                const value = world.value(of, version);
                expect(seen.get(version.id) ?? value, `version ${version.id}`).toBe(value);
                seen.set(version.id, value);
              }
            }
          };
          for (const [count, one] of turns.entries()) {
            if (one.do === 'take') world.take(one.at, one.from);
            else if (one.do === 'merge') world.merge(one.at);
            else if (one.do === 'work') world.work(one.at);
            else if (one.do === 'whole') {
              world.merge(one.at);
              const value = JSON.parse(world.value(one.at)) as object;
              world.write(one.at, { mode: 'update', value: { ...value, whole: one.to } });
            } else world.write(one.at, { mode: 'patch', ops: opsOf(one, count) });
            look();
          }
          for (let of = 0; of < clones; of += 1) for (let from = 0; from < clones; from += 1) world.take(of, from);
          // Each merges by itself: what comes of it is one version all the same.
          for (let of = 0; of < clones; of += 1) world.merge(of);
          for (let round = 0; round < 2; round += 1)
            for (let of = 0; of < clones; of += 1) for (let from = 0; from < clones; from += 1) world.take(of, from);
          look();
          const [first, ...others] = Array.from({ length: clones }, (_, of) => [world.served(of).id, world.value(of)]);
          for (const other of others) expect(other).toEqual(first);

          holdsAll(world);
        },
      ),
      runs(150, { examples: [farBack] }),
    );
  },
  patience,
);
