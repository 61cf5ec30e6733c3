import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { SessionLog } from '../../log/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { findingContext, findingText } from '../world/log-rejections.js';
import type { OpenedNode } from './open-token.js';

/** A node with what is needed to answer for it. */
export interface NodeInContext {
  readonly log: SessionLog<FoldedSession>;
  readonly session: FoldedSession;
  readonly node: RunNode;
  readonly workflow: CompiledWorkflow;
}

/** The node, whole, with the workflow its run is pinned to. */
export async function nodeInContext(
  env: Environment,
  { log, node: id, loaded }: OpenedNode,
): Promise<Result<NodeInContext, Rejection>> {
  const { state: session, findings } = loaded;
  const node = session.nodes.get(id);
  const run = node === undefined ? undefined : session.runs.get(node.run);
  if (node === undefined || run === undefined || !node.whole) {
    const finding =
      findings.find(({ level }) => level === 'damage' || level === 'newer') ??
      findings.find(({ level }) => level === 'incomplete');
    const damaged = finding !== undefined && finding.level !== 'incomplete';
    return err({
      code: damaged ? (finding.level === 'newer' ? 'SESSION_NEWER_FORMAT' : 'SESSION_DAMAGED') : 'SESSION_CHANGED',
      message: `what came before this step ${damaged ? 'cannot be read' : 'is not on disk'}${finding === undefined ? '' : `: ${findingText(finding)}`}`,
      action:
        finding?.remedy ?? 'bring the missing files back (git checkout, git stash pop), or go on from what is there',
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
