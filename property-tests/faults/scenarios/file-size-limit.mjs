import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { squeeze } from '../frame/squeeze.mjs';

const limit = (agent, bytes) => execFileSync('prlimit', ['--pid', String(agent.pid), `--fsize=${bytes}:unlimited`]);

export const scenario = {
  name: 'file-size-limit',
  says: 'files that may not grow any further (ulimit -f), reached in the middle of a line',
  needs: ['linux', 'prlimit'],
  mutants: ['acknowledge-on-fault'],
  rounds: 20,
  smoke: 1,
  mutantRounds: 3,
  run: (options) =>
    squeeze(options, 'file-size-limit', {
      words: 4000,
      prepare: (folder, dice) => ({
        folder: join(folder, 'world'),
        squeeze: (agent) => limit(agent, 8000 + dice.below(9000)),
        ease: (agent) => limit(agent, 'unlimited'),
      }),
    }),
};
