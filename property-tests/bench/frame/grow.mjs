import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeWorld } from '../bench-world.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';
import { lane as libraryLane } from '../lanes/library.mjs';
import { mean, median, timed } from './numbers.mjs';

/** In another session, so that what is compared is a short session with a long one and not a cold process with a warm one. */
export const warmSteps = 6000;

/**
 * Lets one session grow in a process of its own, and watches a `window` of steps after the first hundred, at each `every` and at
 * the end. On a disk that is too slow for so many it ends after `seconds`, and `done` says how far it came. A session grows in a
 * loop, or `straight`: in a workflow of that many steps in a row.
 */
export function grow({ steps, every = steps, seconds = 120, window = 100, straight = false }) {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', fileURLToPath(import.meta.url), JSON.stringify({ steps, every, seconds, window, straight })],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.status !== 0) throw new Error(`growing a session ended with ${child.status}`);
  return JSON.parse(child.stdout);
}

async function child({ steps, every, seconds, window, straight }) {
  const begun = performance.now();
  const world = makeWorld();
  try {
    const workflowId = straight ? world.addStraight(steps) : undefined;
    const session = await libraryLane.open({ world, payload: 1024, warm: warmSteps, workflowId });
    const floor = await floorLane.open({ folder: world.folder });
    const windows = [];
    let done = 0;
    const watch = async () => {
      const times = { step: [], floor: [] };
      const from = done;
      for (let at = 0; at < window; at += 1, done += 1) {
        times.floor.push(await timed(() => floor.step()));
        times.step.push(await timed(() => session.step(done)));
      }
      windows.push({ from, step: median(times.step), mean: mean(times.step), floor: median(times.floor) });
    };
    const heap = () => {
      globalThis.gc();
      return process.memoryUsage().heapUsed;
    };
    const isLate = () => performance.now() - begun > seconds * 1000;
    const on = async (to) => {
      for (; done < to && !isLate(); done += 1) await session.step(done);
    };
    await on(100);
    await watch();
    const [before, from] = [heap(), done];
    for (let at = every; at < steps && !isLate(); at += every) {
      await on(at);
      if (!isLate()) await watch();
    }
    await on(steps - window);
    if (!isLate()) await watch();
    const after = heap();
    const { rss } = process.memoryUsage();
    process.stdout.write(JSON.stringify({ done, windows, rss, heap: after, aStep: (after - before) / (done - from) }));
    floor.close();
    await session.close();
  } finally {
    world.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await child(JSON.parse(process.argv[2]));
