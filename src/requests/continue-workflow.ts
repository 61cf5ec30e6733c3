import { assert } from '../base/assert.js';
import type { JsonObject } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import type { Reply } from '../contract/reply.js';
import type { RequestOf } from '../contract/request-schemas.js';
import { sealerFor } from '../respond/sealer.js';
import { acknowledge } from './acknowledge.js';
import type { Environment } from './environment.js';
import { lookAgain } from './look-again.js';
import { openState } from './open-token.js';
import { type Standing, standingAt } from './standing.js';

export async function continueWorkflow(env: Environment, request: RequestOf<'continue_workflow'>): Promise<Result<Reply, Rejection>> {
  const opened = await openState(env, request.stateToken);
  if (!opened.ok) return opened;
  const standing = await standingAt(env, opened.value.log, opened.value.node);
  if (!standing.ok) return standing;
  if (request.ackToken !== undefined) return acknowledge(env, standing.value, request, request.ackToken);
  const stray = strayFields(request);
  if (stray.length > 0) return err(ackMissing(env, standing.value, request, stray));
  return lookAgain(env, standing.value, request.recapPage);
}

/** Fields that only mean something together with an ack. */
function strayFields(request: RequestOf<'continue_workflow'>): readonly string[] {
  return (['output', 'context', 'confirmed', 'preferences'] as const).filter((field) => request[field] !== undefined);
}

/** Something to record, and no ack: never a silent look. Says which pair to send. */
function ackMissing(env: Environment, { log, node }: Standing, request: RequestOf<'continue_workflow'>, stray: readonly string[]): Rejection {
  const sealer = sealerFor(env.keys.all(), log.id);
  if (node.pending === undefined) {
    return {
      code: 'PRECONDITION_FAILED',
      message: `this run is complete; ${stray.join(', ')} cannot complete another step of it`,
      action: 'keep later work as a checkpoint',
      nextCall: { tool: 'checkpoint_workflow', arguments: { stateToken: sealer.state(node.id), output: (request.output ?? { notesMarkdown: '<what happened>' }) as JsonObject } },
      context: { sessionId: log.id, runId: node.run },
    };
  }
  const ackToken = sealer.ack(node.id, node.children.length === 0 ? undefined : env.draw().attemptId());
  assert(request.ackToken === undefined, 'only asked for without an ack');
  return {
    code: 'VALIDATION_ERROR',
    message: `${stray.join(', ')} came without an ackToken: nothing was recorded`,
    action: 'to complete the step send everything again with this pair; to look again send the stateToken alone',
    nextCall: { tool: 'continue_workflow', arguments: { stateToken: sealer.state(node.id), ackToken } },
    violations: [{ path: '/ackToken', rule: 'required_with', message: `ackToken is needed with ${stray.join(', ')}`, expected: ackToken }],
    context: { sessionId: log.id, runId: node.run, path: node.pending.path },
  };
}
