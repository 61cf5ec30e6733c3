import { join } from 'node:path';
import { ackOf, beginRun, bytesUnder, notesOf, say } from '../bench-world.mjs';

let opened = 0;

/** A step through the requests, in this process. */
export const lane = {
  name: 'library',
  says: 'a step through the requests, without a door',
  synced: true,
  async open({ world, payload, session = `LIBRARY-${(opened += 1)}` }) {
    const requests = await world.open();
    let at = await beginRun(requests, session);
    return {
      async step(number) {
        const { answer } = await say(requests, 'continue_workflow', ackOf(at, notesOf(payload, number)));
        at = answer;
      },
      bytes: () => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments')),
      close: () => requests.close(),
    };
  },
};
