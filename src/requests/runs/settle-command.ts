import type { CallId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { commandStanding, isAskedAbout } from '../../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { settleRun } from '../commands/settle-run.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { findRun, type FoundRun } from './find-run.js';
import { runReplied } from './run-told.js';
import { goOn } from './run-workflow.js';

/** Records what became of a command whose outcome nobody knew, and goes on from there. */
export async function settleCommand(
  env: Environment,
  request: RequestOf<'settle_command'>,
): Promise<Result<Reply, Rejection>> {
  const found = await findRun(env, request.runId);
  if (!found.ok) return found;
  const { log, run } = found.value;
  const settling = turn<Result<RunNode['id'], Rejection>, RunNode['id']>(
    ({ state }) => {
      const node = unknownAt(state, run, request.call as CallId);
      const intent = node && commandStanding(node).unknown;
      if (node !== undefined && intent !== undefined && !isAskedAbout(node, intent))
        return { answer: err(underWay(found.value, request.call)) };
      if (node === undefined || intent === undefined) return { answer: err(notUnknown(found.value, request.call)) };
      if (node.settled?.some(({ data }) => data.call === intent.data.call && data.try === intent.data.try) === true)
        return { answer: ok(node.id) };
      const { choice, reason, result } = request;
      const data = {
        call: intent.data.call,
        try: intent.data.try,
        choice,
        reason,
        ...(result !== undefined && choice === 'done' && { body: result }),
      };
      const who = env.caller === undefined ? {} : { who: env.caller };
      return { answer: ok(node.id), events: [{ kind: 'command_settled', run, node: node.id, ...who, data }] };
    },
    (_loaded, settled) => ({ done: settled }),
  );
  const settled = await drive(log, settling, 'keyed');
  if (!settled.ok) return settled;
  if (env.follows === true) return goOn(env, found.value, settled.value, false);
  const done = await settleRun(env, found.value, settled.value);
  return done.ok ? runReplied(env, found.value) : done;
}

/** Where that call was sent last and came back to nobody: on several branches one word counts for all. */
const unknownAt = ({ nodes }: FoldedSession, run: FoundRun['run'], call: CallId): RunNode | undefined =>
  [...nodes.values()]
    .filter((node) => node.run === run && commandStanding(node).unknown?.data.call === call)
    .toSorted((a, b) => commandStanding(b).unknown!.data.try - commandStanding(a).unknown!.data.try)[0];

const underWay = ({ run, log }: FoundRun, call: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `${call} was sent, and its answer may still come; nothing was recorded`,
  action: 'continue the run: it waits for the answer, or asks for the outcome if the process that sent it has ended',
  nextCall: { tool: 'run_workflow', arguments: { runId: run, detached: true } },
  context: { sessionId: log.id, runId: run, call },
});

const notUnknown = ({ run, log }: FoundRun, call: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `${call} is no command of this run with an unknown outcome; nothing was recorded`,
  action: 'look where the run stands',
  nextCall: { tool: 'get_run', arguments: { runId: run } },
  context: { sessionId: log.id, runId: run, call },
});
