import type { NodeId, RunId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { Event } from '../../events/event.js';
import type { Loaded, LogPosition, SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { Environment } from './environment.js';
import { findingContext, sessionRejection, unreadableIn, unreadablePin } from './log-rejections.js';

/** A node with what is needed to answer for it. */
export interface NodeInContext extends NodeAsRead {
  readonly log: SessionLog<FoldedSession>;
  readonly workflow: CompiledWorkflow;
}

/** What is taken of a node and its run before anything waits. */
export interface NodeAsRead {
  readonly node: NodeId;
  readonly run: RunId;
  readonly started: Event<'run_started'>;
  readonly position: LogPosition;
}

/** Where what came before the node is there, so that it can be answered for. */
export function nodeAsRead(
  { state, findings, position }: Loaded<FoldedSession>,
  node: RunNode,
  { id }: SessionLog<FoldedSession>,
): Result<NodeAsRead, Rejection> {
  const run = state.runs.get(node.run);
  if (run !== undefined && node.whole) return ok({ node: node.id, run: run.id, started: run.started, position });
  const unreadable = unreadableIn(findings);
  const finding = unreadable ?? findings.find(({ level }) => level === 'incomplete');
  const what = `the work before this step ${unreadable === undefined ? 'is not on disk' : 'cannot be read'}`;
  return err(
    sessionRejection(id, finding, what, {
      action:
        finding?.remedy ?? 'restore the missing files (git checkout, git stash pop), or continue from what is left',
      nextCall: { tool: 'resume_session', arguments: { sessionId: id } },
    }),
  );
}

/** The node with the workflow that its run is pinned to. */
export async function nodeInContext(
  env: Environment,
  log: SessionLog<FoldedSession>,
  read: NodeAsRead,
): Promise<Result<NodeInContext, Rejection>> {
  const pinned = await env.pinned.of(log, read.started.data.workflowHash);
  if (pinned.ok) return ok({ ...read, log, workflow: pinned.value });
  return err({
    code: pinned.error.level === 'incomplete' ? 'SESSION_CHANGED' : 'SESSION_DAMAGED',
    message: unreadablePin(pinned.error),
    action: pinned.error.remedy === '' ? 'restore the file from git or a backup' : pinned.error.remedy,
    context: { sessionId: log.id, runId: read.run, ...findingContext(pinned.error) },
  });
}
