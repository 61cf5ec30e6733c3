import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DocumentsAt } from '../../contract/http-api.js';
import { documentsTold } from '../../respond/documents-told.js';
import { tellLedgers } from '../../respond/tell-ledgers.js';
import type { Environment } from '../world/environment.js';
import { unreadablePin } from '../world/log-rejections.js';
import { findSession } from '../world/find-session.js';
import { nodeIn, runIn } from '../world/session-state.js';

export interface DocumentsAsked {
  readonly session: string;
  readonly run: string;
  /** The preferred tip where it is left out. */
  readonly node?: string | undefined;
}

/** What the artifacts on the way to a node make up. */
export async function readDocuments(
  env: Environment,
  { session: wanted, run: wantedRun, node: wantedNode }: DocumentsAsked,
): Promise<Result<DocumentsAt, Rejection>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const run = await log.read(({ state }) => {
    const there = runIn(log.id, state, wantedRun);
    if (!there.ok) return there;
    const { id, workflowHash, preferredTip } = there.value;
    return ok({ id, workflowHash, preferredTip });
  });
  if (!run.ok) return run;
  const { id: runId, workflowHash, preferredTip } = run.value;
  const pinned = await env.pinned.of(log, workflowHash);
  return log.read(({ state }): Result<DocumentsAt, Rejection> => {
    const node = nodeIn(log.id, state, wantedNode ?? preferredTip);
    if (!node.ok) return node;
    if (node.value.run !== runId)
      return err({
        code: 'NOT_FOUND',
        message: `run ${runId} has no step ${node.value.id}; that one belongs to run ${node.value.run}`,
        action: ['see what it has: ', command('show', log.id)],
        context: { sessionId: log.id, run: runId, node: node.value.id },
      });
    const at = { sessionId: log.id, runId, nodeId: node.value.id };
    if (!pinned.ok) return ok({ ...at, documents: [], ledgers: [], missing: unreadablePin(pinned.error) });
    const documents = documentsTold(state, node.value, pinned.value);
    return ok({ ...at, documents, ledgers: tellLedgers(state, pinned.value, node.value) });
  });
}
