import { readFileSync } from 'node:fs';
import { makeWorld } from '../bench-world.mjs';
import { warmSteps } from '../frame/grow.mjs';
import { median, pause, timed } from '../frame/numbers.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';
import { lane as mcpLane } from '../lanes/mcp.mjs';

/** As `growth`, with the server of an agent: what the process holds is what a user sees it hold. */
export const measurement = {
  name: 'growth-server',
  says: 'one session to 10,000 steps, through MCP',
  rounds: 1,
  async run({ figure, lacks }) {
    const world = makeWorld();
    try {
      const server = await mcpLane.open({ world, payload: 1024, warm: warmSteps });
      const floor = await floorLane.open({ folder: world.folder });
      const windows = [];
      for (let at = 0; at < 10_000; at += 1) {
        const watched = (at >= 100 && at < 200) || at >= 9_900;
        const beneath = watched ? await timed(() => floor.step()) : 0;
        const time = await timed(() => server.step(at));
        if (watched) (windows[at < 200 ? 0 : 1] ??= []).push({ time, beneath });
      }
      const [early, late] = windows.map((window) => ({
        step: median(window.map(({ time }) => time)),
        floor: median(window.map(({ beneath }) => beneath)),
      }));
      figure('steps 100 to 200, p50', early.step, 'ms', { floor: early.floor });
      figure('steps 9,900 to 10,000, p50', late.step, 'ms', { floor: late.floor });
      figure('late against early', late.step / early.step, '×');
      floor.close();
      await server.close();
      const [busy, rested] = [await heldAfter(world, 0), await heldAfter(world, 60)];
      if (busy === undefined || rested === undefined)
        return lacks('memory of the server: this system does not tell it under /proc');
      figure('memory of the server after 10,000 steps', busy.now, 'MiB');
      figure('the most it held', busy.most, 'MiB');
      figure('memory of a server after 10,000 steps with a rest after each hundred', rested.now, 'MiB');
      return undefined;
    } finally {
      world.remove();
    }
  },
};

/** What a server holds that has done nothing else. An agent thinks between its calls: when it does, the steps of a long session go to disk in pieces and out of memory. */
async function heldAfter(world, rest) {
  const server = await mcpLane.open({ world, payload: 1024 });
  for (let at = 1; at <= 10_000; at += 1) {
    await server.step(at);
    if (rest > 0 && at % 100 === 0) await pause(rest);
  }
  const held = memoryOf(server.pid);
  await server.close();
  return held;
}

function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1]) / 1024;
    return { now: of('VmRSS'), most: of('VmHWM') };
  } catch {
    return undefined;
  }
}
