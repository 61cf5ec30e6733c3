import { err, ok, type Result } from '../../base/result.js';
import { Lease } from '../locks/lease.js';
import { localFolder } from '../../machine/local-folder.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { FileRef } from '../files/file-ref.js';

/** Keeps everybody else from appending to these sessions for as long as `work` takes; or says who is at work on one. */
export async function holdLeases<A>(
  refs: readonly FileRef[],
  work: () => Promise<A>,
): Promise<Result<A, LogRejection>> {
  const held: Lease[] = [];
  try {
    // Always in one order, so that two who want the same two do not wait for each other.
    for (const { root, id } of refs.toSorted((a, b) => (a.root.folder < b.root.folder ? -1 : 1))) {
      const locks = localFolder(root, 'locks');
      if (locks === undefined) continue;
      const lease = new Lease(locks, id);
      held.push(lease);
      const busy = await lease.take();
      if (busy !== undefined) return err(busy);
    }
    return ok(await work());
  } finally {
    for (const lease of held) lease.release();
  }
}
