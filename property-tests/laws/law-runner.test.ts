import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Choice,
  type CommandStep,
  type ModelStep,
  renderSteps,
  RunnerModel,
  type Way,
} from '../worlds/runner-model.js';
import { type Deed, RunnerPlay, scripted } from '../worlds/runner-play.js';
import { makeRunnerWorld } from '../worlds/runner-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const command = fc.record({
  kind: fc.constantFrom<CommandStep['kind']>('read', 'once', 'once', 'again'),
  goesOn: fc.boolean(),
  confirm: fc.integer({ max: 4, min: 0 }).map((one) => one === 0),
});
const drawn = fc.oneof(
  { weight: 2, arbitrary: fc.constant('say' as const) },
  { weight: 5, arbitrary: command },
  { weight: 2, arbitrary: command.map((step) => ({ each: step })) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
);

/** A word of the agent first: titles are made of it. */
const steps = fc.array(drawn, { minLength: 1, maxLength: 5 }).map((all): readonly ModelStep[] => {
  const made: ModelStep[] = [{ kind: 'say', id: 's0' }];
  for (const [at, one] of all.entries()) {
    const id = `${at + 1}`;
    if (one === 'say') made.push({ kind: 'say', id: `s${id}` });
    else if (one === 'fail') {
      const of = made.findLast((step) => step.kind !== 'say' && step.kind !== 'fail' && step.kind !== 'each');
      if (of !== undefined) made.push({ kind: 'fail', id: `f${id}`, of: of.id });
    } else if ('each' in one) made.push({ kind: 'each', id: `e${id}`, step: { ...one.each, id: `c${id}` } });
    else made.push({ ...one, id: `c${id}` });
  }
  return [...made, { kind: 'say', id: 's9' }];
});
const ways = fc.array(
  fc.constantFrom<Way>('ok', 'ok', 'ok', 'ok', 'no', 'broken', 'lost', 'dropped', 'busy', 'busier'),
  { minLength: 3, maxLength: 12 },
);
const deed: fc.Arbitrary<Deed> = fc.record({
  what: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom<Deed['what']>('go', 'go', 'go', 'go', 'go', 'back', 'again', 'look', 'change'),
    },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  which: fc.nat(),
  word: fc.constantFrom('one', 'one', 'other'),
  choice: fc.constantFrom<Choice>('repeat', 'done', 'failed'),
  process: fc.nat(1),
});
/** Tells what was met, by what kind of answer. */
async function playAll(
  plays: fc.Arbitrary<readonly [readonly ModelStep[], readonly Way[], readonly Deed[]]>,
  count: number,
): Promise<ReadonlyMap<string, number>> {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.nat(), plays, async (seed, [drawnSteps, drawnWays, deeds]) => {
      const at = await makeRunnerWorld({ seed, lock: seed % 4 === 0 ? 'off' : 'on' });
      try {
        at.server.script(scripted(at, drawnWays));
        at.workflow(renderSteps(drawnSteps));
        const play = await RunnerPlay.begin(at, new RunnerModel(drawnSteps, drawnWays));
        for (const one of deeds) await play.do(one);
        await play.end();
        for (const [what, times] of play.met) met.set(what, (met.get(what) ?? 0) + times);
      } finally {
        await at.close();
      }
    }),
    runs(count),
  );
  return met;
}

test(
  'whatever the agent does and the server answers, runs with commands stand where a naive model says, and sent what it says',
  async () => {
    const met = await playAll(fc.tuple(steps, ways, fc.array(deed, { minLength: 4, maxLength: 16 })), 20);
    console.log(`runs with commands: ${[...met].map(([what, count]) => `${what} ${count}`).join(', ')}`);
    for (const what of [
      'ok',
      'CONFIRMATION_REQUIRED',
      'COMMAND_OUTCOME_UNKNOWN',
      'failed',
      'complete',
      'fork',
      'replayed',
    ])
      expect(met.get(what) ?? 0, what).toBeGreaterThan(0);
  },
  patience,
);

/** One request, wanted on several branches, of which answers are lost. */
const lostOnBranches = fc.tuple(
  fc
    .tuple(fc.constantFrom<CommandStep['kind']>('once', 'once', 'again'), fc.boolean())
    .map(([kind, goesOn]): readonly ModelStep[] => [
      { kind: 'say', id: 's0' },
      { kind, id: 'c1', goesOn, confirm: false },
      { kind: 'say', id: 's9' },
    ]),
  fc.array(fc.constantFrom<Way>('lost', 'lost', 'dropped', 'broken', 'ok', 'no'), { minLength: 2, maxLength: 5 }),
  fc
    .array(
      deed.map((one): Deed => ({ ...one, word: 'one' })),
      { minLength: 4, maxLength: 12 },
    )
    .map((deeds): readonly Deed[] => {
      const lost = { which: 0, word: 'one', choice: 'repeat', process: 0 } as const;
      const twice = (['go', 'go', 'back'] as const).map((what): Deed => ({ ...lost, what }));
      return [...twice, ...deeds.map((one) => (one.what === 'look' ? { ...one, what: 'change' as const } : one))];
    }),
);

test(
  'a request that is lost on several branches is sent again only on a word of its own, or where it came to nothing',
  async () => {
    const met = await playAll(lostOnBranches, 25);
    console.log(`lost on branches: ${[...met].map(([what, count]) => `${what} ${count}`).join(', ')}`);
    expect(met.get('COMMAND_OUTCOME_UNKNOWN') ?? 0).toBeGreaterThan(10);
  },
  patience,
);
