import { once } from 'node:events';

export interface LineWriter {
  /** Waits until whoever reads has kept up. False once nobody reads any more. */
  write(text: string): Promise<boolean>;
}

/** Writes to a stream without holding what its reader has not taken yet: a log may be longer than memory. */
export function writeLines(stdout: NodeJS.WritableStream): LineWriter {
  let left = false;
  const leave = (): void => {
    left = true;
  };
  stdout.once('error', leave).once('close', leave);
  return {
    write: async (text) => {
      if (left) return false;
      // A reader that leaves while it is waited for says so in an event of its own.
      if (!stdout.write(text)) await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(leave);
      return !left;
    },
  };
}
