import { fileURLToPath } from 'node:url';
import { ackOf, notesOf } from '../bench-world.mjs';
import { startClient } from '../frame/stdio-client.mjs';

/** A call with the same arguments to a tool that does nothing. */
export const lane = {
  name: 'noop-tool',
  says: 'a tool of the same SDK that does nothing, over stdio',
  synced: false,
  async open({ world, payload }) {
    const server = await startClient(process.execPath, [fileURLToPath(new URL('noop-server.mjs', import.meta.url))], world.environment, world.workspace);
    return {
      step: (number) => server.call('continue_workflow', ackOf({ stateToken: 'st1_00000000000000000000000', ackToken: 'ack1_0000000000000000000000000000' }, notesOf(payload, number))),
      close: () => server.close(),
    };
  },
};
