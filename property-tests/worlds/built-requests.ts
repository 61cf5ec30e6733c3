import { fileURLToPath } from 'node:url';
import type { openRequests } from '../../src/requests/requests.js';

// A thread is started from a file of the built program.
const built = fileURLToPath(new URL('../../dist/requests/requests.js', import.meta.url));

/** The requests of the built program, for what reads API documents. */
export const { openRequests: openBuiltRequests } = (await import(built)) as {
  readonly openRequests: typeof openRequests;
};
