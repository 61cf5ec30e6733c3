import { cutPower } from '../frame/power-cut.mjs';

/** Each with the command that needs the guard. */
const telling = { 'no-staging-sync': 'import', 'no-replacement-sync': 'doctor --repair' };

export const scenario = {
  name: 'power-cut-commands',
  says: 'the power is cut under a command, or when it has just said that it is done, on a real XFS: notes, steps, preferences, imports, repairs, redactions and what was taken away',
  needs: ['linux', 'root', 'gcc', 'xfs'],
  mutants: Object.keys(telling),
  rounds: 50,
  smoke: 1,
  smokeSeconds: 8,
  mutantRounds: 3,
  run: (options) => cutPower(options, 'power-cut-commands', 'xfs', telling),
};
