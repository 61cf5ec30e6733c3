import { tryPositions } from '../frame/positions.mjs';

/** What is on the disk before one change and after the one before it is the same, so killing before each of them is enough. */
export const scenario = {
  name: 'kill-at-positions',
  says: 'kill -9 before the n-th write, sync, create, mkdir, rename, link and unlink of every tool and command that writes, until none is left; asked again, it is there once',
  needs: ['linux', 'gcc'],
  mutants: ['acknowledge-before-writing'],
  rounds: Number.MAX_SAFE_INTEGER,
  smoke: 6,
  mutantRounds: 60,
  run: (options) =>
    tryPositions(options, 'kill-at-positions', [{ what: 'kill' }], { mutantSubject: 'continue_workflow' }),
};
