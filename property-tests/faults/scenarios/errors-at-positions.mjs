import { tryPositions } from '../frame/positions.mjs';

const making = 'create,openwrite,mkdir,rename,link,remove';
const forGood = 1_000_000_000;

/** What a disk can say, and to which calls. Those for good last until the call is over. */
const faults = [
  { ops: 'write', what: 'error', error: 'EIO' },
  { ops: 'write', what: 'torn', error: 'ENOSPC' },
  { ops: 'write', what: 'torn', error: 'EFBIG' },
  { ops: 'write', what: 'after', error: 'EIO' },
  { ops: 'write', what: 'short', error: 'EIO' },
  { ops: 'sync', what: 'error', error: 'EIO' },
  { ops: 'sync', what: 'after', error: 'EIO' },
  { ops: 'open,create,openwrite', what: 'error', error: 'EMFILE' },
  { ops: making, what: 'error', error: 'EIO' },
  { ops: making, what: 'error', error: 'EROFS' },
  { ops: making, what: 'error', error: 'ENOSPC' },
  { ops: `${making},write`, what: 'error', error: 'ENOSPC', count: forGood },
  { ops: `${making},write`, what: 'error', error: 'EROFS', count: forGood },
  { ops: 'sync,write', what: 'error', error: 'EIO', count: forGood },
];

export const scenario = {
  name: 'errors-at-positions',
  says: 'EIO, ENOSPC, EFBIG, EROFS and EMFILE at every call of every tool and command that writes, once and for good: never acknowledged when it may be lost, and the same server serves again when it has passed',
  needs: ['linux', 'gcc'],
  mutants: ['acknowledge-on-fault'],
  rounds: Number.MAX_SAFE_INTEGER,
  smoke: 6,
  mutantRounds: 200,
  // A mutant that acknowledges what failed is seen where a sync fails.
  run: (options) =>
    tryPositions(
      options,
      'errors-at-positions',
      options.stopAtFirst ? faults.filter(({ ops, what }) => ops === 'sync' && what === 'error') : faults,
      { ops: 'all', mutantSubject: 'continue_workflow' },
    ),
};
