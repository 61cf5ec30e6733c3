import type { FoldedSession, RunNode } from './folded-session.js';

/** What a round has left: the words of its last step that said something. */
export interface RoundDone {
  readonly notes: string | undefined;
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

function note(found: Found, { did, madeBy }: RunNode): void {
  if (madeBy.kind !== 'step_acked' || did?.path.includes('@') !== true) return;
  const notes = madeBy.data.output?.notes;
  const parts = did.path.split('/');
  parts.forEach((part, at) => {
    const [loop = '', number] = part.split('@');
    if (number === undefined) return;
    const path = [...parts.slice(0, at), loop].join('/');
    const rounds = found.get(path) ?? new Map<number, RoundDone>();
    found.set(path, rounds);
    if (notes !== undefined || !rounds.has(Number(number))) rounds.set(Number(number), { notes });
  });
}
