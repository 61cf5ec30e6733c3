import { err, ok, type Result } from '../base/result.js';
import { underLock } from '../files/under-lock.js';

/** Why nothing was written. */
export type WriteProblem =
  | { readonly kind: 'exists' }
  /** What stands there now; nothing where it is gone. */
  | { readonly kind: 'changed'; readonly revision: string | undefined };

/** Thrown on the way by whoever finds that nothing may be written. */
export class Refused extends Error {
  constructor(readonly problem: WriteProblem) {
    super(problem.kind);
  }
}

/** Writes in a folder while nobody else does; gives the new revision. */
export async function refusals(folder: string, work: () => string): Promise<Result<string, WriteProblem>> {
  try {
    return ok(await underLock(folder, work));
  } catch (cause) {
    if (cause instanceof Refused) return err(cause.problem);
    throw cause;
  }
}
