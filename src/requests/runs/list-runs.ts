import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { RunAnswer, RunsAnswer } from '../../contract/run-answers.js';
import { runsReply } from '../../respond/runs/run-replies.js';
import { runsCommands } from '../../definitions/compiled/runs-commands.js';
import { browseSessions } from '../read/browse-sessions.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';
import type { Environment } from '../world/environment.js';
import { runTold } from './run-told.js';

const sessionsRead = 20;

/** Runs that have commands, by the sessions that were worked on last. */
export async function listRuns(env: Environment, request: RequestOf<'list_runs'>): Promise<Result<Reply, Rejection>> {
  const { state, workflowId, cursor } = request;
  const page = await browseSessions(env, { limit: sessionsRead, ...(cursor !== undefined && { cursor }) });
  if (!page.ok) return err(page.error);
  const runs: RunAnswer[] = [];
  for (const { sessionId } of page.value.sessions) {
    for (const told of await runsOf(env, sessionId)) {
      const isWanted = (state ?? told.state) === told.state && (workflowId ?? told.workflow_id) === told.workflow_id;
      if (isWanted) runs.push(told);
    }
  }
  const { nextCursor } = page.value;
  const answer: RunsAnswer = {
    runs: runs.map(
      ({ run_id, workflow_id, session_id, state: stands, waitingFor, message, heldBy, startedAt, lastAt }) => ({
        run_id,
        workflow_id,
        session_id,
        state: stands,
        ...(waitingFor !== undefined && { waitingFor }),
        message,
        ...(heldBy !== undefined && { heldBy }),
        startedAt,
        lastAt,
      }),
    ),
    ...(nextCursor !== undefined && { nextCursor }),
    ...(runs[0] !== undefined && { nextCall: { tool: 'get_run', arguments: { runId: runs[0].run_id } } }),
  };
  return ok(runsReply(answer));
}

async function runsOf(env: Environment, sessionId: string): Promise<readonly RunAnswer[]> {
  const ref = await env.store.find(sessionId);
  if (ref === undefined) return [];
  const log = env.store.open(ref);
  const read = await log.read((loaded) =>
    [...loaded.state.runs.values()].toReversed().flatMap((run) => {
      const root = loaded.state.nodes.get(run.root);
      const asRead = root && nodeAsRead(loaded, root, log);
      return asRead?.ok === true ? [asRead.value] : [];
    }),
  );
  const told: RunAnswer[] = [];
  for (const one of read) {
    const standing = await nodeInContext(env, log, one);
    if (!standing.ok || !runsCommands(standing.value.workflow)) continue;
    const answer = await runTold({ ...env, follows: false }, standing.value);
    if (answer.ok) told.push(answer.value);
  }
  return told;
}
