import type { EventSum } from '../base/ids.js';
import { type Preferences, samePreferences } from '../base/preferences.js';
import { compareEvents, type EventPosition, type Who } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';

/** That work at a node was to be done otherwise than before. */
export interface PreferenceChange {
  readonly event: EventSum;
  readonly at: string;
  /** The start of the run chose other than its session has, an agent asked for it with a step, or a person chose. */
  readonly by: 'start' | 'agent' | 'person';
  readonly who?: Who | undefined;
  /** The step with which an agent asked. */
  readonly step?: string;
  /** The same as after, where a person allowed what an agent had asked for. */
  readonly before: Preferences;
  readonly after: Preferences;
}

/** How the preferences of a node came to be, where they are other than at its parent, in order. */
export function preferenceChangesAt(session: FoldedSession, node: RunNode): readonly PreferenceChange[] {
  const changes: PreferenceChange[] = [];
  const came = cameBy(session, node);
  if (came !== undefined) changes.push(came);
  let before = node.terms.preferences;
  for (const { sum: event, at, who, data } of node.chosen ?? []) {
    const after = data.preferences;
    const allows = came?.by === 'agent' && who !== undefined && changes.length === 1;
    if (allows || !samePreferences(before, after)) changes.push({ event, at, by: 'person', who, before, after });
    before = after;
  }
  return changes;
}

function cameBy(session: FoldedSession, { madeBy, run, parent: up, terms }: RunNode): PreferenceChange | undefined {
  const { sum: event, at } = madeBy;
  const after = terms.preferences;
  if (madeBy.kind === 'run_started') {
    const before = session.runs.get(run)?.sessionHad;
    if (before === undefined || samePreferences(before, after)) return undefined;
    return { event, at, by: 'start', before, after };
  }
  const parent = up === undefined ? undefined : session.nodes.get(up);
  if (parent === undefined) return undefined;
  // A person's choice is an event of its own: what an ack brings besides is its agent's.
  const before = preferencesUntil(parent, madeBy);
  return samePreferences(before, after) ? undefined : { event, at, by: 'agent', step: madeBy.data.step, before, after };
}

/** A person may have chosen anew at a step that was done long ago. */
const preferencesUntil = ({ chosen = [], terms }: RunNode, until: EventPosition): Preferences =>
  chosen.findLast((event) => compareEvents(event, until) < 0)?.data.preferences ?? terms.preferences;
