export interface LineWriter {
  /** Waits until whoever reads has kept up. False once nobody reads any more. */
  write(text: string): Promise<boolean>;
}

/** Writes to a stream without holding what its reader has not taken yet: a log may be longer than memory. */
export function writeLines(stdout: NodeJS.WritableStream): LineWriter {
  let left = false;
  let goOn: (() => void) | undefined;
  const leave = (): void => {
    left = true;
    goOn?.();
  };
  stdout.on('drain', () => goOn?.());
  stdout.once('error', leave).once('close', leave);
  return {
    write: async (text) => {
      if (left) return false;
      if (!stdout.write(text)) await new Promise<void>((resolve) => (goOn = resolve));
      goOn = undefined;
      return !left;
    },
  };
}
