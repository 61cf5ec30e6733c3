import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventSum, NodeId } from '../base/ids.js';
import type { Event } from '../events/event.js';
import { foldSession } from './fold-session.js';
import { emptySession, type FoldedSession, type RunNode } from './folded-session.js';
import { roundsDone } from './rounds-done.js';

/** What a step is done in: how far above the newest node, how many rounds are passed over before it, and in which loop. */
interface Done {
  readonly back: number;
  readonly outer: number;
  readonly inner: number;
  readonly where: 'outer' | 'inner' | 'after';
  readonly notes: string | undefined;
}

interface Stand {
  readonly path: string;
  readonly outer: number;
  readonly inner: number;
}

const done: fc.Arbitrary<Done> = fc.record({
  back: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(30) }),
  outer: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.constant(1) }, fc.nat(3)),
  inner: fc.nat(2),
  where: fc.oneof(
    { weight: 8, arbitrary: fc.constant('inner' as const) },
    { weight: 4, arbitrary: fc.constant('outer' as const) },
    { weight: 1, arbitrary: fc.constant('after' as const) },
  ),
  notes: fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
});

/** Where the next step stands: rounds never come again, and an inner loop begins anew in each round. */
function next(before: Stand, { outer, inner, where }: Done): Stand {
  // Nobody comes back into a round that they have left.
  const round = before.outer + (before.path.endsWith('after') ? outer + 1 : outer);
  const within = (round === before.outer ? before.inner : 0) + inner;
  const numbers = { outer: Math.max(1, round), inner: Math.max(1, within) };
  if (where === 'after') return { ...numbers, path: 'group/after' };
  return {
    ...numbers,
    path: where === 'outer' ? `group/all@${numbers.outer}/x` : `group/all@${numbers.outer}/each@${numbers.inner}/y`,
  };
}

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
    run: 'run_00000000',
    node: idOf(seq),
    data,
  }) as Event;

const pending = ({ path }: Stand): object => ({ id: 's', path, title: 's', frames: [] });

function played(steps: readonly Done[]): FoldedSession {
  const session = emptySession();
  const stands: Stand[] = [next({ path: '', outer: 0, inner: 0 }, { ...steps[0]!, outer: 1, where: 'inner' })];
  foldSession(session, [stamped(0, 'run_started', { context: {}, next: pending(stands[0]!) })]);
  for (const [index, step] of steps.entries()) {
    const above = Math.max(0, index - step.back);
    const stand = next(stands[above]!, step);
    stands.push(stand);
    const output = step.notes === undefined ? {} : { output: { notes: step.notes } };
    const attempt = { attempt: 'a_0000000000', step: 's', brought: '0000000000000000' };
    const data = { parent: idOf(above), ...attempt, next: pending(stand), ...output };
    foldSession(session, [stamped(index + 1, 'step_acked', data)]);
  }
  return session;
}

/** The notes of each round of a loop, by all steps on the way. */
function roundsOnTheWay(session: FoldedSession, node: RunNode, loop: string): ReadonlyMap<number, string | undefined> {
  const way: RunNode[] = [];
  for (let at: RunNode | undefined = node; at?.parent !== undefined; at = session.nodes.get(at.parent)) way.unshift(at);
  const rounds = new Map<number, string | undefined>();
  for (const { did, madeBy } of way) {
    if (did?.path.startsWith(`${loop}@`) !== true) continue;
    const round = Number.parseInt(did.path.slice(loop.length + 1), 10);
    const notes = madeBy.kind === 'step_acked' ? madeBy.data.output?.notes : undefined;
    rounds.set(round, notes ?? rounds.get(round));
  }
  return rounds;
}

test('rounds are those in which a step was done on the way, whatever was passed over and wherever branches part', () => {
  fc.assert(
    fc.property(fc.array(done, { minLength: 1, maxLength: 120, size: 'max' }), (steps) => {
      const session = played(steps);
      for (const node of session.nodes.values()) {
        const inner = /^(.*\/each)@/u.exec(node.did?.path ?? '')?.[1] ?? 'group/all@1/never';
        for (const loop of ['group/all', inner, 'group']) {
          const wanted = roundsOnTheWay(session, node, loop);
          const { size = 0, last = 0, has, get } = roundsDone(session, node)(loop) ?? {};
          const numbers = Array.from({ length: last + 2 }, (_, at) => at).filter((at) => has?.(at));
          expect(new Map(numbers.map((at) => [at, get?.(at)?.notes]))).toEqual(wanted);
          expect([size, last]).toEqual([wanted.size, Math.max(0, ...wanted.keys())]);
        }
      }
    }),
  );
});
