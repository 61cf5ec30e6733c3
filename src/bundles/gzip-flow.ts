import type { Gunzip, Gzip } from 'node:zlib';

export interface GzipFlow {
  /** What came out of these bytes; undefined says that they are all. Once it has failed, nothing more comes. */
  readonly push: (chunk: Uint8Array | undefined) => Promise<readonly Buffer[]>;
  readonly failure: () => Error | undefined;
}

/** gzip in either direction, chunk by chunk: what goes wrong shows in its place, after everything that came out before it. */
export function gzipFlow(engine: Gzip | Gunzip): GzipFlow {
  let out: Buffer[] = [];
  let failure: Error | undefined;
  engine.on('data', (chunk: Buffer) => out.push(chunk));
  engine.on('error', (error) => {
    failure ??= error;
  });
  const settled = (chunk: Uint8Array | undefined): Promise<void> =>
    new Promise((resolve) => {
      if (failure !== undefined) return resolve();
      engine.once('close', resolve);
      if (chunk === undefined) engine.end();
      else {
        engine.write(chunk, () => {
          engine.off('close', resolve);
          resolve();
        });
      }
    });
  return {
    failure: () => failure,
    push: async (chunk) => {
      await settled(chunk);
      const now = out;
      out = [];
      return now;
    },
  };
}
