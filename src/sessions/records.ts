import { grown } from '../base/grown-list.js';
import type { NodeId } from '../base/ids.js';
import type { JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { StateSeen } from '../base/state-seen.js';
import { lazyObject, type Named } from '../base/lazy-object.js';
import type { Change, FoldedSession, Held, RecordName, Records, RunNode } from './folded-session.js';
import { loopControls } from './loop-controls.js';
import { withoutUsage } from './usage.js';

type Writer = Pick<RunNode, 'madeBy' | 'did' | 'cameBack'>;
type Written = { readonly [R in RecordName]: (node: Writer) => Records[R] | undefined };

/** What a node itself wrote into each record; in the context null takes out. */
const writtenBy: Written = {
  // Of a list that grew what came to it; `lookUp` puts it together.
  context: ({ madeBy: { data } }) => (addedBy(data) ? { ...data.context, ...addedBy(data) } : data.context),
  // A step that is done has left something, be it nothing: what it left in an earlier round is not its last.
  outputs: ({ madeBy, did, cameBack }) =>
    madeBy.kind === 'step_acked' ? { [did?.id ?? '']: cameBack ?? withoutUsage(madeBy.data.output ?? {}) } : undefined,
  lists: ({ madeBy }) =>
    madeBy.data.entered && Object.fromEntries(madeBy.data.entered.map(({ loop, items }) => [loop, items])),
  controls: ({ madeBy, did }) =>
    madeBy.kind === 'step_acked' ? loopControls(madeBy.data.output, did?.path ?? '') : undefined,
};

const addedBy = (data: RunNode['madeBy']['data']): { readonly [key: string]: readonly JsonValue[] } | undefined =>
  'added' in data ? data.added : undefined;

/** What a node added to a list; nothing where it set the key, or left it alone. */
export const addedTo = (name: string, { madeBy }: RunNode): readonly JsonValue[] | undefined =>
  own(addedBy(madeBy.data) ?? {}, name);

/** So many changes are summed up in one place, and so many of those in one again. */
const summed = 8;

/** What a node notes down of each record: its own change, or which node above it made the last one. */
export function recordsBelow(session: FoldedSession, parent: RunNode | undefined, node: Writer): RunNode['records'] {
  return {
    context: linkOf(session, parent, node, 'context'),
    outputs: linkOf(session, parent, node, 'outputs'),
    lists: linkOf(session, parent, node, 'lists'),
    controls: linkOf(session, parent, node, 'controls'),
  };
}

function linkOf(
  session: FoldedSession,
  parent: RunNode | undefined,
  node: Writer,
  record: RecordName,
): NodeId | Change | undefined {
  const above = parent?.records[record];
  const before = typeof above === 'object' ? parent?.id : above;
  const written = writtenBy[record](node);
  if (written === undefined || Object.keys(written).length === 0) return before;
  const last = before === undefined ? undefined : session.nodes.get(before)?.records[record];
  return { before, count: 1 + (typeof last === 'object' ? last.count : 0), summary: undefined };
}

interface Step {
  readonly id: NodeId;
  readonly change: Change;
}

/** The changes of a record on the way to a node, newest first; what a summary speaks of is passed over. */
function* changesUpFrom(session: FoldedSession, { id, records }: RunNode, record: RecordName): Generator<Step> {
  let at = typeof records[record] === 'object' ? id : records[record];
  while (at !== undefined) {
    const change = session.nodes.get(at)?.records[record];
    if (typeof change !== 'object') return;
    yield { id: at, change };
    at = change.summary === undefined ? change.before : change.summary.before;
  }
}

/**
 * Notes on a node that is about to be followed who wrote what in a stretch of the way before it. Stretches grow by
 * powers, and one that reaches the beginning is made when as much has changed since the last as that one holds: so
 * that of each change a few copies are made, however long the way, and a name is found in a few looks.
 */
export function sumUp(session: FoldedSession, node: RunNode): void {
  for (const record of ['context', 'outputs', 'lists', 'controls'] as const) {
    const change = node.records[record];
    if (typeof change !== 'object' || change.count % summed !== 0) continue;
    const steps = [...changesUpFrom(session, node, record)];
    const first = steps.at(-1)?.change;
    const begun = first?.summary === undefined ? 0 : first.count;
    let reach = summed;
    while (change.count % (reach * summed) === 0) reach *= summed;
    const isWhole = change.count - begun >= (first?.summary?.writers.size ?? 0);
    const from = isWhole ? 0 : Math.max(begun, change.count - reach);
    const before = steps.find(({ change: { count } }) => count <= from)?.id;
    const stretch = steps.filter(({ change: { count } }) => count > from);
    change.summary = { before, ...writersIn(session, stretch, record) };
  }
}

/** Who wrote each name last, in the order in which the names came in; of what was taken out nobody. */
function writersIn(
  session: FoldedSession,
  newestFirst: readonly Step[],
  record: RecordName,
): Pick<NonNullable<Change['summary']>, 'writers' | 'anew'> {
  const writers = new Map<string, NodeId | undefined>();
  const anew = new Set<string>();
  for (const { id, change } of newestFirst.toReversed()) {
    for (const [name, writer] of change.summary?.writers ?? ownWriting(session, id, record)) {
      const isBack = writer !== undefined && writers.get(name) === undefined && writers.has(name);
      if (isBack || change.summary?.anew.has(name) === true) {
        anew.add(name);
        writers.delete(name);
      }
      writers.set(name, writer);
    }
  }
  return { writers, anew };
}

function ownWriting(session: FoldedSession, id: NodeId, record: RecordName): (readonly [string, NodeId | undefined])[] {
  const node = session.nodes.get(id)!;
  const written = Object.entries<unknown>(writtenBy[record](node) ?? {});
  return written.map(([name, value]) => [name, takesOut(node, value) ? undefined : id]);
}

/** A run begins with the context that was recorded for it, whatever is in there. */
const takesOut = ({ madeBy }: RunNode, value: unknown): boolean => value === null && madeBy.kind === 'step_acked';

/** What a node inherits, and what its own event adds to that. */
export function recordsAt(session: FoldedSession, node: RunNode): Records & { readonly state?: StateSeen } {
  return {
    ...stateSeen(node),
    context: recordAt(session, node, 'context'),
    outputs: recordAt(session, node, 'outputs'),
    lists: recordAt(session, node, 'lists'),
    controls: recordAt(session, node, 'controls'),
  };
}

const tooMuchRead: StateSeen = {
  missing: 'this step reads too much of the shared state at once; let it read a smaller part of it',
};

/** Of the shared state what was recorded with the step that waits here. */
function stateSeen({ madeBy: { data } }: RunNode): { readonly state?: StateSeen } {
  if (data.read === undefined) return {};
  const { value } = data.read;
  return { state: value === undefined ? tooMuchRead : { value } };
}

function recordAt<R extends RecordName>(session: FoldedSession, node: RunNode, record: R): Named<Held[R]> {
  return lazyObject(
    (name) => lookUp(session, node, record, name),
    () => wholeRecord(session, node, record),
  );
}

/** For whoever tells all of it. */
export function wholeRecord<R extends RecordName>(session: FoldedSession, node: RunNode, record: R): Named<Held[R]> {
  const { writers } = writersIn(session, [...changesUpFrom(session, node, record)], record);
  const held: [string, Held[R]][] = [];
  for (const [name, writer] of writers)
    if (writer !== undefined) held.push([name, heldBy(session, session.nodes.get(writer)!, record, name)!]);
  return Object.fromEntries(held);
}

function lookUp<R extends RecordName>(
  session: FoldedSession,
  from: RunNode,
  record: R,
  name: string,
): Held[R] | undefined {
  const node = writerOf(session, from, record, name);
  return node && heldBy(session, node, record, name);
}

/** What the node that wrote a name last left under it. */
function heldBy<R extends RecordName>(
  session: FoldedSession,
  node: RunNode,
  record: R,
  name: string,
): Held[R] | undefined {
  if (record === 'context' && addedTo(name, node) !== undefined)
    return grownList(session, node, name) as readonly JsonValue[] & Held[R];
  const written: Named<Held[R]> = writtenBy[record](node) ?? {};
  return own(written, name);
}

/** Lists as they were asked for last: whoever asks again has mostly gone on from there. */
type Grown = Map<string, { readonly at: RunNode; readonly list: readonly JsonValue[] }>;
const lastGrown = new WeakMap<FoldedSession, Grown>();

/** What came to a list on the way to a node, after what was set before. */
function grownList(session: FoldedSession, from: RunNode, name: string): readonly JsonValue[] {
  const known: Grown = lastGrown.get(session) ?? new Map();
  lastGrown.set(session, known);
  const last = known.get(name);
  const came: (readonly JsonValue[])[] = [];
  let before: JsonValue | undefined;
  for (let at: RunNode | undefined = from; at !== undefined; at = writerAbove(session, at, name)) {
    const elements = addedTo(name, at);
    if (at === last?.at || elements === undefined) {
      before = at === last?.at ? last.list : own(at.madeBy.data.context ?? {}, name);
      break;
    }
    came.push(elements);
  }
  const list = grown(before, came.toReversed().flat());
  known.set(name, { at: from, list });
  return list;
}

function writerAbove(session: FoldedSession, { parent }: RunNode, name: string): RunNode | undefined {
  const node = parent === undefined ? undefined : session.nodes.get(parent);
  return node && writerOf(session, node, 'context', name);
}

/** The node that wrote what a record holds under a name; none where it holds nothing. */
export function writerOf(session: FoldedSession, from: RunNode, record: RecordName, name: string): RunNode | undefined {
  for (const { id, change } of changesUpFrom(session, from, record)) {
    if (change.summary?.writers.has(name) === false) continue;
    const writer = change.summary === undefined ? id : change.summary.writers.get(name);
    if (writer === undefined) return undefined;
    const node = session.nodes.get(writer)!;
    const written: Named<unknown> = writtenBy[record](node) ?? {};
    if (Object.hasOwn(written, name)) return takesOut(node, written[name]) ? undefined : node;
  }
  return undefined;
}
