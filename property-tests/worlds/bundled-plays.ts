import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Requests } from '../../src/requests/requests.js';
import { makeRequestsWorld, type RequestsWorld } from './requests-world.js';
import { type Play, type Played, playWorkflow } from './workflow-play.js';

export interface BundledPlays {
  readonly requests: () => Requests;
  readonly play: (day: Play) => Promise<Played>;
}

/** One world with the bundled workflows for all tests of a file. */
export function bundledPlays(): BundledPlays {
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 7, bundled: fileURLToPath(new URL('../../workflows', import.meta.url)) });
    requests = world.open();
  });
  afterAll(() => world.close());
  return { requests: () => requests, play: (day) => playWorkflow(requests, day) };
}
