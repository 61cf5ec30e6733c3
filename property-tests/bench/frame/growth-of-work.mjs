import { syncBuiltinESMExports } from 'node:module';
import fs from 'node:fs';
import { join } from 'node:path';
import { ackOf, beginRun, bytesUnder, makeWorld, notesOf, say } from '../bench-world.mjs';

const counted = [
  'readSync',
  'writeSync',
  'openSync',
  'closeSync',
  'statSync',
  'lstatSync',
  'fstatSync',
  'readdirSync',
  'readFileSync',
  'fdatasyncSync',
  'fsyncSync',
  'existsSync',
];

/**
 * What a step of a long session takes against one of a short session: processor time, calls of the file system, entries of maps
 * that are looked at, bytes. The two sessions stand side by side and take turns, and of many short turns the best counts:
 * neighbours only ever make it slower.
 */
export async function growthOfWork({ short, long, turns = 24, perTurn = 25, straight }) {
  const calls = countCalls();
  const looks = countLooks();
  // Before the program is loaded, which takes the functions as they are then.
  const world = makeWorld();
  try {
    const workflowId = straight === undefined ? undefined : world.addStraight(straight);
    const requests = await world.open();
    const session = async (name, steps) => {
      let at = await beginRun(requests, name, workflowId);
      let done = 0;
      const step = async () =>
        ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(600, (done += 1)))));
      while (done < steps) await step();
      return { name, step };
    };
    const open = [await session('LONG', long), await session('SHORT', short)];
    const best = { LONG: {}, SHORT: {} };
    const keep = (name, found) => {
      for (const [what, value] of Object.entries(found))
        best[name][what] = Math.min(best[name][what] ?? Infinity, value / perTurn);
    };
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { name, step } of turn % 2 === 0 ? open : open.toReversed()) {
        // The first of a turn takes up the lease again, where it has gone meanwhile.
        await step();
        const before = process.cpuUsage();
        const from = { ...calls.count, looks: looks.count(), bytes: bytesOf(world, name) };
        for (let one = 0; one < perTurn; one += 1) await step();
        const { user, system } = process.cpuUsage(before);
        keep(name, {
          time: user + system,
          calls: calls.count.all - from.all,
          syncs: calls.count.syncs - from.syncs,
          looks: looks.count() - from.looks,
          bytes: bytesOf(world, name) - from.bytes,
        });
      }
    }
    await requests.close();
    return { early: best.SHORT, late: best.LONG };
  } finally {
    world.remove();
    calls.stop();
    looks.stop();
  }
}

const bytesOf = (world, session) =>
  bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments'));

/** How often an entry of any map is asked for or met on the way through one. */
function countLooks() {
  const { prototype } = Map;
  const real = Object.fromEntries(
    ['get', 'has', 'values', 'keys', 'entries', 'forEach'].map((name) => [name, prototype[name]]),
  );
  const iterate = prototype[Symbol.iterator];
  let count = 0;
  for (const name of ['get', 'has']) {
    prototype[name] = function (key) {
      count += 1;
      return real[name].call(this, key);
    };
  }
  const walking = (begin) =>
    function* () {
      for (const entry of { [Symbol.iterator]: () => begin.call(this) }) {
        count += 1;
        yield entry;
      }
    };
  for (const name of ['values', 'keys', 'entries']) prototype[name] = walking(real[name]);
  prototype[Symbol.iterator] = walking(iterate);
  prototype.forEach = function (tell, self) {
    count += this.size;
    real.forEach.call(this, tell, self);
  };
  return { count: () => count, stop: () => Object.assign(prototype, real, { [Symbol.iterator]: iterate }) };
}

function countCalls() {
  const counter = { count: { all: 0, syncs: 0 }, stop: undefined };
  const real = {};
  for (const name of counted) {
    real[name] = fs[name];
    fs[name] = (...args) => {
      counter.count.all += 1;
      if (name === 'fdatasyncSync' || name === 'fsyncSync') counter.count.syncs += 1;
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
