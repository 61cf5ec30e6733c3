import { ackOf, beginRun, makeWorld, notesOf, say } from '../bench-world.mjs';
import { median, timed } from '../frame/numbers.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';

const [runs, window] = [1000, 50];

/** A session to which run after run is added. */
export const measurement = {
  name: 'many-runs',
  says: '1,000 runs in one session, each with one step',
  rounds: 2,
  async run({ figure }) {
    const world = makeWorld();
    const requests = await world.open();
    const floor = await floorLane.open({ folder: world.folder });
    try {
      const times = { begin: [], step: [], floor: [] };
      for (let run = 0; run < runs; run += 1) {
        let at;
        times.floor.push(await timed(() => floor.step()));
        times.begin.push(await timed(async () => (at = await beginRun(requests, 'RUNS'))));
        times.step.push(await timed(() => say(requests, 'continue_workflow', ackOf(at, notesOf(1024, run)))));
      }
      const p50 = (name, from) => median(times[name].slice(from, from + window));
      for (const from of [50, runs - window]) {
        const where = `${from.toLocaleString('en')} to ${(from + window).toLocaleString('en')}`;
        figure(`beginning runs ${where}, p50`, p50('begin', from), 'ms', { floor: p50('floor', from) });
        figure(`the first steps of runs ${where}, p50`, p50('step', from), 'ms', { floor: p50('floor', from) });
      }
      figure('beginning a run, late against early', p50('begin', runs - window) / p50('begin', 50), '×');
    } finally {
      floor.close();
      await requests.close();
      world.remove();
    }
  },
};
