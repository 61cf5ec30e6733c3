import { playCrashStates } from '../frame/crash-states.mjs';

export const scenario = {
  name: 'crash-states',
  says: 'states that a power cut may leave, made from a trace of a server at work: unsynced bytes kept, dropped, cut, zeroed or changed, unsynced names there or not',
  needs: ['linux', 'strace'],
  mutants: ['no-file-sync', 'no-folder-sync', 'no-pin-sync', 'torn-groups-accepted', 'no-sum-check'],
  rounds: 1000,
  smoke: 40,
  mutantRounds: 400,
  run: (options) => playCrashStates(options, 'crash-states', { failing: [] }),
};
