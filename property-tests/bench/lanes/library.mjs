import { join } from 'node:path';
import { ackOf, beginRun, bytesUnder, notesOf, say } from '../bench-world.mjs';

let opened = 0;

/** A step through the requests, in this process. */
export const lane = {
  name: 'library',
  says: 'a step through the requests, without a door',
  synced: true,
  async open({ world, payload, session = `LIBRARY-${(opened += 1)}`, warm = 0, workflowId }) {
    const requests = await world.open();
    let at;
    const step = async (number) => {
      const { answer } = await say(requests, 'continue_workflow', ackOf(at, notesOf(payload, number)));
      at = answer;
    };
    // In sessions of their own.
    for (let number = 0; number < warm; number += 1) {
      if (at === undefined || at.isComplete) at = await beginRun(requests, `${session}-WARM-${number}`, workflowId);
      await step(number);
    }
    at = await beginRun(requests, session, workflowId);
    return {
      step,
      bytes: () => bytesUnder(join(world.data, 'sessions', session), (path) => path.includes('segments')),
      close: () => requests.close(),
    };
  },
};
