import type { KeyId } from '../base/ids.js';
import { modes } from '../base/preferences.js';
import { addUsage } from '../base/usage.js';
import type { StepName } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { cameBack } from './came-back.js';
import { contextBytes, grownBytes } from './context-bytes.js';
import type { FoldedSession, Run, RunNode, Terms } from './folded-session.js';
import { landmarkBelow } from './landmarks.js';
import { roundsBelow } from './rounds-below.js';
import { recordsAt, recordsBelow, sumUp } from './records.js';
import { usedBy } from './usage.js';

export function foldRunStarted(session: FoldedSession, event: Event<'run_started'>): void {
  const { run: id, node } = event;
  if (id === undefined || node === undefined || session.runs.has(id) || session.nodes.has(node)) return;
  session.runs.set(id, {
    id,
    root: node,
    started: event,
    workflowHash: event.data.workflowHash,
    sessionHad: session.preferences,
    tips: new Set([node]),
    preferredTip: node,
    nodeCount: 1,
    lastAt: event.at,
    changeTold: undefined,
    usage: undefined,
  });
  session.nodes.set(
    node,
    nodeOf(event, {
      id: node,
      run: id,
      parent: undefined,
      did: undefined,
      cameBack: undefined,
      terms: termsOf(event, unknownTerms),
      allowed: event.data.preferences,
      depth: 0,
      whole: true,
      pending: event.data.next,
      records: recordsBelow(session, undefined, { madeBy: event, did: undefined, cameBack: undefined }),
      rounds: [],
      contextBytes: contextBytes(1, {}, event.data.context),
      landmark: undefined,
    }),
  );
}

export function foldStepAcked(session: FoldedSession, event: Event<'step_acked'>): void {
  const { run: id, node, data } = event;
  if (id === undefined || node === undefined || session.nodes.has(node)) return;
  const parent = session.nodes.get(data.parent);
  const above = parent ?? nothingAbove;
  const cameBack = cameBackTo(parent, data);
  const did: StepName = { id: above.pending?.id ?? '', path: above.pending?.path ?? '', title: data.step };
  session.entries.set(event.sum, node);
  if (parent?.children.length === 0) sumUp(session, parent);
  session.nodes.set(
    node,
    nodeOf(event, {
      id: node,
      run: id,
      // A parent that does not come before its child is none: no walk upwards can go in a circle.
      parent: parent?.id,
      did,
      cameBack,
      terms: termsOf(event, above.terms),
      allowed: above.allowed,
      depth: above.depth + 1,
      whole: above.whole,
      pending: data.next,
      records: recordsBelow(session, parent, { madeBy: event, did, cameBack }),
      rounds: roundsBelow(parent, did),
      contextBytes: bytesBelow(session, parent, data),
      landmark: parent && landmarkBelow(parent),
    }),
  );
  if (parent !== undefined) {
    // Most nodes have one child for ever; an array that is pushed to takes room for seventeen.
    if (parent.children.length === 0) parent.children = [node];
    else parent.children.push(node);
    if (parent.acks.length === 0) parent.acks = [event];
    else parent.acks.push(event);
  }
  growRun(session.runs.get(id), event);
}

/** What the last try of its command left, as expressions read it. */
function cameBackTo(parent: RunNode | undefined, { command }: Event<'step_acked'>['data']): RunNode['cameBack'] {
  const tried = command && parent?.tries?.findLast(({ data }) => data.call === command.call);
  return tried && cameBack(tried.data);
}

function bytesBelow(
  session: FoldedSession,
  parent: RunNode | undefined,
  { context, added }: Event<'step_acked'>['data'],
): number {
  const { contextBytes: before } = parent ?? nothingAbove;
  if (context === undefined && added === undefined) return before;
  const known = parent ? recordsAt(session, parent).context : {};
  return grownBytes(contextBytes(before, known, context ?? {}), known, added ?? {});
}

/** Of what stands on no parent nobody can say with what it was made, and nothing goes on from there. */
const unknownTerms: Terms = { preferences: modes.guided, key: 'k_00000000' as KeyId, engine: '' };
const nothingAbove = {
  pending: undefined,
  terms: unknownTerms,
  allowed: modes.guided,
  depth: 0,
  whole: false,
  contextBytes: 1,
} as const satisfies Partial<RunNode>;

/** Most steps are made with what their parent was made with: they share it. */
function termsOf({ data }: RunNode['madeBy'], before: Terms): Terms {
  if (data.preferences === undefined && data.key === undefined && data.engine === undefined) return before;
  const { preferences = before.preferences, key = before.key, engine = before.engine } = data;
  return { preferences, key, engine };
}

function growRun(run: Run | undefined, event: Event<'step_acked'>): void {
  if (run === undefined || event.node === undefined) return;
  run.tips.delete(event.data.parent);
  run.tips.add(event.node);
  run.preferredTip = event.node;
  run.nodeCount += 1;
  run.changeTold = event.data.warnings?.find(({ code }) => code === 'WORKFLOW_CHANGED')?.message ?? run.changeTold;
  run.usage = addUsage(run.usage, usedBy(event));
  if (event.at > run.lastAt) run.lastAt = event.at;
}

type Inherited = Pick<
  RunNode,
  | 'id'
  | 'run'
  | 'parent'
  | 'did'
  | 'cameBack'
  | 'terms'
  | 'allowed'
  | 'depth'
  | 'whole'
  | 'pending'
  | 'records'
  | 'rounds'
  | 'contextBytes'
  | 'landmark'
>;

/** Field by field: an object that is spread together takes several times as long to make, and there are as many as steps. */
function nodeOf(
  event: RunNode['madeBy'],
  {
    id,
    run,
    parent,
    did,
    cameBack,
    terms,
    allowed,
    depth,
    whole,
    pending,
    records,
    rounds,
    contextBytes,
    landmark,
  }: Inherited,
): RunNode {
  const { seq, by, sum } = event;
  return {
    id,
    run,
    parent,
    depth,
    madeBy: event,
    did,
    cameBack,
    terms,
    whole,
    pending,
    records,
    rounds,
    contextBytes,
    landmark,
    preferences: terms.preferences,
    allowed,
    children: [],
    acks: [],
    blocks: [],
    checkpoints: [],
    notes: [],
    touched: { seq, by, sum },
  };
}
