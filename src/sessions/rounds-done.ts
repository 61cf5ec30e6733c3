import type { FoldedSession, RunNode } from './folded-session.js';

/** What a round has left: the words of its last step that said something, and the author's line of it. */
export interface RoundDone {
  readonly notes: string | undefined;
  readonly line: string | undefined;
}

/** By the path of a loop, its rounds by their number. */
export type RoundsDone = ReadonlyMap<string, ReadonlyMap<number, RoundDone>>;
type Found = Map<string, Map<number, RoundDone>>;

/** As it was last asked for: whoever looks again has mostly gone on from there. */
const lastAsked = new WeakMap<FoldedSession, { readonly at: RunNode; readonly found: Found }>();

/** The rounds that steps were done in on the way to a node. */
export function roundsDone(session: FoldedSession, from: RunNode): RoundsDone {
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

/** The rounds of a loop by its path, once a step is done as well. */
export function roundsWith(
  session: FoldedSession,
  node: RunNode,
  did: { readonly path: string; readonly notes: string | undefined },
): (path: string) => ReadonlyMap<number, RoundDone> | undefined {
  return (path) => {
    const before = roundsDone(session, node).get(path);
    const round = roundsIn(did.path).find((one) => one.loop === path)?.round;
    if (round === undefined) return before;
    const known = before?.get(round);
    return new Map(before).set(round, { notes: did.notes ?? known?.notes, line: known?.line });
  };
}

/** `audit@2/look` is done in round 2 of `audit`. */
function roundsIn(path: string): readonly { readonly loop: string; readonly round: number }[] {
  const parts = path.split('/');
  return parts.flatMap((part, at) => {
    const [loop = '', number] = part.split('@');
    return number === undefined ? [] : [{ loop: [...parts.slice(0, at), loop].join('/'), round: Number(number) }];
  });
}

function note(found: Found, { did, madeBy }: RunNode): void {
  if (madeBy.kind !== 'step_acked' || did?.path.includes('@') !== true) return;
  const notes = madeBy.data.output?.notes;
  for (const { loop, round } of roundsIn(did.path)) {
    const rounds = found.get(loop) ?? new Map<number, RoundDone>();
    found.set(loop, rounds);
    if (notes !== undefined || !rounds.has(round)) rounds.set(round, { notes, line: rounds.get(round)?.line });
  }
  for (const { loop, round, line } of madeBy.data.rounds ?? [])
    found.get(loop)?.set(round, { notes: found.get(loop)?.get(round)?.notes, line });
}
