import { syncBuiltinESMExports } from 'node:module';
import fs from 'node:fs';
import { ackOf, beginRun, makeWorld, notesOf, say } from '../bench-world.mjs';

const counted = ['readSync', 'writeSync', 'openSync', 'closeSync', 'statSync', 'lstatSync', 'fstatSync', 'readdirSync', 'readFileSync', 'fdatasyncSync', 'fsyncSync', 'existsSync'];

/**
 * What a step of a long session takes against one of a short session, in processor time and in calls of the file system. The
 * two sessions stand side by side and take turns, and of many short turns the best counts: neighbours only ever make it slower.
 */
export async function growthOfWork({ short = 200, long = 3000, turns = 24, perTurn = 25 } = {}) {
  const calls = countCalls();
  // Before the program is loaded, which takes the functions as they are then.
  const world = makeWorld();
  try {
    const requests = await world.open();
    const session = async (name, steps) => {
      let at = await beginRun(requests, name);
      let done = 0;
      const step = async () => ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(600, (done += 1)))));
      while (done < steps) await step();
      return { name, step };
    };
    const open = [await session('LONG', long), await session('SHORT', short)];
    const best = { LONG: Infinity, SHORT: Infinity };
    const asked = {};
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { name, step } of turn % 2 === 0 ? open : open.toReversed()) {
        // The first of a turn takes up the lease again, where it has gone meanwhile.
        await step();
        const before = process.cpuUsage();
        const callsBefore = calls.count;
        for (let one = 0; one < perTurn; one += 1) await step();
        const { user, system } = process.cpuUsage(before);
        best[name] = Math.min(best[name], (user + system) / perTurn);
        asked[name] = Math.min(asked[name] ?? Infinity, Math.round((calls.count - callsBefore) / perTurn));
      }
    }
    await requests.close();
    return { early: best.SHORT, late: best.LONG, ratio: best.LONG / best.SHORT, earlyCalls: asked.SHORT, lateCalls: asked.LONG };
  } finally {
    world.remove();
    calls.stop();
  }
}

function countCalls() {
  const counter = { count: 0, stop: undefined };
  const real = {};
  for (const name of counted) {
    real[name] = fs[name];
    fs[name] = (...args) => {
      counter.count += 1;
      return real[name](...args);
    };
  }
  syncBuiltinESMExports();
  counter.stop = () => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
  return counter;
}
