import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { StepDetail } from '../../contract/http-api.js';
import { stepDetail } from '../../respond/step-detail.js';
import type { Environment } from '../world/environment.js';
import { unreadablePin } from '../world/log-rejections.js';
import { findSession } from '../world/find-session.js';
import { nodeIn } from '../world/session-state.js';

/** One step of a run, told whole. */
export async function readStep(
  env: Environment,
  asked: { readonly session: string; readonly node: string; readonly body?: 'whole' | undefined },
): Promise<Result<StepDetail, Rejection>> {
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const hash = await log.read(({ state }) => {
    const node = nodeIn(log.id, state, asked.node);
    return node.ok ? ok(state.runs.get(node.value.run)!.workflowHash) : node;
  });
  if (!hash.ok) return hash;
  const pinned = await env.pinned.of(log, hash.value);
  const workflow = pinned.ok ? pinned.value : unreadablePin(pinned.error);
  return log.read(({ state: session }): Result<StepDetail, Rejection> => {
    const node = nodeIn(log.id, session, asked.node);
    return node.ok
      ? ok(stepDetail({ sessionId: log.id, session, node: node.value, workflow, whole: asked.body === 'whole' }))
      : node;
  });
}
