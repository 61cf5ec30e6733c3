import { spawnSync } from 'node:child_process';
import { makeWorld, program, startServer } from '../bench-world.mjs';
import { median, timed, timesOf } from '../frame/numbers.mjs';

/** From nothing to an answer. */
export const measurement = {
  name: 'start',
  says: 'starting processes',
  rounds: 5,
  async run({ figure }) {
    const world = makeWorld();
    try {
      const runs = (...args) =>
        timesOf(3, () => {
          const { status } = spawnSync(process.execPath, args, {
            env: world.environment,
            cwd: world.workspace,
            stdio: 'ignore',
          });
          if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
        });
      figure('Node alone', median(await runs('--eval', '0')), 'ms');
      figure('workrail version', median(await runs(program, 'version')), 'ms');
      figure('workrail list', median(await runs(program, 'list', '--data-dir', world.data)), 'ms');
      const [listed, begun] = [[], []];
      for (let at = 0; at < 3; at += 1) {
        const start = performance.now();
        const server = await startServer(world);
        await server.client.listTools();
        listed.push(performance.now() - start);
        begun.push(
          listed.at(-1) +
            (await timed(() => server.call('start_workflow', { workflowId: 'bench.endless', session: `START-${at}` }))),
        );
        await server.close();
      }
      figure('the server, from its start to tools/list', median(listed), 'ms');
      figure('the server, from its start to the first step offered', median(begun), 'ms');
    } finally {
      world.remove();
    }
  },
};
