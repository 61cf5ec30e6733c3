import { fileURLToPath } from 'node:url';
import { ackOf, notesOf } from '../bench-world.mjs';
import { startClient } from '../frame/stdio-client.mjs';

/** A call with the same arguments to a tool that does nothing. */
export const lane = {
  name: 'noop-tool',
  says: 'a tool of the same SDK that does nothing, over stdio',
  synced: false,
  /** `answer`: what it hands back, ready-made, instead of a word. */
  async open({ world, payload, answer }) {
    const server = await startClient(
      process.execPath,
      [fileURLToPath(new URL('noop-server.mjs', import.meta.url))],
      world.environment,
      world.workspace,
    );
    if (answer !== undefined) await server.call('continue_workflow', { answer });
    return {
      step: (number) =>
        server.call(
          'continue_workflow',
          ackOf(
            { stateToken: 'st1_00000000000000000000000', ackToken: 'ack1_0000000000000000000000000000' },
            notesOf(payload, number),
          ),
        ),
      close: () => server.close(),
    };
  },
};
