import fc from 'fast-check';
import { actions } from './random-actions.js';
import { Play } from './random-play.js';
import { tinyWorkflow } from './tiny-workflow.js';

/** Random work, each call compared with what the naive model foresees; `met` counts what came about. `between` is waited for after each call. */
export function whateverAnAgentDoes(
  met: Map<string, number>,
  {
    between,
    store = 'folders',
    names,
  }: {
    readonly between?: () => Promise<void>;
    readonly store?: 'folders' | 'memory';
    readonly names?: Parameters<typeof actions>[2];
  } = {},
) {
  return fc.asyncProperty(
    fc.nat(),
    tinyWorkflow('one'),
    tinyWorkflow('two', 2),
    fc.boolean(),
    actions(12, 40, names),
    async (seed, one, two, locked, todo) => {
      const play = Play.in([one, two], { seed, lock: locked ? 'on' : 'off', store });
      try {
        await play.run(todo, between);
      } finally {
        for (const [outcome, count] of play.met) met.set(outcome, (met.get(outcome) ?? 0) + count);
        await play.world.close();
      }
    },
  );
}
