import type { RunId } from '../../base/ids.js';
import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';

export interface FoundRun {
  readonly log: SessionLog<FoldedSession>;
  readonly run: RunId;
  readonly workflow: CompiledWorkflow;
}

/** Notes on this machine in which session a run is, so that it is found without a search. */
export const noteRun = (env: Environment, { log, run }: Pick<FoundRun, 'log' | 'run'>): void =>
  env.store.running.note(log.place, `${run}.in`, log.id);

/** A run by its id alone, in whatever session it is. */
export async function findRun(env: Environment, id: string): Promise<Result<FoundRun, Rejection>> {
  const run = id as RunId;
  for await (const log of candidates(env, id)) {
    const read = await log.read((loaded) => {
      const known = loaded.state.runs.get(run);
      const root = known && loaded.state.nodes.get(known.root);
      return root === undefined ? undefined : nodeAsRead(loaded, root, log);
    });
    if (read === undefined) continue;
    if (!read.ok) return read;
    const standing = await nodeInContext(env, log, read.value);
    return standing.ok ? ok({ log, run, workflow: standing.value.workflow }) : standing;
  }
  return err({
    code: 'NOT_FOUND',
    message: `no run named ${JSON.stringify(id)}`,
    action: ['list runs with list_runs, or ', command('runs')],
    context: { runId: id },
  });
}

async function* candidates(env: Environment, id: string): AsyncGenerator<SessionLog<FoldedSession>> {
  const seen = new Set<string>();
  for (const place of env.store.places) {
    const noted = env.store.running.noted(place, `${id}.in`);
    const ref = noted === undefined ? undefined : await env.store.find(noted);
    if (ref !== undefined && !seen.has(ref.id)) {
      seen.add(ref.id);
      yield env.store.open(ref);
    }
  }
  // It came from elsewhere, or what this machine noted is lost: the newest sessions are the likeliest.
  for (const ref of [...(await env.register.recent(50)), ...(await env.store.list())]) {
    if (seen.has(ref.id)) continue;
    seen.add(ref.id);
    yield env.store.glance(ref);
  }
}
