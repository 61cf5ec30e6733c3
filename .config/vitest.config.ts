import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { beside } from './vitest-beside.config.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['src/**/*.test.ts', 'property-tests/**/*.test.ts'],
    exclude: beside,
    // Much of a test's time is spent waiting for another process or for the disk.
    maxWorkers: availableParallelism() + 1,
    // Many tests start the built program; a loaded machine needs the room.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
