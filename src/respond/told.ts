import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import type { Sealer } from './sealer.js';

/** What every answer is told from: the folded session, the pin, and what seals its tokens. */
export interface Told {
  readonly session: FoldedSession;
  readonly workflow: CompiledWorkflow;
  readonly sealer: Sealer;
}
