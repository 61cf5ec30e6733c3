import type { GapId, NodeId } from '../base/ids.js';
import { canonicalJson } from '../base/canonical-json.js';
import type { JsonObject } from '../base/json-value.js';
import type { ContextChange, NodeRef, StepDetail } from '../contract/http-api.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../definitions/compiled/place.js';
import { tellCondition } from '../definitions/expression/tell-expression.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { wholeRecord } from '../sessions/records.js';
import { statusAt } from '../sessions/run-status.js';
import { edgeStory, gapStory, nodeStory, pathTo, resolvedIn } from './node-story.js';
import { tellStep } from './tell-step.js';

export interface DetailFrom {
  readonly sessionId: string;
  readonly session: FoldedSession;
  readonly node: RunNode;
  /** The pin, or why it cannot be read. */
  readonly workflow: CompiledWorkflow | string;
}

/** One step of a run with everything around it: what the agent was told, what it handed back, and what was in force. */
export function stepDetail({ sessionId, session, node, workflow }: DetailFrom): StepDetail {
  const run = session.runs.get(node.run)!;
  const inRun = [...session.nodes.values()].filter(({ run: id }) => id === run.id);
  const resolved = resolvedIn(inRun);
  const wide = { preferred: pathTo(session, session.nodes.get(run.preferredTip)), resolved };
  const parent = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  const { workflowId, title, version } = run.started.data;
  const tip = session.nodes.get(run.preferredTip);
  const seen = asSeen(session, node, workflow);
  const context = wholeRecord(session, node, 'context');
  const condition =
    node.pending === undefined || typeof workflow === 'string'
      ? undefined
      : tellCondition(placesOf(workflow).get(node.pending.id)?.step.if);
  return {
    sessionId,
    run: {
      runId: run.id,
      workflow: { id: workflowId, title, version, hash: run.workflowHash },
      status: tip === undefined ? 'in_progress' : statusAt(session, tip),
      preferredTip: run.preferredTip,
    },
    node: nodeStory(session, run, node, wide),
    ...(parent !== undefined && { parent: nodeRef(parent) }),
    ...seen,
    done: doneFrom(session, node, resolved),
    context,
    contextChanged: contextChanges(parent === undefined ? {} : wholeRecord(session, parent, 'context'), context),
    openGaps: openGapsAt(session, node).map(gapStory),
    ...(condition !== undefined && { condition }),
  };
}

export const nodeRef = ({ run, id, pending }: RunNode): NodeRef => ({
  runId: run,
  nodeId: id,
  ...(pending !== undefined && { path: pending.path, title: pending.title }),
});

function asSeen(
  session: FoldedSession,
  node: RunNode,
  workflow: CompiledWorkflow | string,
): Pick<StepDetail, 'asSeen' | 'promptMissing' | 'stepWarnings'> {
  if (node.pending === undefined) return { stepWarnings: [] };
  if (typeof workflow === 'string') return { promptMissing: workflow, stepWarnings: [] };
  if (!node.whole)
    return {
      promptMissing: 'what came before this step is not on disk, so that its prompt cannot be filled in',
      stepWarnings: [],
    };
  const { pending, warnings } = tellStep(session, workflow, node);
  return { asSeen: pending, stepWarnings: warnings };
}

function doneFrom(session: FoldedSession, node: RunNode, resolved: ReadonlySet<GapId>): StepDetail['done'] {
  const children = node.children.map((id: NodeId) => session.nodes.get(id)).filter((child) => child !== undefined);
  return children.map((child) => ({ nodeId: child.id, edge: edgeStory(child, resolved) }));
}

/** What differs between two contexts, by key. */
export function contextChanges(before: JsonObject, after: JsonObject): readonly ContextChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys.flatMap((key): readonly ContextChange[] => {
    const [was, is] = [
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
    ];
    if (was !== undefined && is !== undefined && canonicalJson(was) === canonicalJson(is)) return [];
    return [{ key, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}
