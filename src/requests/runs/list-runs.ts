import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { RunAnswer, RunsAnswer } from '../../contract/run-answers.js';
import { moreRuns, runsReply } from '../../respond/runs/run-replies.js';
import { runsCommands } from '../../definitions/compiled/runs-commands.js';
import { browseSessions } from '../read/browse-sessions.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';
import type { Environment } from '../world/environment.js';
import { runTold } from './run-told.js';

const sessionsRead = 20;
/** So many pages of sessions are looked through for a run that is wanted. */
const pagesRead = 10;

type Unread = NonNullable<RunsAnswer['unread']>[number];

interface Found {
  readonly runs: readonly RunAnswer[];
  readonly unread: readonly Unread[];
}

/** Runs that have commands, by the sessions that were worked on last. */
export async function listRuns(env: Environment, request: RequestOf<'list_runs'>): Promise<Result<Reply, Rejection>> {
  const { state, workflowId } = request;
  const runs: RunAnswer[] = [];
  const unread: Unread[] = [];
  let { cursor } = request;
  for (let pages = 0; pages < pagesRead; pages += 1) {
    const page = await browseSessions(env, { limit: sessionsRead, ...(cursor !== undefined && { cursor }) });
    if (!page.ok) return err(page.error);
    for (const { sessionId } of page.value.sessions) {
      const found = await runsOf(env, sessionId);
      const isOfIt = (one: Pick<RunAnswer, 'workflow_id'>): boolean =>
        (workflowId ?? one.workflow_id) === one.workflow_id;
      runs.push(...found.runs.filter((told) => isOfIt(told) && (state ?? told.state) === told.state));
      unread.push(...found.unread.filter(isOfIt));
    }
    cursor = page.value.nextCursor;
    if (cursor === undefined || runs.length > 0) break;
  }
  const answer: RunsAnswer = {
    runs: runs.map(listed),
    ...(unread.length > 0 && { unread }),
    ...(cursor !== undefined && { nextCursor: cursor }),
    ...(runs[0] !== undefined
      ? { nextCall: { tool: 'get_run', arguments: { runId: runs[0].run_id } } }
      : cursor !== undefined && { nextCall: moreRuns(request, cursor) }),
  };
  return ok(runsReply(answer, request));
}

const listed = ({
  run_id,
  workflow_id,
  session_id,
  state,
  waitingFor,
  message,
  criticalGaps,
  heldBy,
  startedAt,
  lastAt,
}: RunAnswer): RunsAnswer['runs'][number] => ({
  run_id,
  workflow_id,
  session_id,
  state,
  ...(waitingFor !== undefined && { waitingFor }),
  message,
  ...(criticalGaps !== undefined && { criticalGaps }),
  ...(heldBy !== undefined && { heldBy }),
  startedAt,
  lastAt,
});

async function runsOf(env: Environment, sessionId: string): Promise<Found> {
  const ref = await env.store.find(sessionId);
  if (ref === undefined) return { runs: [], unread: [] };
  const log = env.store.open(ref);
  const read = await log.read((loaded) =>
    [...loaded.state.runs.values()].toReversed().flatMap(({ id, root, started }) => {
      const node = loaded.state.nodes.get(root);
      const of = { run_id: id, workflow_id: started.data.workflowId, session_id: sessionId };
      return node === undefined ? [] : [{ of, asRead: nodeAsRead(loaded, node, log) }];
    }),
  );
  const runs: RunAnswer[] = [];
  const unread: Unread[] = [];
  for (const { of, asRead } of read) {
    const standing = asRead.ok ? await nodeInContext(env, log, asRead.value) : asRead;
    if (standing.ok && !runsCommands(standing.value.workflow)) continue;
    const told = standing.ok ? await runTold({ ...env, follows: false }, standing.value) : standing;
    if (told.ok) runs.push(told.value);
    else unread.push({ ...of, reason: told.error.message });
  }
  return { runs, unread };
}
