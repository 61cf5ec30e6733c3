import type { NodeId, SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { RunNode } from '../../sessions/folded-session.js';
import { nearMiss } from '../../tokens/near-miss.js';
import { firstAttempt, sealAck, sealState } from '../../tokens/token.js';
import type { Environment } from '../world/environment.js';

interface StateCandidate {
  readonly token: string;
  readonly session: SessionId;
  readonly title: string | undefined;
}

/** The one token of a recent session's node that a garbled one must have been. It is suggested, never taken for it. */
export async function nearMissOfState(env: Environment, garbled: string): Promise<StateCandidate | undefined> {
  const candidates: { readonly id: SessionId; readonly node: NodeId; readonly title: string | undefined }[] = [];
  for (const ref of await env.register.recent(limits.nearMissSessions)) {
    const left = limits.nearMissNodes - candidates.length;
    if (left <= 0) break;
    const nodes = await env.store
      .glance(ref)
      .read(({ state }) =>
        [...state.nodes.values()].slice(-left).map(({ id, pending }) => ({ node: id, title: pending?.title })),
      );
    candidates.push(...nodes.map((one) => ({ ...one, id: ref.id })));
  }
  return nearMiss(
    garbled,
    candidates.flatMap(({ id, node, title }) =>
      env.keys.all().map((key): StateCandidate => ({ token: sealState(key, id, node), session: id, title })),
    ),
  );
}

/** The same for the acks of one node: the attempt that was given with it, and those that are recorded. */
export function nearMissOfAck(
  env: Environment,
  session: SessionId,
  node: RunNode,
  garbled: string,
): string | undefined {
  const attempts = new Set([firstAttempt(node.id), ...node.acks.map(({ data }) => data.attempt)]);
  return nearMiss(
    garbled,
    [...attempts].flatMap((attempt) =>
      env.keys.all().map((key) => ({ token: sealAck(key, session, node.id, attempt) })),
    ),
  )?.token;
}
