import { openSmallDisk } from '../frame/small-disk.mjs';
import { squeeze } from '../frame/squeeze.mjs';

export const scenario = {
  name: 'read-only-disk',
  says: 'a disk that is mounted read-only under a server that is about to write; when it can be written to again, the same server goes on',
  needs: ['linux', 'root'],
  mutants: ['refusals-swallowed'],
  rounds: 20,
  smoke: 1,
  mutantRounds: 3,
  run: (options) =>
    squeeze(options, 'read-only-disk', {
      // A file that is open for writing keeps a disk from becoming read-only.
      warm: false,
      prepare: (folder) => {
        const disk = openSmallDisk(folder, '16m');
        return {
          folder: disk.mountPoint,
          squeeze: () => disk.remount('ro'),
          ease: () => disk.remount('rw'),
          close: disk.close,
        };
      },
    }),
};
