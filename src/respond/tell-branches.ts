import { byteLength, firstWords } from '../base/byte-budget.js';
import type { NodeId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { BranchTold } from '../contract/answer.js';
import { type Branch, branchesBelow, pathDown } from '../sessions/branches.js';
import { branchPageName } from '../sessions/look-page.js';
import { entryBySum } from '../sessions/entry.js';
import type { Fork } from '../events/event-data.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { Sealer } from './sealer.js';

const stepsNamed = 6;
const titleBytes = 60;
const newestBytes = 160;

export interface ToldBranches {
  readonly branches: readonly BranchTold[];
  readonly omitted: number;
  /** The page that shows the ones left out. */
  readonly more: string | undefined;
  /** Where the newest work below stands. */
  readonly newestTip?: RunNode | undefined;
}

/** The branches that go on from a node now. */
export function tellBranches(
  session: FoldedSession,
  sealer: Sealer,
  node: RunNode,
  preferred: NodeId,
  skip: number,
): ToldBranches {
  const branches = branchesBelow(session, node);
  const tell: TellBranch = (branch, index) => tellBranch({ session, sealer }, node, branch, skip + index, preferred);
  return { ...withinBudget(branches.slice(skip), tell, skip, 0), newestTip: branches[0]?.tip };
}

/** The branches a fork's answer spoke of when it was first given. */
export function tellForkBranches(session: FoldedSession, sealer: Sealer, node: RunNode, fork: Fork): ToldBranches {
  const branches = fork.branches.flatMap(({ child, tip, steps, newest }): Branch[] => {
    const childNode = session.nodes.get(child);
    const tipNode = session.nodes.get(tip);
    if (childNode === undefined || tipNode === undefined) return [];
    const entry = (): ReturnType<Branch['newest']> => (newest === undefined ? undefined : entryBySum(session, newest));
    return [{ child: childNode, tip: tipNode, steps, newest: entry }];
  });
  const tell: TellBranch = (branch, index) => tellBranch({ session, sealer }, node, branch, index, fork.preferredTip);
  return withinBudget(branches, tell, 0, fork.branchesOmitted);
}

type TellBranch = (branch: Branch, index: number) => BranchTold;

function tellBranch(
  { session, sealer }: { readonly session: FoldedSession; readonly sealer: Sealer },
  node: RunNode,
  { tip, steps, newest }: Branch,
  index: number,
  preferred: NodeId,
): BranchTold {
  const path = pathDown(session, node.id, tip, stepsNamed).map(({ title }) => firstWords(title, titleBytes));
  const words = newest()?.output.notes;
  return {
    name: branchName(index),
    steps,
    path: steps > path.length ? [`${steps - path.length} steps`, ...path] : path,
    pending: tip.pending === undefined ? null : firstWords(tip.pending.title, titleBytes),
    ...(words !== undefined && { newest: firstWords(words, newestBytes) }),
    stateToken: sealer.state(tip.id),
    preferred: tip.id === preferred,
  };
}

/** A, B, … Z, AA, AB: a name to speak of a branch by, within one answer. */
function branchName(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : branchName(Math.floor(index / 26) - 1) + letter;
}

/** Tells no more of them than fit. */
function withinBudget(branches: readonly Branch[], tell: TellBranch, skipped: number, further: number): ToldBranches {
  let left: number = limits.branchSummary;
  const shown: BranchTold[] = [];
  for (const [index, branch] of branches.entries()) {
    const told = tell(branch, index);
    left -= byteLength(JSON.stringify(told));
    if (left < 0 && shown.length > 0) break;
    shown.push(told);
  }
  const omitted = branches.length - shown.length + further;
  return { branches: shown, omitted, more: omitted === 0 ? undefined : branchPageName(skipped + shown.length) };
}
