import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWorld, openWorld, say } from '../bench-world.mjs';
import { median, pause, timed, timesOf } from '../frame/numbers.mjs';
import { makeSessions } from '../many-sessions.mjs';

const counts = [10, 100, 1000, 10_000];

/** Finding work again among many sessions: by a process that knows nothing, by one that finds the register, and by one that has looked before. */
export const measurement = {
  name: 'sessions',
  says: 'resume_session and the list over many sessions, each with 10 steps',
  rounds: 3,
  async prepare() {
    const worlds = [];
    for (const count of counts) {
      const world = makeWorld();
      await makeSessions(world, world.data, 0, count);
      worlds.push({ count, world });
    }
    // What making them has left to write is no part of a search.
    spawnSync('sync');
    return { worlds, remove: () => worlds.forEach(({ world }) => world.remove()) };
  },
  async run({ figure, made: { worlds } }) {
    for (const { count, world } of worlds) {
      const look = () => {
        const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), world.folder], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        if (child.status !== 0) throw new Error(`looking for sessions ended with ${child.status}`);
        return JSON.parse(child.stdout);
      };
      const name = count.toLocaleString('en');
      rmSync(join(world.data, 'local'), { recursive: true, force: true });
      figure(`${name}: the first look of all, nothing kept`, look().first, 'ms');
      const { first, warm, listed, rss } = look();
      figure(`${name}: the first look of a process, register kept`, first, 'ms');
      figure(`${name}: a look of a process that has looked before, p50`, warm, 'ms');
      figure(`${name}: the list of sessions, p50`, listed, 'ms');
      figure(`${name}: memory of that process`, rss / 1024 ** 2, 'MiB');
    }
  },
};

async function child(folder) {
  const world = openWorld(folder);
  const requests = await world.open();
  const queries = ['feature', 'bacodi', 'gulo mi', 'WORK-7', 'qui'];
  const look = (at) => say(requests, 'resume_session', { query: queries[at % queries.length] });
  const first = await timed(() => look(0));
  // The register is written down a moment later.
  await pause(400);
  await look(1);
  const warm = median(await timesOf(15, look));
  const listed = median(
    await timesOf(10, async () => {
      const list = await requests.people.listSessions({});
      if (!list.ok) throw new Error(list.error.message);
    }),
  );
  process.stdout.write(JSON.stringify({ first, warm, listed, rss: process.memoryUsage.rss() }));
  await requests.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await child(process.argv[2]);
