import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { beside } from './vitest-beside.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'property-tests/source/**/*.test.ts';

/** A module that a file replaces would stay replaced for the files after it. */
const mocking = ['src', 'property-tests']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter(
    (file) => file.endsWith('.test.ts') && /\bvi\.(?:mock|doMock)\(/u.test(readFileSync(join(root, file), 'utf8')),
  )
  .map((file) => file.split(sep).join('/'));

const alone = [
  ...mocking,
  // Asks what this process has loaded.
  'property-tests/journeys/calls/loaded-when-called.test.ts',
  // Loads another test file, which is to find an environment of its own.
  'property-tests/journeys/cli/handed-out-commands-installed.test.ts',
];

export default defineConfig({
  root,
  test: {
    // Much of a test's time is spent waiting for another process or for the disk.
    maxWorkers: availableParallelism() + 1,
    // Many tests start the built program; a loaded machine needs the room.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: beside } },
      // Loading the modules anew takes longer than most tests do: a process keeps them for the next file.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'property-tests/**/*.test.ts'],
          exclude: [...beside, ...alone, source],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'source', include: [source], isolate: false } },
    ],
  },
});
