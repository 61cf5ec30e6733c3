import { canonicalJson } from '../base/canonical-json.js';
import { lazyObject, type Named } from '../base/lazy-object.js';
import { own } from '../base/own.js';
import type { FoldedSession, Held, Records, RunNode } from './folded-session.js';
import { addedTo, recordsAt, writerOf } from './records.js';

type Frames = readonly Readonly<NonNullable<RunNode['pending']>['frames'][number]>[];

/** The loops and rounds in which what a node wrote was handed back. */
function framesWrittenIn(session: FoldedSession, { parent }: RunNode): Frames {
  return (parent === undefined ? undefined : session.nodes.get(parent)?.pending?.frames) ?? [];
}

/** Whether what was written there was written for this place as well: in one of the rounds that it is in, or before all of them. */
function isOfRound(written: Frames, here: Frames): boolean {
  return written.every(({ loop, iteration }, at) => here[at]?.loop === loop && here[at].iteration === iteration);
}

/** The round that left a value of the context, where it is not one that a node stands in: `audit@2`. A list that grew is of all rounds. */
export function otherRound(session: FoldedSession, node: RunNode, key: string): string | undefined {
  const writer = writerOf(session, node, 'context', key);
  if (writer === undefined || isOfRound(framesWrittenIn(session, writer), node.pending?.frames ?? [])) return undefined;
  if (addedTo(key, writer) !== undefined) return undefined;
  const parts = (writer.did?.path ?? '').split('/');
  return parts.slice(0, parts.findLastIndex((part) => part.includes('@')) + 1).join('/');
}

/** Whether what was written there was left by another round of a loop that a place stands in. */
function isOfOtherRound(written: Frames, here: Frames): boolean {
  const at = here.findIndex(
    ({ loop, iteration }, index) => written[index]?.loop !== loop || written[index].iteration !== iteration,
  );
  return at >= 0 && written[at]?.loop === here[at]!.loop;
}

/** What a round knows when it is done: what it left itself, and what is not of another round. */
export function leftInRound<R extends 'context' | 'outputs'>(
  session: FoldedSession,
  node: RunNode,
  record: R,
  here: Frames,
): Records[R] {
  const records: Records = recordsAt(session, node);
  const all: Named<Held[R]> = records[record];
  const isKnown = (name: string): boolean => {
    const writer = writerOf(session, node, record, name);
    return writer !== undefined && !isOfOtherRound(framesWrittenIn(session, writer), here);
  };
  return lazyObject(
    (name) => (isKnown(name) ? own(all, name) : undefined),
    () => Object.fromEntries(Object.entries(all).filter(([name]) => isKnown(name))),
  ) as Records[R];
}

/** By the id of a step and a key: whether the step asks for it. */
export type Asks = (stepId: string, key: string) => boolean;

/**
 * Whether a key holds what came in answer: from a person, at the start, or from a step that asks for it. What an agent
 * hands back unasked answers nothing, unless it only says again what did; where a round is asked, in that round.
 */
export function isAnswered(
  session: FoldedSession,
  node: RunNode,
  asks: Asks,
  { key, round }: { readonly key: string; readonly round?: boolean | undefined },
): boolean {
  const here = node.pending?.frames ?? [];
  let writer = writerOf(session, node, 'context', key);
  const said = writer && writtenText(writer, key);
  while (writer !== undefined) {
    if (writtenText(writer, key) !== said) return false;
    const { madeBy, did, parent } = writer;
    if (did === undefined || madeBy.who !== undefined || asks(did.id, key))
      return round !== true || isOfRound(framesWrittenIn(session, writer), here);
    const above: RunNode | undefined = parent === undefined ? undefined : session.nodes.get(parent);
    writer = above && writerOf(session, above, 'context', key);
  }
  return false;
}

const writtenText = ({ madeBy }: RunNode, key: string): string =>
  canonicalJson(own(madeBy.data.context ?? {}, key) ?? null);
