import type { NodeId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import { answerToLook } from '../../respond/execution-answers.js';
import { tellCommands } from '../../respond/tell-command.js';
import { sealerFor } from '../../respond/sealer.js';
import { executionReply } from '../../render/answers/execution-reply.js';
import { settledBelow } from '../../sessions/settled-below.js';
import type { Environment } from '../world/environment.js';
import { withHolder } from '../world/with-holder.js';
import type { RunToDrive } from './run-commands.js';
import { settleAndAsk } from './settle-and-ask.js';

/** Where a run stands below a node once the steps that WorkRail does itself are done, or have taken long. */
export async function settledReply(
  env: Environment,
  driven: RunToDrive,
  id: NodeId,
): Promise<Result<Reply, Rejection>> {
  const { log, workflow } = driven;
  const done = await settleAndAsk(env, driven, id);
  if (!done.ok) return done;
  const sealer = sealerFor(env.keys.all(), log.id);
  const attempt = env.draw().attemptId();
  return log.read(({ state: session }): Result<Reply, Rejection> => {
    const from = session.nodes.get(id);
    if (from === undefined)
      return err({
        code: 'SESSION_CHANGED',
        message: 'the step was removed while being read',
        action: 'look at what is there now',
        nextCall: { tool: 'resume_session', arguments: { sessionId: log.id } },
      });
    const look = { attempt, readOnly: false, noticed: [], page: undefined };
    const told = { session, workflow, sealer };
    const at = settledBelow(session, from);
    const answer = { ...answerToLook(told, at, look), ...tellCommands(told, from, at) };
    return ok(executionReply(withHolder(env, log, driven.run, answer), env.offered));
  });
}
