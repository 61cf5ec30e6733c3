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
  test: { include: beside, testTimeout: 40_000, hookTimeout: 60_000 },
});
