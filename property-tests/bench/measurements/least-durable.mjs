import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ackOf, bytesUnder, makeWorld, notesOf, startServer } from '../bench-world.mjs';
import { startLineClient } from '../frame/line-client.mjs';
import { quantile, timesOf } from '../frame/numbers.mjs';

const [payload, warm, blocks, perBlock] = [1024, 1500, 20, 50];
const tool = fileURLToPath(new URL('../lanes/noop-server.mjs', import.meta.url));
const spoken = { legacy: '2025-11-25', modern: '2026-07-28' };
const quantiles = { p50: 0.5, p90: 0.9, p99: 0.99 };

/** A step of ours, and the tool that appends as many bytes, syncs, and answers what ours answered last; one client for both. */
async function openPair(world, era) {
  const start = (command, args, env, cwd) => startLineClient(command, args, env, cwd, era);
  const server = await startServer(world, start);
  const session = `LEAST-${era}`;
  const dataOf = (heard) => heard._meta['workrail/answer'];
  let heard = await server.call('start_workflow', { workflowId: 'bench.endless', session });
  const step = async (number) => {
    heard = await server.call('continue_workflow', ackOf(dataOf(heard), notesOf(payload, number)));
  };
  for (let at = 0; at < warm; at += 1) await step(at);
  const written = () => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments'));
  const before = written();
  for (let at = 0; at < perBlock; at += 1) await step(at);
  const lineBytes = Math.round((written() - before) / perBlock);

  const file = join(world.folder, `least-${era}`);
  const least = await start(process.execPath, [tool, file, String(lineBytes)], world.environment, world.workspace);
  await least.call('continue_workflow', { answer: heard });
  const args = (number) => ackOf(dataOf(heard), notesOf(payload, number));
  for (let at = 0; at < warm; at += 1) await least.call('continue_workflow', args(at));
  return {
    step,
    least: (number) => least.call('continue_workflow', args(number)),
    close: () => Promise.all([server.close(), least.close()]),
  };
}

export const measurement = {
  name: 'least-durable',
  says: 'one durable step beside the least durable tool of the same SDK, which appends as many bytes, syncs and answers as many; over stdio, by turns of fifty',
  rounds: 5,
  async run({ round, figure }) {
    const world = makeWorld();
    const open = {};
    try {
      for (const era of Object.keys(spoken)) open[era] = await openPair(world, era);
      const lanes = Object.keys(spoken).flatMap((era) => ['least', 'step'].map((kind) => ({ era, kind, times: [] })));
      for (let block = 0; block < blocks; block += 1)
        for (let turn = 0; turn < lanes.length; turn += 1) {
          const { era, kind, times } = lanes[(turn + block + round) % lanes.length];
          times.push(...(await timesOf(perBlock, (at) => open[era][kind](at))));
        }
      for (const [era, revision] of Object.entries(spoken)) {
        const of = (kind) => lanes.find((lane) => lane.era === era && lane.kind === kind).times;
        for (const [name, share] of Object.entries(quantiles)) {
          const [least, step] = [quantile(of('least'), share), quantile(of('step'), share)];
          figure(`the least durable tool, ${revision}, ${name}`, least, 'ms');
          figure(`a step, ${revision}, ${name}`, step, 'ms');
          figure(`a step against that tool, ${revision}, ${name}`, step / least, '×');
        }
      }
    } finally {
      for (const pair of Object.values(open)) await pair.close();
      world.remove();
    }
  },
};
