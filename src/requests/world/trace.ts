import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<string>();

/** What is done for a request, and all that waits for it, is told with the trace of whoever asks. */
export const inTrace = <R>(trace: string | undefined, work: () => R): R =>
  trace === undefined ? work() : asking.run(trace, work);

/**
 * Lines that name the trace of the request that they are about, at the end of their first line. What a server does by
 * itself is told without: a request that happened to begin it is not its cause.
 */
export const tracedLog =
  (log: (line: string) => void) =>
  (line: string): void => {
    const trace = asking.getStore();
    log(trace === undefined ? line : line.replace(/$/mu, () => ` (${trace})`));
  };
