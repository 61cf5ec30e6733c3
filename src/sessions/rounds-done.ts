import { type RoundDone, type RoundsAt, withRound } from '../base/rounds.js';
import type { FoldedSession, RoundStretch, RunNode } from './folded-session.js';
import { roundsIn } from './rounds-below.js';

type Found = Map<string, Map<number, RoundDone>>;

/** As it was last asked for: whoever looks again has mostly gone on from there. */
const lastAsked = new WeakMap<FoldedSession, { readonly at: RunNode; readonly found: Found }>();

/** The rounds that steps were done in on the way to a node. Only what they left takes a walk over all of it. */
export const roundsDone =
  (session: FoldedSession, node: RunNode): RoundsAt =>
  (path) => {
    const newest = node.rounds.find(({ loop }) => loop === path);
    if (newest === undefined) return undefined;
    const stretches = stretchesUpFrom(session, newest);
    return {
      size: stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0),
      last: newest.to,
      has: (round) => isIn(stretches, round),
      get: (round) => (isIn(stretches, round) ? leftOnTheWay(session, node).get(path)?.get(round) : undefined),
    };
  };

/** The rounds of a loop by its path, once a step is done as well. */
export function roundsWith(
  session: FoldedSession,
  node: RunNode,
  did: { readonly path: string; readonly notes: string | undefined },
): RoundsAt {
  const done = roundsDone(session, node);
  return (path) => {
    const before = done(path);
    const round = roundsIn(did.path).find((one) => one.loop === path)?.round;
    if (round === undefined) return before;
    return withRound(before, round, () => {
      const known = before?.get(round);
      return { notes: did.notes ?? known?.notes, line: known?.line };
    });
  };
}

/** The newest first. */
function stretchesUpFrom(session: FoldedSession, newest: RoundStretch): readonly RoundStretch[] {
  const stretches: RoundStretch[] = [];
  let at: RoundStretch | undefined = newest;
  while (at !== undefined) {
    stretches.push(at);
    const above: RunNode | undefined = at.before === undefined ? undefined : session.nodes.get(at.before);
    at = above?.rounds.find(({ loop }) => loop === newest.loop);
  }
  return stretches;
}

function isIn(newestFirst: readonly RoundStretch[], round: number): boolean {
  let [low, high] = [0, newestFirst.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newestFirst[middle]!.from > round) low = middle + 1;
    else high = middle;
  }
  const { from, to } = newestFirst[low]!;
  return from <= round && round <= to;
}

function leftOnTheWay(session: FoldedSession, from: RunNode): Found {
  const before = lastAsked.get(session);
  const way: RunNode[] = [];
  let node: RunNode | undefined = from;
  while (node !== undefined && node !== before?.at) {
    way.push(node);
    node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  }
  const found = node === undefined ? (new Map() as Found) : before!.found;
  for (const one of way.toReversed()) note(found, one);
  lastAsked.set(session, { at: from, found });
  return found;
}

function note(found: Found, { did, madeBy }: RunNode): void {
  if (madeBy.kind !== 'step_acked' || did === undefined) return;
  const notes = madeBy.data.output?.notes;
  for (const { loop, round } of roundsIn(did.path)) {
    const rounds = found.get(loop) ?? new Map<number, RoundDone>();
    found.set(loop, rounds);
    if (notes !== undefined || !rounds.has(round)) rounds.set(round, { notes, line: rounds.get(round)?.line });
  }
  for (const { loop, round, line } of madeBy.data.rounds ?? [])
    found.get(loop)?.set(round, { notes: found.get(loop)?.get(round)?.notes, line });
}
