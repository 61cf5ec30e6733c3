import type { ExecutionAnswer } from '../../contract/answer.js';
import type { RunId } from '../../base/ids.js';
import type { Place } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';
import { heldElsewhere } from './held-elsewhere.js';

/** Who waits for WorkRail hears where it cannot be told whether anybody goes on. */
export function withHolder(
  env: Pick<Environment, 'store' | 'host'>,
  log: { readonly place: Place },
  run: RunId,
  answer: ExecutionAnswer,
): ExecutionAnswer {
  const heldBy = answer.kind === 'running' ? heldElsewhere(env, log, run) : undefined;
  return heldBy === undefined ? answer : { ...answer, heldBy };
}
