import { compareEvents, type Event } from '../events/event.js';
import { commandStanding } from './command-standing.js';
import type { FoldedSession, RunNode } from './folded-session.js';

export interface SentBelow {
  readonly title: string;
  readonly event: Event<'command_sent'>;
}

/** What was sent on all branches from a node on and changed something, or may have, in the order of the log. */
export function sentBelow(session: FoldedSession, from: RunNode): readonly SentBelow[] {
  const sent: SentBelow[] = [];
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const id of at.children) open.push(...(session.nodes.has(id) ? [session.nodes.get(id)!] : []));
    const event = at.intents?.at(-1);
    if (event === undefined || !hasEffect(at)) continue;
    sent.push({ title: at.pending?.title ?? '', event });
  }
  return sent.toSorted((a, b) => compareEvents(a.event, b.event));
}

/** Something was done at a node, or may have been. */
export function hasEffect(node: RunNode): boolean {
  const { unknown, last, settled } = commandStanding(node);
  return unknown === undefined ? last?.data.outcome === 'ok' : settled?.choice !== 'failed';
}
