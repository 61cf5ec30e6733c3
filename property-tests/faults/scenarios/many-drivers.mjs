import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { openTracker } from '../frame/issue-tracker.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { judgeRuns, openRun } from '../frame/runner-player.mjs';
import { makeRunnerWorld } from '../frame/runner-world.mjs';

const runsARound = 2;

/** Stops and wakes servers, one after the other, until there is nothing left to disturb. */
async function disturb({ agents, dice, isOver }) {
  let stops = 0;
  while (!isOver()) {
    const agent = dice.oneOf(agents);
    await pause(dice.below(40));
    if (isOver()) break;
    process.kill(agent.pid, 'SIGSTOP');
    stops += 1;
    await pause(dice.oneOf([10, 60, 250]));
    process.kill(agent.pid, 'SIGCONT');
  }
  return stops;
}

export const scenario = {
  name: 'many-drivers',
  says: 'two to six servers are asked to go on with the same run at the same moment, with the lock and without it, and are stopped and woken meanwhile: each write that may be sent once is sent by one of them',
  needs: ['linux'],
  mutants: ['claim-skipped'],
  rounds: 10,
  smoke: 1,
  smokeSeconds: 20,
  mutantRounds: 4,
  run: (options) => {
    const { build, sound, stopAtFirst } = options;
    return playRounds(options, 'many-drivers', async ({ round, folder, dice }) => {
      const locked = !stopAtFirst && round % 2 === 0;
      const tracker = await openTracker();
      tracker.behave(({ method, body }) => {
        const isNew = tracker.seen.every((one) => one.body !== body);
        return method === 'POST' && isNew ? dice.oneOf(['late', 'late', 'late', 'lost', 'busy']) : 'late';
      });
      const world = await makeRunnerWorld(sound, folder, tracker.origin);
      const env = locked ? {} : { WORKRAIL_LOCK: 'off' };
      const count = stopAtFirst ? 3 : dice.oneOf([2, 2, 3, 4, 6]);
      const agents = await Promise.all(
        Array.from({ length: count }, () => startAgent({ ...sound, program: build.program }, world, { env })),
      );
      const runs = [];
      let [hit, alive] = [0, true];
      for (let number = 0; number < runsARound && alive; number += 1) {
        const run = openRun({ name: `D-${number}`, word: `w${round}d${number}`, tracker });
        runs.push(run);
        let over = false;
        const playing = run.play(agents).finally(() => (over = true));
        // What is begun is begun by one: without a lock two would begin two runs.
        const stops = await disturb({ agents, dice, isOver: () => over });
        alive = await playing;
        if (stops > 0) hit += 1;
        if (run.state.violations.length > 0) break;
      }
      await Promise.all(agents.map((agent) => agent.kill()));
      const violations = judgeRuns({ world, tracker, runs, isKilled: false });
      if (!alive)
        violations.push(
          `a server went away: ${agents.map((agent) => agent.stderr().slice(-2).join(' | ')).join(' || ')}`,
        );
      await tracker.close();
      const acked = runs.reduce((sum, { state }) => sum + state.answered, 0);
      return {
        tried: runs.length,
        injected: runs.length,
        hit,
        acked,
        violations: violations.map((what) => `${count} servers, ${locked ? 'with' : 'without'} the lock: ${what}`),
      };
    });
  },
};
