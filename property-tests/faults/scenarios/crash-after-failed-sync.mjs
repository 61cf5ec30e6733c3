import { playCrashStates } from '../frame/crash-states.mjs';

/** What a failed sync leaves in memory looks written, is called clean, and never gets to the disk: no later sync brings it there. */
export const scenario = {
  name: 'crash-after-failed-sync',
  says: 'as crash-states, after syncs that failed and whose bytes are lost for good, although everybody can read them until the power goes',
  needs: ['linux', 'strace'],
  mutants: ['no-repeat-in-doubt', 'acknowledge-on-fault'],
  rounds: 500,
  smoke: 30,
  mutantRounds: 400,
  run: (options) => playCrashStates(options, 'crash-after-failed-sync', { failing: [2, 5, 9, 14] }),
};
