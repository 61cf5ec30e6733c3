import { ackOf, beginRun, makeWorld, notesOf, say } from '../bench-world.mjs';
import { median, timed, timesOf } from '../frame/numbers.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';

const count = 100;

/** What agents call besides the next step, in a session of a thousand steps. */
export const measurement = {
  name: 'looks',
  says: 'replays, looks, rewinds and new runs in a session of 1,000 steps, through the library',
  rounds: 3,
  async run({ figure }) {
    const world = makeWorld();
    const requests = await world.open();
    const floor = await floorLane.open({ folder: world.folder });
    try {
      const path = [await beginRun(requests, 'LOOKS')];
      for (let step = 0; step < 1000; step += 1)
        path.push((await say(requests, 'continue_workflow', ackOf(path.at(-1), notesOf(1024, step)))).answer);
      const on = (args) => say(requests, 'continue_workflow', args);
      const beneath = [];
      const row = async (name, turn) => {
        for (let at = 0; at < 20; at += 1) await turn(at);
        const times = [];
        for (let at = 20; at < 20 + count; at += 1) {
          beneath.push(await timed(() => floor.step()));
          times.push(await timed(() => turn(at)));
        }
        figure(name, median(times), 'ms', { floor: median(beneath.slice(-count)) });
      };
      await row('a replay, p50', (at) => on(ackOf(path[500 + at], notesOf(1024, 500 + at))));
      await row('a look at the tip, p50', () => on({ stateToken: path.at(-1).stateToken }));
      await row('a look at a node 990 steps back, p50', () => on({ stateToken: path[10].stateToken }));
      const begun = [];
      await row('a new run in the session, p50', async (at) => begun.push(await beginRun(requests, 'LOOKS')) && at);
      const offered = [];
      for (let at = 0; at < 20 + count; at += 1) offered.push((await on({ stateToken: path[10].stateToken })).answer);
      await row('a fork 990 steps back, p50', (at) =>
        on(ackOf({ stateToken: path[10].stateToken, ackToken: offered[at].ackToken }, notesOf(1024, 2000 + at))),
      );
      figure(
        'inspect_workflow, p50',
        median(await timesOf(50, () => say(requests, 'inspect_workflow', { workflowId: 'bench.endless' }))),
        'ms',
      );
      figure('list_workflows, p50', median(await timesOf(50, () => say(requests, 'list_workflows', {}))), 'ms');
    } finally {
      floor.close();
      await requests.close();
      world.remove();
    }
  },
};
