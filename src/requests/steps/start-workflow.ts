import { assert } from '../../base/assert.js';
import type { NodeId, RunId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { answerToStart } from '../../respond/execution-answers.js';
import { executionReply } from '../../render/answers/execution-reply.js';
import { sealerFor } from '../../respond/sealer.js';
import { isToSettle, settleAndAsk } from '../commands/settle-and-ask.js';
import { type Turn, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { withHolder } from '../world/with-holder.js';
import { findWorkflow } from './find-workflow.js';
import { type RunStarted, startRun } from './start-run.js';

export async function startWorkflow(
  world: Environment,
  request: RequestOf<'start_workflow'>,
): Promise<Result<Reply, Rejection>> {
  // The same call made again may begin another run, which asks anew.
  const others = { ...world, askForm: undefined };
  const env: Environment = world.asksAtOnce === true ? world : others;
  const found = await findWorkflow(env, request.workflowId);
  if (!found.ok) return found;
  const context = Object.fromEntries(Object.entries(request.context ?? {}).filter(([, value]) => value !== null));
  const start = {
    ...found.value,
    context,
    preferences: { ...request.preferences, ...(request.mode !== undefined && { mode: request.mode }) },
    session: request.session ?? ticketOf(context),
    fresh: request.fresh ?? false,
  };
  return startRun<Reply>(env, start, (started) => {
    const { session, node } = started;
    if (!isToSettle(env, session, node)) return { done: ok(told(env, started)) };
    const { id, run } = node;
    return { next: () => settle(env, started, { run, id }) };
  });
}

function told(env: Environment, { log, session, node, workflow }: RunStarted): Reply {
  assert(node.madeBy.kind === 'run_started', 'a start is told from the event that made the run');
  const sealer = sealerFor(env.keys.all(), log.id, node.madeBy.data.key);
  const answer = answerToStart({ session, workflow, sealer }, node);
  return executionReply(withHolder(env, log, node.run, answer), env.offered);
}

/** The first steps are WorkRail's own: what is answered is where they lead. */
async function settle(
  env: Environment,
  { log, workflow }: Pick<RunStarted, 'log' | 'workflow'>,
  { run, id }: { readonly run: RunId; readonly id: NodeId },
): Promise<Turn<Reply>> {
  const done = await settleAndAsk(env, { log, run, workflow }, id);
  return turn<undefined, Reply>(
    () => ({ answer: undefined }),
    ({ state: session }) => {
      const node = session.nodes.get(id);
      assert(node !== undefined, 'a start that is recorded is in the fold');
      return { done: done.ok ? ok(told(env, { log, session, node, workflow })) : done };
    },
  );
}

/** A ticket among the facts names the workstream, where nothing else does. */
function ticketOf(context: JsonObject): string | undefined {
  const ticket = context['ticketId'];
  if (typeof ticket === 'number') return String(ticket);
  return typeof ticket === 'string' && ticket.trim() !== '' ? ticket : undefined;
}
