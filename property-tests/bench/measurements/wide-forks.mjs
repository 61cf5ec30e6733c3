import { ackOf, beginRun, makeWorld, notesOf, say } from '../bench-world.mjs';
import { median, timed } from '../frame/numbers.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';

const [siblings, window] = [1000, 50];

/** One node from which branch after branch begins. */
export const measurement = {
  name: 'wide-forks',
  says: '1,000 branches from one node',
  rounds: 2,
  async run({ figure }) {
    const world = makeWorld();
    const requests = await world.open();
    const floor = await floorLane.open({ folder: world.folder });
    try {
      let at = await beginRun(requests, 'FORKS');
      for (let step = 0; step < 20; step += 1)
        ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(1024, step))));
      const { stateToken } = at;
      const times = { look: [], ack: [], floor: [] };
      for (let fork = 0; fork < siblings; fork += 1) {
        let offered;
        times.floor.push(await timed(() => floor.step()));
        times.look.push(
          await timed(async () => ({ answer: offered } = await say(requests, 'continue_workflow', { stateToken }))),
        );
        times.ack.push(
          await timed(() =>
            say(requests, 'continue_workflow', ackOf({ stateToken, ackToken: offered.ackToken }, notesOf(1024, fork))),
          ),
        );
      }
      const p50 = (name, from) => median(times[name].slice(from, from + window));
      for (const from of [50, siblings - window]) {
        const where = `${from.toLocaleString('en')} to ${(from + window).toLocaleString('en')}`;
        figure(`branches ${where}, p50`, p50('ack', from), 'ms', { floor: p50('floor', from) });
        figure(`looks at the node with branches ${where}, p50`, p50('look', from), 'ms', { floor: p50('floor', from) });
      }
      figure('a branch, late against early', p50('ack', siblings - window) / p50('ack', 50), '×');
      figure('a look, late against early', p50('look', siblings - window) / p50('look', 50), '×');
    } finally {
      floor.close();
      await requests.close();
      world.remove();
    }
  },
};
