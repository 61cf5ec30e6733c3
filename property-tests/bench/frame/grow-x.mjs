import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeWorld } from '../bench-world.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';
import { lane as libraryLane } from '../lanes/library.mjs';
import { median, timed } from './numbers.mjs';

/** In another session, so that what is compared is a short session with a long one and not a cold process with a warm one. */
export const warmSteps = 6000;

/**
 * Lets one session grow in a process of its own, and watches a hundred steps at the start, at each `every` and at the end. On a
 * disk that is too slow for so many it ends after `seconds`, and `done` says how far it came.
 */
export function grow(steps, every, seconds = 120) {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', fileURLToPath(import.meta.url), String(steps), String(every), String(seconds)],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.status !== 0) throw new Error(`growing a session ended with ${child.status}`);
  return JSON.parse(child.stdout);
}

async function child(steps, every, seconds) {
  const begun = performance.now();
  const world = makeWorld();
  try {
    const session = await libraryLane.open({ world, payload: 1024, warm: warmSteps });
    const floor = await floorLane.open({ folder: world.folder });
    const windows = [];
    let done = 0;
    const watch = async () => {
      const times = { step: [], floor: [] };
      const from = done;
      for (let at = 0; at < 100; at += 1, done += 1) {
        times.floor.push(await timed(() => floor.step()));
        times.step.push(await timed(() => session.step(done)));
      }
      windows.push({ from, step: median(times.step), floor: median(times.floor) });
    };
    const isLate = () => performance.now() - begun > seconds * 1000;
    const on = async (to) => {
      for (; done < to && !isLate(); done += 1) await session.step(done);
    };
    await on(4000);
    for (let at = 4000 + every; at < steps && !isLate(); at += every) {
      await on(at);
      if (!isLate()) await watch();
    }
    await on(steps - 100);
    if (!isLate()) await watch();
    globalThis.gc();
    const { rss, heapUsed } = process.memoryUsage();
    process.stdout.write(JSON.stringify({ done, windows, rss, heap: heapUsed }));
    floor.close();
    await session.close();
  } finally {
    world.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await child(...process.argv.slice(2).map(Number));
