import { assert } from '../base/assert.js';
import type { NodeId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import type { Reply } from '../contract/reply.js';
import type { RequestOf } from '../contract/request-schemas.js';
import type { CompiledWorkflow } from '../definitions/compiled-workflow.js';
import type { SessionLog } from '../log/session-log.js';
import { sealerFor } from '../respond/sealer.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { acknowledge } from './acknowledge.js';
import type { Environment } from './environment.js';
import { findingContext, findingText } from './log-rejections.js';
import { lookAgain } from './look-again.js';
import { openState } from './open-token.js';

/** A node with what is needed to answer for it. */
export interface Standing {
  readonly log: SessionLog<FoldedSession>;
  readonly session: FoldedSession;
  readonly node: RunNode;
  readonly workflow: CompiledWorkflow;
}

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

/** The node, whole, with the workflow its run is pinned to. */
export async function standingAt(env: Environment, log: SessionLog<FoldedSession>, id: NodeId): Promise<Result<Standing, Rejection>> {
  const { state: session, findings } = await log.read();
  const node = session.nodes.get(id);
  const run = node === undefined ? undefined : session.runs.get(node.run);
  if (node === undefined || run === undefined || !node.whole) {
    const finding = findings.find(({ level }) => level === 'incomplete' || level === 'damage');
    return err({
      code: 'SESSION_CHANGED',
      message: `what came before this step is not on disk${finding === undefined ? '' : `: ${findingText(finding)}`}`,
      action: finding?.remedy ?? 'bring the missing files back (git checkout, git stash pop), or go on from what is there',
      nextCall: { tool: 'resume_session', arguments: { sessionId: log.id } },
      context: { sessionId: log.id, ...(finding !== undefined && findingContext(finding)) },
    });
  }
  const pinned = await env.pinned.of(log, run.workflowHash);
  if (pinned.ok) return ok({ log, session, node, workflow: pinned.value });
  return err({
    code: pinned.error.level === 'incomplete' ? 'SESSION_CHANGED' : 'SESSION_DAMAGED',
    message: `the pinned workflow of this run cannot be read: ${findingText(pinned.error)}`,
    action: pinned.error.remedy === '' ? 'restore the file from git or a backup' : pinned.error.remedy,
    context: { sessionId: log.id, runId: node.run, ...findingContext(pinned.error) },
  });
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
