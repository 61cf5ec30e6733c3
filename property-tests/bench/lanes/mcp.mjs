import { ackOf, notesOf, startServer } from '../bench-world.mjs';

let opened = 0;

/** A step through the built server over stdio, with the SDK's client at the other end. */
export const lane = {
  name: 'mcp',
  says: 'a step through MCP over stdio',
  synced: true,
  async open({ world, payload, session = `MCP-${(opened += 1)}`, warm = 0 }) {
    const server = await startServer(world);
    let heard;
    const say = async (tool, args) => {
      heard = await server.call(tool, args);
      return heard._meta['workrail/answer'];
    };
    let at = await say('start_workflow', {
      workflowId: 'bench.endless',
      session: warm === 0 ? session : `${session}-WARM`,
    });
    const step = async (number) => {
      at = await say('continue_workflow', ackOf(at, notesOf(payload, number)));
    };
    // In a session of its own.
    for (let number = 0; number < warm; number += 1) await step(number);
    if (warm > 0) at = await say('start_workflow', { workflowId: 'bench.endless', session });
    return {
      pid: server.pid,
      /** The last result, whole. */
      heard: () => heard,
      step,
      close: () => server.close(),
    };
  },
};
