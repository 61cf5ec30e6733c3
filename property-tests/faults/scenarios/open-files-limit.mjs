import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { squeeze } from '../frame/squeeze.mjs';

const limit = (agent, count) => execFileSync('prlimit', ['--pid', String(agent.pid), `--nofile=${count}:`]);

/** The limit is on the number that a file gets, and the lowest free one is given. */
function lowestFree(agent) {
  const taken = new Set(readdirSync(`/proc/${agent.pid}/fd`).map(Number));
  let free = 0;
  while (taken.has(free)) free += 1;
  return free;
}

export const scenario = {
  name: 'open-files-limit',
  says: 'no file can be opened any more (ulimit -n), in a server that was at work',
  needs: ['linux', 'prlimit'],
  mutants: ['faults-are-ours'],
  rounds: 20,
  smoke: 1,
  mutantRounds: 3,
  run: (options) =>
    squeeze(options, 'open-files-limit', {
      prepare: (folder, dice) => ({
        folder: join(folder, 'world'),
        squeeze: (agent) => limit(agent, lowestFree(agent) + dice.below(4)),
        ease: (agent) => limit(agent, 1024),
      }),
    }),
};
