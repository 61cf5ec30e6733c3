import { lazyObject, type Named } from '../base/lazy-object.js';
import type { JsonObject } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { FoldedSession, Held, Records, RunNode } from './folded-session.js';
import { recordsAt, writerOf } from './records.js';

type Frames = readonly Readonly<NonNullable<RunNode['pending']>['frames'][number]>[];

/** The loops and rounds in which what a node wrote was handed back. */
function framesWrittenIn(session: FoldedSession, { parent }: RunNode): Frames {
  return (parent === undefined ? undefined : session.nodes.get(parent)?.pending?.frames) ?? [];
}

/** Whether what was written there was written for this place as well: in one of the rounds that it is in, or before all of them. */
function isOfRound(written: Frames, here: Frames): boolean {
  return written.every(({ loop, iteration }, at) => here[at]?.loop === loop && here[at].iteration === iteration);
}

/** The round that left a value of the context, where it is not one that a node stands in: `audit@2`. */
export function otherRound(session: FoldedSession, node: RunNode, key: string): string | undefined {
  const writer = writerOf(session, node, 'context', key);
  if (writer === undefined || isOfRound(framesWrittenIn(session, writer), node.pending?.frames ?? [])) return undefined;
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
  const all: Named<Held[R]> = recordsAt(session, node)[record];
  const isKnown = (name: string): boolean => {
    const writer = writerOf(session, node, record, name);
    return writer !== undefined && !isOfOtherRound(framesWrittenIn(session, writer), here);
  };
  return lazyObject(
    (name) => (isKnown(name) ? own(all, name) : undefined),
    () => Object.fromEntries(Object.entries(all).filter(([name]) => isKnown(name))),
  ) as Records[R];
}

/** The context as the round that a node stands in knows it, without what other rounds left there. */
export function contextOfRound(session: FoldedSession, node: RunNode): JsonObject {
  const { context } = recordsAt(session, node);
  const here = node.pending?.frames ?? [];
  const isKnown = (key: string): boolean => {
    const writer = writerOf(session, node, 'context', key);
    return writer !== undefined && isOfRound(framesWrittenIn(session, writer), here);
  };
  return lazyObject(
    (key) => (isKnown(key) ? own(context, key) : undefined),
    () => Object.fromEntries(Object.entries(context).filter(([key]) => isKnown(key))),
  );
}
