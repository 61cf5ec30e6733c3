import { parse } from 'ndjson';

/**
 * The values of newline-delimited JSON whose bytes have been verified: the parser itself would turn what is not UTF-8
 * into replacement characters in silence.
 */
export async function readRows(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  take: (row: unknown) => void,
): Promise<void> {
  const parser = parse({ strict: true });
  // The compiler does not see that a listener sets it.
  let failure = undefined as Error | undefined;
  parser.on('data', take);
  const ended = new Promise<void>((resolve) => {
    parser.once('end', resolve);
    parser.once('error', (cause: Error) => {
      failure = cause;
      resolve();
    });
  });
  for await (const chunk of chunks) {
    if (failure !== undefined) break;
    if (!parser.write(chunk)) await Promise.race([ended, new Promise((resolve) => parser.once('drain', resolve))]);
  }
  parser.end();
  await ended;
  if (failure !== undefined) throw failure;
}
