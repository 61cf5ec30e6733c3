import { parentPort, workerData } from 'node:worker_threads';
import { sha256Hex } from '../base/digest.js';
import { err, ok } from '../base/result.js';
import { keepIndex } from './catalog-index-file.js';
import type { AskedCatalog, ReadCatalog, ToldByWorker } from './read-catalog.js';
import { type ReadDocument, readDocument } from './read-document.js';
import { strictWarnings } from './strict-warnings.js';

/** What runs in a thread of its own: a document is read, told in short, and looked at strictly at the end. */
async function answer(
  { origin, operations, strict, whole }: AskedCatalog,
  tell: (told: ToldByWorker, moved?: readonly ArrayBuffer[]) => void,
): Promise<void> {
  const read = readDocument(origin);
  if (!read.ok) {
    tell({ read: err(read.error) });
    return;
  }
  const { catalog, parsed } = read.value;
  const found = operations.map((id) => read.value.operation(id));
  const isLast = !strict;
  const kept = whole && wholeOf(read.value, whole);
  const told: ToldByWorker = {
    read: ok({
      catalog: { ...catalog, warnings: [...parsed.doubts, ...catalog.warnings] },
      operations: found,
      ...(kept && { whole: kept }),
    }),
    isLast,
  };
  // Handed over and not copied: whoever waits for it has other things to do.
  tell(told, kept?.document === undefined ? [] : [kept.document.buffer]);
  if (!isLast) tell({ strict: await strictWarnings(read.value.value, parsed.place) });
}

/** The document as it is kept, and its index where it is kept: nothing of either is left to whoever asked. */
function wholeOf(
  { keep, index }: ReadDocument,
  { document, index: place }: NonNullable<AskedCatalog['whole']>,
): NonNullable<ReadCatalog['whole']> & { readonly document?: Uint8Array<ArrayBuffer> } {
  const bytes = new TextEncoder().encode(keep());
  const digest = sha256Hex(bytes);
  const found = index();
  if (place !== undefined) keepIndex({ folder: () => place.folder, key: () => place.key }, digest, found);
  return { digest, providers: found.providers, ...(document && { document: bytes }) };
}

if (parentPort !== null) {
  const port = parentPort;
  await answer(workerData as AskedCatalog, (told, moved = []) => port.postMessage(told, moved));
}
