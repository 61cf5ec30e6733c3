import { parentPort, workerData } from 'node:worker_threads';
import { err, ok } from '../base/result.js';
import type { AskedCatalog, ToldByWorker } from './read-catalog.js';
import { readDocument } from './read-document.js';
import { strictWarnings } from './strict-warnings.js';

/** What runs in a thread of its own: a document is read, told in short, and looked at strictly at the end. */
async function answer(
  { origin, operations, strict, whole = false }: AskedCatalog,
  tell: (told: ToldByWorker) => void,
): Promise<void> {
  const read = readDocument(origin);
  if (!read.ok) {
    tell({ read: err(read.error) });
    return;
  }
  const { catalog, parsed } = read.value;
  const found = operations.map((id) => read.value.operation(id));
  const isLast = !strict;
  tell({
    read: ok({
      catalog: { ...catalog, warnings: [...parsed.doubts, ...catalog.warnings] },
      operations: found,
      ...(whole && { whole: { document: read.value.keep(), index: read.value.index() } }),
    }),
    isLast,
  });
  if (!isLast) tell({ strict: await strictWarnings(read.value.value, parsed.place) });
}

if (parentPort !== null) {
  const port = parentPort;
  await answer(workerData as AskedCatalog, (told) => port.postMessage(told));
}
