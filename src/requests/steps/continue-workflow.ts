import { assert } from '../../base/assert.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { sealerFor } from '../../respond/sealer.js';
import { notesHole } from '../../base/notes-hole.js';
import { acknowledge } from './acknowledge.js';
import { readToken } from '../../tokens/read-token.js';
import type { Environment } from '../world/environment.js';
import { rehydrate } from './rehydrate.js';
import { openState } from './open-token.js';
import { type NodeInContext, nodeInContext } from './node-in-context.js';

export async function continueWorkflow(
  env: Environment,
  request: RequestOf<'continue_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const { stateToken, ackToken } = request;
  const opened = await openState(env, stateToken);
  if (!opened.ok)
    return ackToken !== undefined && areSwapped(stateToken, ackToken) ? err(swapped(stateToken, ackToken)) : opened;
  const standing = await nodeInContext(env, opened.value);
  if (!standing.ok) return standing;
  if (ackToken !== undefined) return acknowledge(env, standing.value, request, ackToken);
  const stray = strayFields(request);
  if (stray.length > 0) return err(ackMissing(env, standing.value, request, stray));
  return rehydrate(env, standing.value, request.page);
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

/** Something to record, and no ack: never a silent look. Says which pair to send. */
function ackMissing(
  env: Environment,
  { log, node }: NodeInContext,
  request: RequestOf<'continue_workflow'>,
  stray: readonly string[],
): Rejection {
  const sealer = sealerFor(env.keys.all(), log.id);
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
      context: { sessionId: log.id, runId: node.run },
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
        : 'to see what was recorded and where the work stands send the stateToken alone; to do the step anew on a branch of its own send everything again with this pair',
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
    context: { sessionId: log.id, runId: node.run, path: node.pending.path },
  };
}
