import type { Rejection } from '../../base/rejection.js';
import { faultReason } from '../../files/fault-reason.js';
import { SpoiltFile } from '../../files/spoilt-file.js';

/** What was thrown: a fault of the world where the system says so, else a mistake of ours. */
export function faultToRejection(cause: unknown, correlationId?: string): Rejection {
  // Its owner has let go of it by now.
  if (cause instanceof SpoiltFile)
    return {
      code: 'STORAGE_FAULT',
      message: 'the session’s snapshot has changed on disk and is not used; this call may or may not be recorded',
      action: 'make the same call again: the answer comes from the log',
    };
  const reason = faultReason(cause);
  if (reason !== undefined) {
    const { code, doing, why, cure, file } = reason;
    return {
      code: 'STORAGE_FAULT',
      message: `the system refused to ${doing}: ${why} (${code})`,
      action: `${cure}, then make the same call again`,
      context: { system: code, ...(file !== undefined && { file }) },
    };
  }
  return {
    code: 'INTERNAL',
    message: 'WorkRail has a bug; nothing was recorded by this call',
    action: `make the same call again; if it repeats, report it with the correlation id${correlationId === undefined ? '' : ` ${correlationId}`}`,
    ...(correlationId !== undefined && { context: { correlationId } }),
  };
}
