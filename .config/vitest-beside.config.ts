import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What needs something beside this clone, a browser, other shells or files of others: gates of their own, since not every machine has it. */
export const beside = [
  'property-tests/journeys/page/*page-in-browser.test.ts',
  'property-tests/journeys/*/corpora*.test.ts',
  'property-tests/journeys/cli/*-in-shells.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: beside,
    // A browser and its test wait for each other; on two processors there is room for a second pair.
    maxWorkers: availableParallelism(),
    // Two browsers at once make each other wait; a second is not always enough.
    expect: { poll: { timeout: 5000 } },
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
