import type { NodeId } from '../base/ids.js';
import type { NodesCompared, StepCompared } from '../contract/http-api.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { wholeRecord } from '../sessions/records.js';
import { branchesOf } from './branches-of.js';
import { edgeStory, resolvedIn, type Settlements, wayTo } from './node-story.js';
import { contextChanges, nodeRef } from './step-detail.js';

interface Done extends StepCompared {
  readonly path: string;
  readonly title: string;
}

/** Two nodes beside each other: where their ways parted, what was done on each since, and what is known at each. */
export function compareNodes(sessionId: string, session: FoldedSession, a: RunNode, b: RunNode): NodesCompared {
  const [wayA, wayB] = [wayTo(session, a), wayTo(session, b)];
  const onA = new Set(wayA.map(({ id }) => id));
  const ancestor = wayB.findLast(({ id }) => onA.has(id));
  const resolved = resolvedIn([...wayA, ...wayB]);
  const [contextA, contextB] = [wholeRecord(session, a, 'context'), wholeRecord(session, b, 'context')];
  const context = contextChanges(contextA, contextB);
  const branchOf = ({ run, id }: RunNode): ReturnType<ReturnType<typeof branchesOf>> =>
    branchesOf(session, session.runs.get(run)!)(id);
  const keys = new Set([...Object.keys(contextA), ...Object.keys(contextB)]);
  return {
    sessionId,
    a: { ...nodeRef(a), ...branchOf(a) },
    b: { ...nodeRef(b), ...branchOf(b) },
    ...(ancestor !== undefined && { ancestor: nodeRef(ancestor) }),
    steps: besideEachOther(doneAfter(wayA, ancestor?.id, resolved), doneAfter(wayB, ancestor?.id, resolved)),
    context,
    contextSame: keys.size - context.length,
    preferences: { a: a.preferences, b: b.preferences },
  };
}

function doneAfter(way: readonly RunNode[], ancestor: NodeId | undefined, resolved: Settlements): readonly Done[] {
  const after = ancestor === undefined ? way : way.slice(way.findIndex(({ id }) => id === ancestor) + 1);
  return after.flatMap((node): readonly Done[] => {
    const { at, step, output, gaps, context, added } = edgeStory(node, undefined, resolved);
    return step === undefined
      ? []
      : [{ ...step, nodeId: node.id, at, output, gaps, context: { ...context, ...added } }];
  });
}

/** The steps of both ways in one order that keeps the order of each; the same step stands in one row. */
function besideEachOther(a: readonly Done[], b: readonly Done[]): NodesCompared['steps'] {
  const rows: NodesCompared['steps'][number][] = [];
  const atB = new Map(b.map(({ path }, index) => [path, index]));
  const side = ({ nodeId, at, output, gaps, context }: Done): StepCompared => ({ nodeId, at, output, gaps, context });
  let next = 0;
  for (const one of a) {
    const index = atB.get(one.path);
    const { path, title } = one;
    if (index === undefined || index < next) {
      rows.push({ path, title, a: side(one) });
      continue;
    }
    for (const other of b.slice(next, index)) rows.push({ path: other.path, title: other.title, b: side(other) });
    rows.push({ path, title, a: side(one), b: side(b[index]!) });
    next = index + 1;
  }
  for (const other of b.slice(next)) rows.push({ path: other.path, title: other.title, b: side(other) });
  return rows;
}
