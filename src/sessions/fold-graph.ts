import type { KeyId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { modes } from '../base/preferences.js';
import type { EnteredLoop, Output, StepName } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import type { FoldedSession, Run, RunNode, Terms } from './folded-session.js';
import { landmarkBelow } from './landmarks.js';

export function foldRunStarted(session: FoldedSession, event: Event<'run_started'>): void {
  const { run: id, node } = event;
  if (id === undefined || node === undefined || session.runs.has(id) || session.nodes.has(node)) return;
  session.runs.set(id, {
    id,
    root: node,
    started: event,
    workflowHash: event.data.workflowHash,
    tips: new Set([node]),
    preferredTip: node,
    nodeCount: 1,
    lateCount: 0,
    lastAt: event.at,
  });
  session.nodes.set(
    node,
    nodeOf(event, {
      id: node,
      run: id,
      parent: undefined,
      did: undefined,
      terms: termsOf(event, unknownTerms),
      depth: 0,
      whole: true,
      pending: event.data.next,
      context: event.data.context,
      outputs: {},
      lists: withLists({}, event.data.entered),
      controls: {},
      landmark: undefined,
    }),
  );
}

export function foldStepAcked(session: FoldedSession, event: Event<'step_acked'>): void {
  const { run: id, node, data } = event;
  if (id === undefined || node === undefined || session.nodes.has(node)) return;
  const parent = session.nodes.get(data.parent);
  const above = parent ?? nothingAbove;
  const did: StepName = { id: above.pending?.id ?? '', path: above.pending?.path ?? '', title: data.step };
  session.entries.set(event.sum, node);
  session.nodes.set(
    node,
    nodeOf(event, {
      id: node,
      run: id,
      // A parent that does not come before its child is none: no walk upwards can go in a circle.
      parent: parent?.id,
      did,
      terms: termsOf(event, above.terms),
      depth: above.depth + 1,
      whole: above.whole,
      pending: data.next,
      context: patchContext(above.context, data.context),
      outputs: withOutput(above.outputs, did.id, data.output),
      lists: withLists(above.lists, data.entered),
      controls: withControls(above.controls, did.path, data.output),
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

/** Of what stands on no parent nobody can say with what it was made, and nothing goes on from there. */
const unknownTerms: Terms = { preferences: modes.guided, key: 'k_00000000' as KeyId, engine: '' };
const nothingAbove = {
  pending: undefined,
  terms: unknownTerms,
  depth: 0,
  whole: false,
  context: {},
  outputs: {},
  lists: {},
  controls: {},
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
  if (event.at > run.lastAt) run.lastAt = event.at;
}

type Inherited = Pick<
  RunNode,
  | 'id'
  | 'run'
  | 'parent'
  | 'did'
  | 'terms'
  | 'depth'
  | 'whole'
  | 'pending'
  | 'context'
  | 'outputs'
  | 'lists'
  | 'controls'
  | 'landmark'
>;

/** Field by field: an object that is spread together takes several times as long to make, and there are as many as steps. */
function nodeOf(
  event: RunNode['madeBy'],
  { id, run, parent, did, terms, depth, whole, pending, context, outputs, lists, controls, landmark }: Inherited,
): RunNode {
  const { seq, by, sum } = event;
  return {
    id,
    run,
    parent,
    depth,
    madeBy: event,
    did,
    terms,
    whole,
    pending,
    context,
    outputs,
    lists,
    controls,
    landmark,
    preferences: terms.preferences,
    children: [],
    acks: [],
    blocks: [],
    checkpoints: [],
    notes: [],
    touched: { seq, by, sum },
  };
}

/** A shallow patch; null deletes. Unchanged contexts are shared between nodes. */
export function patchContext(context: JsonObject, patch: JsonObject | undefined): JsonObject {
  if (patch === undefined || Object.keys(patch).length === 0) return context;
  const merged = new Map(Object.entries(context));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** A step that is done has left something, be it nothing: what it left in an earlier round is not its last. */
export function withOutput(outputs: RunNode['outputs'], step: string, output: Output | undefined): RunNode['outputs'] {
  return { ...outputs, [step]: output ?? {} };
}

/** Where a path names a loop. It leaves out what the ids of a routine's steps have before them; whoever names the loop may do so or not. */
function placeOfLoop(parts: readonly string[], loopId: string): number {
  const names = parts.map((part) => (part.includes('@') ? part.slice(0, part.indexOf('@')) : undefined));
  const exact = names.lastIndexOf(loopId);
  return exact >= 0 ? exact : names.findLastIndex((name) => name !== undefined && loopId.endsWith(`-${name}`));
}

/** The newest word of a step on the loop it is in: the one it names where that is around it, else the innermost. */
export function withControls(
  controls: RunNode['controls'],
  path: string,
  output: Output | undefined,
): RunNode['controls'] {
  let told = controls;
  for (const artifact of output?.artifacts ?? []) {
    const { kind, decision, loopId } = artifact;
    if (kind !== 'wr.loop_control' || (decision !== 'continue' && decision !== 'stop')) continue;
    const parts = path.split('/');
    const named = typeof loopId === 'string' ? placeOfLoop(parts, loopId) : -1;
    const at = named >= 0 ? named : parts.findLastIndex((part) => part.includes('@'));
    if (at >= 0) told = { ...told, [parts.slice(0, at + 1).join('/')]: decision };
  }
  return told;
}

function withLists(lists: RunNode['lists'], entered: readonly EnteredLoop[] | undefined): RunNode['lists'] {
  if (entered === undefined || entered.length === 0) return lists;
  return { ...lists, ...Object.fromEntries(entered.map(({ loop, items }) => [loop, items])) };
}
