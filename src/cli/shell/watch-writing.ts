export interface WatchedWriting {
  /** Waits until all has gone out; what the system refused of it, if anything. */
  finished(): Promise<NodeJS.ErrnoException | undefined>;
}

const gone = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** A result that could not be written is no success. Whoever reads us may leave before we are done (`workrail help | head -1`); that is no fault. */
export function watchWriting(stream: NodeJS.WritableStream): WatchedWriting {
  let refused: NodeJS.ErrnoException | undefined;
  const note = (error: NodeJS.ErrnoException | null | undefined): void => {
    if (error && !gone.has(error.code ?? '')) refused ??= error;
  };
  stream.on('error', note);
  let closed = false;
  stream.on('close', () => {
    closed = true;
  });
  return {
    finished: async () => {
      await new Promise<void>((resolve) => {
        // Nobody takes what was let go of, and the end must not wait for it.
        if (closed) resolve();
        stream.once('close', resolve);
        stream.write('', (error) => {
          note(error);
          resolve();
        });
      });
      // The stream tells of an error in a turn of its own.
      await new Promise((resolve) => setImmediate(resolve));
      return refused;
    },
  };
}
