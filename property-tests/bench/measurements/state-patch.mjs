import { join } from 'node:path';
import { bytesUnder, makeWorld, startServer } from '../bench-world.mjs';
import { startLineClient } from '../frame/line-client.mjs';
import { median, timed } from '../frame/numbers.mjs';
import { boardPatch, makeBoard } from '../frame/state-board.mjs';
import { hasStrace, traceWrites } from '../frame/traced-steps.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';

/** Some 200 bytes each. */
export const sizes = { '10 KB': 48, '100 KB': 490, '1 MB': 4_800 };
const [warm, watched] = [400, 400];

/** A version of a shared document through the server of an agent, and between each two the bytes of it appended and synced. */
export const measurement = {
  name: 'state-patch',
  says: 'one write to a shared document through MCP stdio, synced, by the size of the document',
  rounds: 3,
  async run({ round, figure, lacks }) {
    const world = makeWorld();
    const start = (command, args, env, cwd) => startLineClient(command, args, env, cwd, 'modern');
    try {
      const requests = await world.open();
      const begun = [];
      for (const [size, tasks] of Object.entries(sizes))
        begun.push({ size, tasks, session: `BOARD-${tasks}`, at: await makeBoard(requests, `BOARD-${tasks}`, tasks) });
      await requests.close();
      const server = await startServer(world, start, ['--toolsets', 'state']);
      for (let turn = 0; turn < begun.length; turn += 1) {
        const { size, tasks, session, at } = begun[(turn + round) % begun.length];
        figure(`${size}: bytes of the document`, at.bytes, 'bytes');
        let { writeToken } = at;
        const write = async (number) => {
          const operations = boardPatch(number, tasks);
          const heard = await server.call('state_patch', { writeToken, operations });
          ({ writeToken } = heard._meta['workrail/answer']);
        };
        const written = () => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments'));
        for (let number = 0; number < warm; number += 1) await write(number);
        const before = written();
        for (let number = 0; number < 40; number += 1) await write(number);
        const lineBytes = Math.round((written() - before) / 40);
        const floor = await floorLane.open({ folder: world.folder, lineBytes });
        const [times, floors] = [[], []];
        for (let number = 0; number < watched; number += 1) {
          floors.push(await timed(() => floor.step()));
          times.push(await timed(() => write(number)));
        }
        floor.close();
        const beneath = median(floors);
        figure(`${size}: the floor, p50`, beneath, 'ms');
        figure(`${size}: a write, p50`, median(times), 'ms', { floor: beneath });
        figure(`${size}: beyond the floor`, median(times) - beneath, 'ms');
        figure(`${size}: bytes of a version on disk`, lineBytes, 'bytes');
      }
      await server.close();
      if (round > 0) return undefined;
      if (!hasStrace()) return lacks('strace is not here; with it system calls are counted');
      const [{ tasks, session }] = begun;
      const traced = await traceWrites(world, 40, (client, at) =>
        client.call('state_patch', { session, operations: boardPatch(at, tasks) }),
      );
      figure('writes into the log a write', traced.writes / 40, '');
      figure('syncs a write', traced.syncs / 40, '');
      figure('files or folders made, renamed or removed in the session', traced.made.length, '');
      return undefined;
    } finally {
      world.remove();
    }
  },
};
