import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What needs a browser: a gate of its own, since not every machine has one. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['property-tests/journeys/page/page-in-browser.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
