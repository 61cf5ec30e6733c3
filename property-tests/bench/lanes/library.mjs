import { join } from 'node:path';
import { ackOf, beginRun, bytesUnder, notesOf, say } from '../bench-world.mjs';

let opened = 0;

/** A step through the requests, in this process. */
export const lane = {
  name: 'library',
  says: 'a step through the requests, without a door',
  synced: true,
  async open({ world, payload, session = `LIBRARY-${(opened += 1)}`, warm = 0 }) {
    const requests = await world.open();
    let at = await beginRun(requests, warm === 0 ? session : `${session}-WARM`);
    const step = async (number) => {
      const { answer } = await say(requests, 'continue_workflow', ackOf(at, notesOf(payload, number)));
      at = answer;
    };
    // In a session of its own.
    for (let number = 0; number < warm; number += 1) await step(number);
    if (warm > 0) at = await beginRun(requests, session);
    return {
      step,
      bytes: () => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments')),
      close: () => requests.close(),
    };
  },
};
