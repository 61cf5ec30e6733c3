import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from './agent.mjs';
import { openTracker } from './issue-tracker.mjs';
import { playRounds } from './rounds.mjs';
import { judgeRuns, openRun } from './runner-player.mjs';
import { makeRunnerWorld } from './runner-world.mjs';

const runsARound = 2;

/** Stops and wakes servers, one after the other, until there is nothing left to disturb. */
async function disturb({ servers, dice, isOver }) {
  let stops = 0;
  while (!isOver()) {
    const server = dice.oneOf(servers);
    await pause(dice.below(40));
    if (isOver()) break;
    process.kill(server, 'SIGSTOP');
    stops += 1;
    await pause(dice.oneOf([10, 60, 250]));
    process.kill(server, 'SIGCONT');
  }
  return stops;
}

/** What was started under `wrap`, by its number here: the last of the line. */
function serverBelow(pid) {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return child === '' ? pid : serverBelow(Number(child));
}

/** Several servers are asked to go on with the same runs at the same moment; `wrap` is what each is started under. */
export function driveTogether(options, name, { wrap = [] } = {}) {
  const { build, sound, stopAtFirst } = options;
  return playRounds(options, name, async ({ round, folder, dice }) => {
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
      Array.from({ length: count }, () => startAgent({ ...sound, program: build.program }, world, { env, wrap })),
    );
    const servers = agents.map(({ pid }) => (wrap.length === 0 ? pid : serverBelow(pid)));
    const runs = [];
    let [hit, alive] = [0, true];
    for (let number = 0; number < runsARound && alive; number += 1) {
      const run = openRun({ name: `D-${number}`, word: `w${round}d${number}`, tracker });
      runs.push(run);
      let over = false;
      const playing = run.play(agents).finally(() => (over = true));
      // What is begun is begun by one: without a lock two would begin two runs.
      const stops = await disturb({ servers, dice, isOver: () => over });
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
}
