import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesUnder, makeWorld, openWorld, say, startServer } from '../bench-world.mjs';
import { startLineClient } from '../frame/line-client.mjs';
import { median, pause, timed, timesOf } from '../frame/numbers.mjs';
import { boardPatch, makeBoard } from '../frame/state-board.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';

const [versions, watched, tasks, session] = [10_000, 200, 490, 'BOARD'];

/** What a document costs that has been written to for long: each version, coming upon it, and looking back. */
export const measurement = {
  name: 'state-history',
  says: '10,000 versions of a document of 100 KB, written through MCP: late against early, on disk, opened cold, looked back at',
  rounds: 1,
  async run({ figure, lacks }) {
    const world = makeWorld();
    try {
      const requests = await world.open();
      const [begun, other] = [await makeBoard(requests, session, tasks), await makeBoard(requests, 'NEW', tasks)];
      await requests.close();
      const { floor, early, late, memory } = await write(world, { early: other, late: begun });
      figure('versions 200 to 400 of another, between those, p50', early, 'ms', { floor });
      figure('versions 9,800 to 10,000, p50', late, 'ms', { floor });
      figure('last against first', late / early, '×');
      const log = bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments'));
      figure('the log', log / 1e6, 'MB');
      if (memory === undefined) lacks('memory of the server: this system does not tell it under /proc');
      else figure('memory of the server then', memory, 'MiB');
      // The first leaves a snapshot for the one after it.
      for (const how of ['without a snapshot', 'with its snapshot']) {
        const { first, again, old } = open(world, how);
        figure(`opened cold ${how}, the first thing a process does`, first, 'ms');
        figure(`opened cold ${how}, in a process that is warm`, median(again), 'ms');
        figure(`any version, ${how}, p50`, median(old), 'ms');
        figure(`any version, ${how}, the slowest of ${old.length}`, Math.max(...old), 'ms');
      }
    } finally {
      world.remove();
    }
  },
};

/** A document that is new and one that is old, by turns: whatever disturbs the machine disturbs both. */
async function write(world, { early, late }) {
  const start = (command, args, env, cwd) => startLineClient(command, args, env, cwd, 'modern');
  const server = await startServer(world, start, ['--toolsets', 'state']);
  const patcher = (begun) => {
    let at = begun;
    return async (number) => {
      const { writeToken } = at;
      const heard = await server.call('state_patch', { writeToken, operations: boardPatch(number, tasks) });
      at = heard._meta['workrail/answer'];
    };
  };
  const [inEarly, inLate] = [patcher(early), patcher(late)];
  const floor = await floorLane.open({ folder: world.folder, lineBytes: 460 });
  for (let at = 0; at < versions - watched; at += 1) await inLate(at);
  for (let at = 0; at < watched; at += 1) await inEarly(at);
  const times = { floor: [], early: [], late: [] };
  for (let at = 0; at < watched; at += 1) {
    times.floor.push(await timed(() => floor.step()));
    const turns = [
      async () => times.early.push(await timed(() => inEarly(watched + at))),
      async () => times.late.push(await timed(() => inLate(versions - watched + at))),
    ];
    for (const turn of at % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  floor.close();
  const memory = heldBy(server.pid);
  await server.close();
  return { floor: median(times.floor), early: median(times.early), late: median(times.late), memory };
}

function heldBy(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}

function open(world, how) {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), world.folder, how], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`opening the state ended with ${child.status}`);
  return JSON.parse(child.stdout);
}

async function child(folder, how) {
  const world = openWorld(folder);
  // Its modules are loaded, and nothing of it has run hot.
  await (await world.open(join(folder, 'nothing'))).close();
  const without = how === 'without a snapshot';
  const look = async (more = async () => undefined) => {
    if (without) rmSync(join(world.data, 'local', 'snapshots'), { recursive: true, force: true });
    const begin = performance.now();
    const requests = await world.open();
    await say(requests, 'state_read', { session });
    const time = performance.now() - begin;
    await more(requests);
    await requests.close();
    return time;
  };
  const first = await look(() => pause(150));
  const again = [];
  for (let turn = 0; turn < 7; turn += 1) again.push(await look());
  let old;
  await look(async (requests) => {
    const step = Math.floor(versions / 40);
    old = await timesOf(40, (at) => say(requests, 'state_read', { session, version: 1 + at * step }));
  });
  process.stdout.write(JSON.stringify({ first, again, old }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await child(process.argv[2], process.argv[3]);
