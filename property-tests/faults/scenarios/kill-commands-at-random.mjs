import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { openTracker } from '../frame/issue-tracker.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { judgeRuns, openRun } from '../frame/runner-player.mjs';
import { makeRunnerWorld } from '../frame/runner-world.mjs';

const killsARound = 10;

/** What a tracker does to a write, and to what only reads. */
const ways = ['ok', 'ok', 'late', 'late', 'late', 'lost', 'dropped', 'busy', 'broken', 'failed'];

export const scenario = {
  name: 'kill-commands-at-random',
  says: 'kill -9 at a random moment of runs with commands, whose server loses answers, breaks and asks to come back; each run goes on with the next process to its end, back to its first step and to its end again: no write that may be sent once is sent twice',
  needs: ['linux'],
  mutants: ['intent-unwritten', 'reuse-off'],
  rounds: 20,
  smoke: 1,
  smokeSeconds: 20,
  mutantRounds: 4,
  run: (options) => {
    const { build, sound } = options;
    return playRounds(options, 'kill-commands-at-random', async ({ round, folder, dice }) => {
      const tracker = await openTracker();
      tracker.behave(({ method, body }) => {
        const drawn = dice.oneOf(ways);
        // Who is told to come back again and again gives up.
        const how = drawn === 'busy' && tracker.seen.some((one) => one.body === body) ? 'ok' : drawn;
        return method === 'GET' || (method === 'PUT' && (how === 'broken' || how === 'failed')) ? 'late' : how;
      });
      const world = await makeRunnerWorld(sound, folder, tracker.origin);
      const program = { ...sound, program: build.program };
      const runs = [];
      let [kills, hit] = [0, 0];
      let waiting = startAgent(program, world);
      const current = () => {
        if (runs.at(-1)?.state.over !== false)
          runs.push(openRun({ name: `R-${runs.length}`, word: `w${round}x${runs.length}`, tracker }));
        return runs.at(-1);
      };
      while (kills < killsARound && runs.every(({ state }) => state.violations.length === 0)) {
        const agent = await waiting;
        const play = async () => {
          while (await current().play([agent])) if (runs.at(-1).state.violations.length > 0) return true;
          return false;
        };
        const before = current().state.answered;
        const playing = play();
        while (current().state.answered < before + dice.below(3)) await pause(1);
        await pause(dice.below(dice.oneOf([5, 30, 120])));
        waiting = startAgent(program, world);
        waiting.catch(() => undefined);
        await agent.kill();
        kills += 1;
        if (!(await playing)) hit += 1;
      }
      const last = await waiting;
      while (!runs.at(-1).state.over) if (!(await runs.at(-1).play([last]))) break;
      await last.close();
      const violations = judgeRuns({ world, tracker, runs });
      if (!runs.at(-1).state.over) violations.push('the last server went away');
      await tracker.close();
      const acked = runs.reduce((sum, { state }) => sum + state.answered, 0);
      return { tried: kills, injected: kills, hit, acked, violations };
    });
  },
};
