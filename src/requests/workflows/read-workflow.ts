import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { WorkflowDetail, WorkflowDrift } from '../../contract/workflow-answers.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { workflowDifference } from '../../definitions/compiled/workflow-difference.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { previewSteps } from '../../respond/preview-steps.js';
import { asJson } from '../../contract/reply-with.js';
import { listedEntry } from './listed-entry.js';
import type { Environment } from '../world/environment.js';
import { unknownToPeople } from '../steps/find-workflow.js';
import type { Registered } from '../world/registered-session.js';

/** One workflow of the library: as written, as a run would execute it, and the runs that follow another version. */
export async function readWorkflow(
  env: Environment,
  { id }: { readonly id: string },
): Promise<Result<WorkflowDetail, Rejection>> {
  const found = await env.library.find(id);
  if (found === undefined) return err(await unknownToPeople(env, id));
  const { entry, workflow, source, passedOver } = found;
  const { found: sessions } = await env.register.known(false, limits.firstListMs);
  return ok({
    workflow: listedEntry(entry),
    ...(workflow !== undefined && { compiled: asJson(workflow), hash: env.pinned.hashOf(workflow) }),
    steps: workflow === undefined ? [] : previewSteps(workflow),
    source,
    violations: entry.violations.map(asJson),
    warnings: entry.warnings.map(asJson),
    passedOver: passedOver.map(({ source: from, file }) => ({ source: from, file })),
    drift: workflow === undefined ? [] : await driftOf(env, sessions, workflow),
  });
}

async function driftOf(
  env: Environment,
  sessions: readonly Registered[],
  workflow: CompiledWorkflow,
): Promise<readonly WorkflowDrift[]> {
  const now = env.pinned.hashOf(workflow);
  const changes = new Map<string, readonly string[]>();
  const drift: WorkflowDrift[] = [];
  for (const { ref, places } of sessions) {
    for (const { run } of places) {
      if (run?.workflowId !== workflow.id || run.hash === now) continue;
      const { runId, hash, startedAt, status } = run;
      const known = changes.get(hash) ?? (await differencesOf(env, ref, hash, workflow));
      changes.set(hash, known);
      if (known.length > 0) drift.push({ sessionId: ref.id, runId, startedAt, status, hash, changes: known });
    }
  }
  return drift.toSorted((a, b) =>
    a.startedAt === b.startedAt ? (a.runId < b.runId ? -1 : 1) : a.startedAt < b.startedAt ? 1 : -1,
  );
}

async function differencesOf(
  env: Environment,
  ref: SessionRef,
  hash: string,
  workflow: CompiledWorkflow,
): Promise<readonly string[]> {
  const log = env.store.open(ref);
  const known = await log.read(
    ({ state }) => [...state.runs.values()].find(({ workflowHash }) => workflowHash === hash)?.workflowHash,
  );
  const pinned = known === undefined ? undefined : await env.pinned.of(log, known);
  if (pinned === undefined || !pinned.ok) return ['its pin cannot be read here'];
  return workflowDifference(pinned.value, workflow);
}
