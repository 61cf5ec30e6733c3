import { openSmallDisk } from '../frame/small-disk.mjs';
import { squeeze } from '../frame/squeeze.mjs';

export const scenario = {
  name: 'full-disk',
  says: 'a disk that is really full, in the middle of a line as it may be; when there is room again, the same server goes on',
  needs: ['linux', 'root'],
  mutants: ['acknowledge-on-fault'],
  rounds: 20,
  smoke: 1,
  mutantRounds: 3,
  run: (options) =>
    squeeze(options, 'full-disk', {
      words: 20_000,
      prepare: (folder, dice) => {
        const disk = openSmallDisk(folder, `${200 + 4 * dice.below(60)}k`);
        return {
          folder: disk.mountPoint,
          squeeze: () => undefined,
          ease: () => disk.remount('size=64m'),
          close: disk.close,
        };
      },
    }),
};
