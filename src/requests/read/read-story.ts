import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { SessionStory } from '../../contract/session-story.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { sessionStory } from '../../respond/session-story.js';
import { statesStory } from '../../respond/states/state-story.js';
import type { Environment } from '../world/environment.js';
import { findingsTold } from '../world/findings-told.js';
import { findSession } from '../world/find-session.js';

/** A session told whole, for people. */
export async function readStory(
  env: Environment,
  { session }: { readonly session?: string | undefined },
): Promise<Result<SessionStory, Rejection>> {
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const hashes = await log.read(({ state }) => new Set([...state.runs.values()].map((run) => run.workflowHash)));
  const workflows = new Map<string, CompiledWorkflow>();
  for (const hash of hashes) {
    const workflow = await env.pinned.of(log, hash);
    if (workflow.ok) workflows.set(hash, workflow.value);
  }
  return log.read(({ state, eventCount, findings }) =>
    ok({
      ...sessionStory({
        sessionId: log.id,
        place: log.place.kind,
        session: state,
        eventCount,
        findings: findingsTold(env, findings, log.id),
        workflows,
      }),
      ...(state.states.size > 0 && { sharedStates: statesStory(state) }),
    }),
  );
}
