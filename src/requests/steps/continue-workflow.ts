import { assert } from '../../base/assert.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { AttemptId, SessionId } from '../../base/ids.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { sealerFor } from '../../respond/sealer.js';
import { notesHole } from '../../base/notes-hole.js';
import { acknowledge } from './acknowledge.js';
import { askInClient } from './ask-in-client.js';
import { endedRun } from './ended-run.js';
import { readToken } from '../../tokens/read-token.js';
import type { Environment } from '../world/environment.js';
import { rehydrate } from './rehydrate.js';
import { confirmCommand } from '../commands/confirm-command.js';
import { settledReply } from '../commands/settled-reply.js';
import { openAck, openState } from './open-token.js';
import { nodeAsRead, nodeInContext } from '../world/node-in-context.js';

export async function continueWorkflow(
  env: Environment,
  request: RequestOf<'continue_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const { stateToken, ackToken } = request;
  const opened = await openState(env, stateToken, (loaded, node, log) => ({
    read: nodeAsRead(loaded, node, log),
    intent: intentOf(env, request, loaded.state, node, log.id),
    isCommand: node.pending?.does !== undefined,
  }));
  if (!opened.ok)
    return ackToken !== undefined && areSwapped(stateToken, ackToken) ? err(swapped(stateToken, ackToken)) : opened;
  const { log, taken } = opened.value;
  if (!taken.read.ok) return taken.read;
  const node = await nodeInContext(env, log, taken.read.value);
  if (!node.ok) return node;
  const { intent, isCommand } = taken;
  if (!intent.ok) return intent;
  if (isCommand && request.page === undefined)
    return intent.value === 'look'
      ? settledReply(env, node.value, node.value.node)
      : confirmCommand(env, node.value, request, intent.value);
  return intent.value === 'look'
    ? rehydrate(env, node.value, request.page)
    : askInClient(env, node.value, intent.value, () =>
        acknowledge(env, node.value, request, intent.value as AttemptId),
      );
}

/** The attempt that the call presents, or that it only looks. Something to record without an ack is never a silent look. */
function intentOf(
  env: Environment,
  request: RequestOf<'continue_workflow'>,
  session: FoldedSession,
  node: RunNode,
  id: SessionId,
): Result<AttemptId | 'look', Rejection> {
  if (request.ackToken !== undefined) return openAck(env, session, id, node, request.ackToken);
  const stray = strayFields(request);
  if (stray.length === 0) return ok('look');
  return err(endedRun(env, id, session, node) ?? ackMissing(env, id, node, request, stray));
}

const areSwapped = (stateToken: string, ackToken: string): boolean =>
  readToken('ack', stateToken).ok && readToken('state', ackToken).ok;

function swapped(stateToken: string, ackToken: string): Rejection {
  return {
    code: 'TOKEN_MALFORMED',
    message: 'stateToken and ackToken are swapped',
    action: 'make the same call with each in its own field',
    again: [
      { at: '/stateToken', to: ackToken },
      { at: '/ackToken', to: stateToken },
    ],
  };
}

/** Fields that only mean something together with an ack. */
function strayFields(request: RequestOf<'continue_workflow'>): readonly string[] {
  return (['output', 'context', 'confirmed', 'preferences'] as const).filter((field) => request[field] !== undefined);
}

/** Says which pair to send. */
function ackMissing(
  env: Environment,
  id: SessionId,
  node: RunNode,
  request: RequestOf<'continue_workflow'>,
  stray: readonly string[],
): Rejection {
  const sealer = sealerFor(env.keys.all(), id);
  if (node.pending === undefined) {
    return {
      code: 'PRECONDITION_FAILED',
      message: `this run is complete; ${stray.join(', ')} cannot complete another step of it`,
      action: 'keep later work as a checkpoint',
      nextCall: {
        tool: 'checkpoint_workflow',
        arguments: {
          stateToken: sealer.state(node.id),
          output: (request.output ?? { notesMarkdown: notesHole }) as JsonObject,
        },
      },
      context: { sessionId: id, runId: node.run },
    };
  }
  const ackToken = sealer.ack(node.id, node.children.length === 0 ? undefined : env.draw().attemptId());
  assert(request.ackToken === undefined, 'only asked for without an ack');
  return {
    code: 'VALIDATION_ERROR',
    message: `${stray.join(', ')} came without an ackToken: nothing was recorded${node.children.length === 0 ? '' : `; “${node.pending.title}” has been done before`}`,
    action:
      node.children.length === 0
        ? 'to complete the step send everything again with this pair; to look again send the stateToken alone'
        : 'to see what was recorded and which step is next, send only the stateToken; to redo the step on a new branch, send everything again with this pair',
    again: [
      { at: '/ackToken', to: ackToken },
      ...(request.output === undefined ? [{ at: '/output/notesMarkdown', to: notesHole }] : []),
    ],
    violations: [
      {
        path: '/ackToken',
        rule: 'required_with',
        message: `ackToken is needed with ${stray.join(', ')}`,
        expected: ackToken,
      },
    ],
    context: { sessionId: id, runId: node.run, path: node.pending.path },
  };
}
