import { cutPower } from '../frame/power-cut.mjs';

export const scenario = {
  name: 'power-cut-ext4',
  says: 'the power is cut under a server or a command on a real ext4: what was acknowledged is there when the machine comes up again',
  needs: ['linux', 'root', 'gcc', 'ext4'],
  mutants: ['no-file-sync'],
  rounds: 100,
  smoke: 4,
  mutantRounds: 4,
  run: (options) => cutPower(options, 'power-cut-ext4', 'ext4'),
};
