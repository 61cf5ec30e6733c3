import { ackOf, notesOf, startServer } from '../bench-world.mjs';

let opened = 0;

/** A step through the built server over stdio, with the SDK's client at the other end. */
export const lane = {
  name: 'mcp',
  says: 'a step through MCP over stdio',
  synced: true,
  async open({ world, payload, session = `MCP-${(opened += 1)}` }) {
    const server = await startServer(world);
    let heard;
    const say = async (tool, args) => {
      heard = await server.call(tool, args);
      return heard._meta['workrail/answer'];
    };
    let at = await say('start_workflow', { workflowId: 'bench.endless', session });
    return {
      pid: server.pid,
      /** The last result, whole. */
      heard: () => heard,
      async step(number) {
        at = await say('continue_workflow', ackOf(at, notesOf(payload, number)));
      },
      close: () => server.close(),
    };
  },
};
