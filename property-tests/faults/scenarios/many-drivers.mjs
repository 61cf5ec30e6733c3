import { driveTogether } from '../frame/drive-together.mjs';

export const scenario = {
  name: 'many-drivers',
  says: 'two to six servers are asked to go on with the same run at the same moment, with the lock and without it, and are stopped and woken meanwhile: each write that may be sent once is sent by one of them',
  needs: ['linux'],
  mutants: ['claim-skipped'],
  rounds: 10,
  smoke: 1,
  smokeSeconds: 20,
  mutantRounds: 4,
  run: (options) => driveTogether(options, 'many-drivers'),
};
