import type { NodeId } from '../base/ids.js';
import { canonicalJson } from '../base/canonical-json.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { ContextChange, NodeRef, StepDetail } from '../contract/http-api.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../definitions/compiled/place.js';
import { tellCondition } from '../definitions/expression/tell-expression.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { preferenceChangesAt } from '../sessions/preference-changes.js';
import { wholeRecord } from '../sessions/records.js';
import { branchesOf } from './branches-of.js';
import { edgeStory, gapStory, nodeStory, runBegun, runWide, type Settlements, wayTo } from './node-story.js';
import { tellPreferenceChange } from './preference-change-words.js';
import { stepsAbout } from './steps-about.js';
import { tellStep } from './tell-step.js';

export interface DetailFrom {
  readonly sessionId: string;
  readonly session: FoldedSession;
  readonly node: RunNode;
  /** The pin, or why it cannot be read. */
  readonly workflow: CompiledWorkflow | string;
  /** All of what a command answered, however much that is. */
  readonly whole?: boolean;
}

/** One step of a run with everything around it: what the agent was told, what it handed back, and what was in force. */
export function stepDetail({ sessionId, session, node, workflow, whole = false }: DetailFrom): StepDetail {
  const run = session.runs.get(node.run)!;
  const wide = runWide(session, run);
  const branch = branchesOf(session, run);
  const parent = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  const { runId, workflow: follows, status } = runBegun(session, run);
  const seen = asSeen(session, node, workflow);
  const context = wholeRecord(session, node, 'context');
  const condition =
    node.pending === undefined || typeof workflow === 'string'
      ? undefined
      : tellCondition(placesOf(workflow).get(node.pending.id)?.step.if);
  return {
    sessionId,
    run: { runId, workflow: follows, status, preferredTip: run.preferredTip },
    ...branch(node.id),
    node: nodeStory(session, run, node, {
      ...wide,
      workflow: typeof workflow === 'string' ? undefined : workflow,
      bodyBytes: whole ? Infinity : limits.bodyTold,
    }),
    ...(parent !== undefined && { parent: nodeRef(parent) }),
    ...seen,
    done: doneFrom(session, node, wide.resolved).map((done) => ({ ...done, ...branch(done.nodeId) })),
    context,
    contextChanged: contextChanges(parent === undefined ? {} : wholeRecord(session, parent, 'context'), context),
    preferenceChangesBefore: wayTo(session, parent).flatMap((above) =>
      preferenceChangesAt(session, above).map(tellPreferenceChange),
    ),
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
): Pick<StepDetail, 'asSeen' | 'promptMissing' | 'stepsAbout' | 'stepWarnings'> {
  if (node.pending === undefined) return { stepWarnings: [] };
  if (typeof workflow === 'string') return { promptMissing: workflow, stepWarnings: [] };
  const missing = 'the work before this step is not on disk, so its prompt cannot be filled in';
  if (node.pending.does !== undefined) {
    const about = node.whole ? stepsAbout(session, workflow, node) : undefined;
    return { ...(about !== undefined && { stepsAbout: about }), stepWarnings: [] };
  }
  if (!node.whole) return { promptMissing: missing, stepWarnings: [] };
  const { pending, warnings } = tellStep(session, workflow, node);
  const about = stepsAbout(session, workflow, node);
  return { asSeen: pending, ...(about !== undefined && { stepsAbout: about }), stepWarnings: warnings };
}

function doneFrom(session: FoldedSession, node: RunNode, resolved: Settlements): StepDetail['done'] {
  const children = node.children.map((id: NodeId) => session.nodes.get(id)).filter((child) => child !== undefined);
  return children.map((child) => ({ nodeId: child.id, edge: edgeStory(child, node, resolved) }));
}

/** What differs between two contexts, by key. */
export function contextChanges(before: JsonObject, after: JsonObject): readonly ContextChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys.flatMap((key): readonly ContextChange[] => {
    const [was, is] = [own(before, key), own(after, key)];
    if (was !== undefined && is !== undefined && canonicalJson(was) === canonicalJson(is)) return [];
    return [{ key, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}
