import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ackOf, beginRun, makeWorld, notesOf, openWorld, say } from '../bench-world.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';
import { median, timesOf } from '../frame/numbers.mjs';

const milliseconds = 1500;
/** Before the clock runs: the engine has made machine code of what a step does, as in the other measurements. */
const warm = 1500;

/** Processes side by side for a while, each with a run of its own: in sessions of their own, or all in one. */
export const measurement = {
  name: 'processes',
  says: `processes side by side for ${milliseconds / 1000} s, through the library`,
  rounds: 3,
  async run({ figure }) {
    for (const where of ['sessions of their own', 'one session']) {
      for (const count of [1, 2, 4, 8]) {
        const world = makeWorld();
        try {
          const floor = await floorLane.open({ folder: world.folder });
          const beneath = median(await timesOf(100, () => floor.step()));
          floor.close();
          const ran = await sideBySide(world, count, where);
          const steps = ran.map(({ times }) => times.length);
          const all = steps.reduce((sum, one) => sum + one, 0);
          const name = `${count} process${count === 1 ? '' : 'es'}, ${where}`;
          figure(`${name}: steps a second`, (all / milliseconds) * 1000, 'a second');
          figure(`${name}: of what one writer of the floor does`, (all / milliseconds) * beneath, '×');
          figure(
            `${name}: processor time of a step`,
            ran.reduce((sum, { processor }) => sum + processor, 0) / all,
            'ms',
          );
          if (count > 1)
            figure(
              `${name}: longest wait`,
              Math.max(...ran.map(({ times }) => times.reduce((most, time) => Math.max(most, time), 0))),
              'ms',
            );
          if (count > 1) figure(`${name}: share of the least served`, Math.min(...steps) / (all / count), '');
        } finally {
          world.remove();
        }
      }
    }
  },
};

async function sideBySide(world, count, where) {
  const script = fileURLToPath(import.meta.url);
  const children = Array.from({ length: count }, (_, at) => {
    const child = spawn(process.execPath, [script, world.folder, where === 'one session' ? 'SHARED' : `OWN-${at}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return {
      child,
      ended: new Promise((resolve) => child.once('close', resolve)),
      lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    };
  });
  for (const { lines } of children)
    if ((await lines.next()).value !== 'ready') throw new Error('a process ended before it was ready');
  for (const { child } of children) child.stdin.end('go\n');
  return Promise.all(
    children.map(async ({ lines, ended }) => {
      const { value, done } = await lines.next();
      await ended;
      if (done === true) throw new Error('a process ended without figures');
      return JSON.parse(value);
    }),
  );
}

async function oneProcess(folder, session) {
  const world = openWorld(folder);
  const requests = await world.open();
  let at = await beginRun(requests, session);
  const step = async (number) =>
    ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(1024, number))));
  for (let number = 0; number < warm; number += 1) await step(number);
  const told = new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdout.write('ready\n');
  await told;
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  const times = [];
  for (let before = begun; before - begun < milliseconds;) {
    await step(times.length);
    const now = performance.now();
    times.push(now - before);
    before = now;
    // Whoever is served by an event loop of its own gives others their turn as servers do.
    if (times.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(usedBefore);
  process.stdout.write(
    `${JSON.stringify({ processor: (user + system) / 1000, times: times.map((time) => Number(time.toFixed(3))) })}\n`,
  );
  await requests.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await oneProcess(process.argv[2], process.argv[3]);
