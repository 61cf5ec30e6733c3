import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What a step with 1 KiB of notes takes on disk; `steps` measures it. */
export const stepBytes = 1481;

/** What no durable step can go below: the bytes of a step, appended and synced. */
export const lane = {
  name: 'floor',
  says: 'append the same bytes and fdatasync',
  synced: true,
  async open({ folder, lineBytes = stepBytes }) {
    const fd = openSync(
      join(folder, `floor-${process.hrtime.bigint()}`),
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
    );
    const line = Buffer.alloc(lineBytes, 'x');
    return {
      step() {
        writeSync(fd, line);
        fdatasyncSync(fd);
      },
      close: () => closeSync(fd),
    };
  },
};
