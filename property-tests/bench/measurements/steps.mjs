import { makeWorld } from '../bench-world.mjs';
import { median, quantile, timesOf } from '../frame/numbers.mjs';
import { lane as floorLane } from '../lanes/floor.mjs';
import { lane as libraryLane } from '../lanes/library.mjs';
import { lane as mcpLane } from '../lanes/mcp.mjs';
import { lane as noopLane } from '../lanes/noop-tool.mjs';

const [payload, warm, blocks, perBlock] = [1024, 1500, 8, 50];

/** They take turns, fifty calls each, so that all of them meet the same disk and the same neighbours. */
export const measurement = {
  name: 'steps',
  says: 'one durable step with 1 KiB of notes',
  rounds: 5,
  async run({ round, figure }) {
    const world = makeWorld();
    const open = {};
    try {
      open.library = await libraryLane.open({ world, payload });
      for (let at = 0; at < warm; at += 1) await open.library.step(at);
      const before = open.library.bytes();
      for (let at = 0; at < perBlock; at += 1) await open.library.step(at);
      const lineBytes = Math.round((open.library.bytes() - before) / perBlock);
      open.floor = await floorLane.open({ folder: world.folder, lineBytes });
      open['noop-tool'] = await noopLane.open({ world, payload });
      open.mcp = await mcpLane.open({ world, payload });
      await open.mcp.step(0);
      open['same-answer'] = await noopLane.open({ world, payload, answer: open.mcp.heard() });
      for (const name of ['floor', 'noop-tool', 'same-answer', 'mcp'])
        for (let at = 0; at < warm; at += 1) await open[name].step(at);

      const times = { floor: [], 'noop-tool': [], 'same-answer': [], library: [], mcp: [] };
      const names = Object.keys(times);
      for (let block = 0; block < blocks; block += 1) {
        for (let turn = 0; turn < names.length; turn += 1) {
          const name = names[(turn + block + round) % names.length];
          times[name].push(...(await timesOf(perBlock, (at) => open[name].step(at))));
        }
      }
      // What the disk costs a process that has worked: the floor's append and sync, each after a step.
      times['floor after a step'] = [];
      for (let at = 0; at < blocks * perBlock; at += 1) {
        await open.library.step(at);
        times['floor after a step'].push(...(await timesOf(1, () => open.floor.step())));
      }
      const p50 = (name) => median(times[name]);
      const floor = p50('floor');
      figure('floor: append and fdatasync of the same bytes, p50', floor, 'ms');
      figure('floor, p95', quantile(times.floor, 0.95), 'ms');
      figure('floor, right after a step through the library, p50', p50('floor after a step'), 'ms', { floor });
      figure('a tool of the SDK that does nothing, p50', p50('noop-tool'), 'ms', { floor });
      figure('the same, which hands back an answer of ours, p50', p50('same-answer'), 'ms', { floor });
      figure('a step through the library, p50', p50('library'), 'ms', { floor });
      figure('a step through the library, p95', quantile(times.library, 0.95), 'ms', {
        floor: quantile(times.floor, 0.95),
      });
      figure('a step through MCP, p50', p50('mcp'), 'ms', { floor });
      figure('a step through MCP, p95', quantile(times.mcp, 0.95), 'ms', { floor: quantile(times.floor, 0.95) });
      figure('the library beyond the floor', p50('library') - floor, 'ms');
      figure('MCP beyond the floor and the tool that does nothing', p50('mcp') - floor - p50('noop-tool'), 'ms');
      figure('bytes of a step on disk', lineBytes, 'bytes');
    } finally {
      for (const lane of Object.values(open)) await lane.close();
      world.remove();
    }
  },
};
