import { ackOf, bytesUnder, makeWorld, notesOf, startServer } from '../bench-world.mjs';
import { join } from 'node:path';

const prompt = 'Look at the next part and say what is there.\n';

/** What does not depend on the machine at all. */
export const measurement = {
  name: 'step-bytes',
  says: 'bytes of answers, of the tool list and of the log',
  rounds: 1,
  async run({ figure }) {
    for (const [says, value, unit] of await countBytes()) figure(says, value, unit);
  },
};

export async function countBytes() {
  const world = makeWorld();
  const server = await startServer(world);
  try {
    const tools = Buffer.byteLength(JSON.stringify(await server.client.listTools()));
    const texts = [];
    const wholes = [];
    const heard = (result) => {
      texts.push(Buffer.byteLength(result.content[0].text) - Buffer.byteLength(prompt));
      wholes.push(Buffer.byteLength(JSON.stringify(result)));
      return result._meta['workrail/answer'];
    };
    const onDisk = (session) => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments'));
    const beyond = {};
    for (const workflowId of ['bench.flat', 'bench.endless']) {
      const session = workflowId.replace('bench.', '').toUpperCase();
      let at = heard(await server.call('start_workflow', { workflowId, session }));
      const steps = workflowId === 'bench.flat' ? 18 : 40;
      for (let step = 0; step < 5; step += 1)
        at = heard(await server.call('continue_workflow', ackOf(at, notesOf(1024, step))));
      const before = onDisk(session);
      for (let step = 5; step < steps; step += 1)
        at = heard(await server.call('continue_workflow', ackOf(at, notesOf(1024, step))));
      beyond[workflowId] = Math.round((onDisk(session) - before) / (steps - 5)) - 1024;
    }
    return [
      ['tools/list, default set', tools, 'bytes'],
      ["text of a step's answer beyond the author's prompt, at most", Math.max(...texts), 'bytes'],
      ['a whole result with its _meta, at most', Math.max(...wholes), 'bytes'],
      ['a step on disk beyond its notes, one step after another', beyond['bench.flat'], 'bytes'],
      ['a step on disk beyond its notes, two loops deep', beyond['bench.endless'], 'bytes'],
    ];
  } finally {
    await server.close();
    world.remove();
  }
}
