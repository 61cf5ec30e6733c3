import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StepDetail } from '../../contract/http-api.js';
import { stepDetail } from '../../respond/step-detail.js';
import type { Environment } from '../world/environment.js';
import { findingText } from '../world/log-rejections.js';
import { nodeIn, sessionState } from '../world/session-state.js';

/** One step of a run, told whole. */
export async function readStep(
  env: Environment,
  asked: { readonly session: string; readonly node: string },
): Promise<Result<StepDetail, Rejection>> {
  const found = await sessionState(env, asked.session);
  if (!found.ok) return found;
  const { log, loaded } = found.value;
  const before = nodeIn(log.id, loaded.state, asked.node);
  if (!before.ok) return before;
  const pinned = await env.pinned.of(log, loaded.state.runs.get(before.value.run)!.workflowHash);
  const { state: session } = await log.read();
  const node = nodeIn(log.id, session, asked.node);
  if (!node.ok) return node;
  return ok(
    stepDetail({
      sessionId: log.id,
      session,
      node: node.value,
      workflow: pinned.ok
        ? pinned.value
        : `the pinned workflow of this run cannot be read: ${findingText(pinned.error)}`,
    }),
  );
}
