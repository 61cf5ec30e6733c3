import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actions } from './random-actions.js';
import { Play } from './random-play.js';
import { patience, runs } from './runs-of-law.js';
import { tinyWorkflow } from './tiny-workflow.js';

/** Random work, each call compared with what the naive model foresees; `met` counts what came about. */
function whateverAnAgentDoes(met: Map<string, number>) {
  return fc.asyncProperty(fc.nat(), tinyWorkflow('one'), tinyWorkflow('two', 2), fc.boolean(), actions(12, 40), async (seed, one, two, locked, todo) => {
    const play = Play.in(seed, [one, two], locked ? 'on' : 'off');
    try {
      await play.run(todo);
    } finally {
      for (const [outcome, count] of play.met) met.set(outcome, (met.get(outcome) ?? 0) + count);
      await play.world.close();
    }
  });
}

test('law 3: whatever an agent does, answers and log are what the model foresees', async () => {
  const met = new Map<string, number>();
  await fc.assert(
    whateverAnAgentDoes(met),
    runs(50),
  );
  console.log(`law 3: ${[...met].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`);
  // A law that never met what it speaks of has proven nothing.
  for (const outcome of ['started', 'advanced', 'forked', 'blocked', 'looked_at_tip', 'looked_back', 'given again', 'replayed otherwise', 'STEP_INCOMPLETE', 'TOKEN_SCOPE_MISMATCH', 'VALIDATION_ERROR', 'checkpoint_workflow', 'resume_session', 'with skips']) {
    expect(met.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
}, patience);

test('law 3, seed 864842550: a recap at the edge of its budget', async () => {
  await expect(fc.assert(whateverAnAgentDoes(new Map()), { seed: 864842550, numRuns: 27 })).resolves.toBeUndefined();
}, patience);
