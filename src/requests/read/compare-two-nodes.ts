import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { NodesCompared } from '../../contract/http-api.js';
import { compareNodes } from '../../respond/compare-nodes.js';
import type { Environment } from '../world/environment.js';
import { nodeIn, readSession } from '../world/session-state.js';

/** Two nodes of a session beside each other. */
export async function compareTwoNodes(
  env: Environment,
  asked: { readonly session: string; readonly a: string; readonly b: string },
): Promise<Result<NodesCompared, Rejection>> {
  return readSession(env, asked.session, ({ state }, { id }) => {
    const a = nodeIn(id, state, asked.a);
    if (!a.ok) return a;
    const b = nodeIn(id, state, asked.b);
    return b.ok ? ok(compareNodes(id, state, a.value, b.value)) : b;
  });
}
