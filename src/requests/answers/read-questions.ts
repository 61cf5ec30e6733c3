import type { WorkflowHash } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { QuestionsTold, WaitingTold } from '../../contract/question-told.js';
import { branchesOf } from '../../respond/branches-of.js';
import { tellWaitingFor } from '../../respond/tell-question.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import { waitingNodes } from '../../sessions/run-status.js';
import type { Environment } from '../world/environment.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { findSession } from '../world/find-session.js';

/** What a session waits for that only a person can say. */
export async function readQuestions(
  env: Environment,
  asked: { readonly session?: string | undefined },
): Promise<Result<QuestionsTold, Rejection>> {
  const found = await findSession(env, asked.session);
  return found.ok ? questionsOf(env, found.value) : found;
}

/** The same of a session that is known. */
export async function questionsOf(env: Environment, ref: SessionRef): Promise<Result<QuestionsTold, Rejection>> {
  const log = env.store.open(ref);
  const hashes = await log.read(({ state }): Result<readonly WorkflowHash[], Rejection> =>
    ok([...new Set(waitingNodes(state).flatMap(({ run }) => state.runs.get(run)?.workflowHash ?? []))]),
  );
  if (!hashes.ok) return hashes;
  const pinned = new Map(
    await Promise.all(hashes.value.map(async (hash) => [hash, await env.pinned.of(log, hash)] as const)),
  );
  return log.read(({ state }): Result<QuestionsTold, Rejection> => {
    const waiting = waitingNodes(state).flatMap((node): WaitingTold[] => {
      const run = state.runs.get(node.run);
      const hash = run?.workflowHash;
      const workflow = hash === undefined ? undefined : pinned.get(hash);
      const draft = waitingDraft(node);
      // Without its workflow nobody can say what the step wants; `workrail doctor` tells what is missing.
      if (run === undefined || draft === undefined || workflow?.ok !== true) return [];
      const told = tellWaitingFor(workflow.value, node, draft, env.store.running.agentOf(log.place, draft.sum));
      return [{ ...told, ...branchesOf(state, run)(node.id) }];
    });
    return ok({ sessionId: log.id, waiting });
  });
}
