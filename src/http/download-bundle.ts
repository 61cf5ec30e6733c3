import type { Rejection } from '../base/rejection.js';
import { ok, type Result } from '../base/result.js';
import type { PeopleRequests } from '../requests/people-requests.js';

/** A bundle as it is written, as fast as it is taken. What is refused is refused before the first byte; what fails later breaks off, so that nobody takes it for whole. */
export async function downloadBundle(
  people: PeopleRequests,
  {
    session,
    allowSecrets,
    signal,
  }: { readonly session: string; readonly allowSecrets: boolean; readonly signal: AbortSignal },
  log: (line: string) => void,
): Promise<Result<Response, Rejection>> {
  const gone = new AbortController();
  const taken = new TransformStream<Uint8Array, Uint8Array>();
  const writer = taken.writable.getWriter();
  // Broken off by whoever reads; there is nobody left to tell.
  writer.closed.catch(() => gone.abort());
  let begun: (() => void) | undefined;
  const beginning = new Promise<undefined>((resolve) => {
    begun = () => resolve(undefined);
  });
  const write = async (bytes: Uint8Array): Promise<void> => {
    begun?.();
    await writer.write(bytes);
  };
  const exported = people.exportSession({
    session,
    to: { write },
    replace: false,
    allowSecrets,
    signal: AbortSignal.any([signal, gone.signal]),
  });
  const early = await Promise.race([beginning, exported]);
  if (early?.ok === false) return early;
  void exported
    .then(async (result) => {
      if (result.ok) return writer.close();
      log(`an export broke off: ${result.error.message}`);
      return writer.abort(new Error(result.error.message));
    })
    .catch(() => undefined);
  const id = encodeURIComponent(session);
  return ok(
    new Response(taken.readable, {
      headers: { 'content-type': 'application/gzip', 'content-disposition': `attachment; filename="${id}.workrail"` },
    }),
  );
}
