import { unreachable } from '../base/assert.js';
import type { Event } from '../events/event.js';
import { foldRunStarted, foldStepAcked } from './fold-graph.js';
import { addUsage } from '../base/usage.js';
import { emptySession, type FoldedSession, type Run, type RunNode } from './folded-session.js';
import { becomeLandmark, isLandmark } from './landmarks.js';
import {
  foldStateChanged,
  foldStateClosed,
  foldStateCreated,
  foldStateKept,
  foldStateRefused,
  foldStateSettled,
  foldStateWaived,
} from './states/fold-state.js';
import { usedBy } from './usage.js';

/** Folds events, in the total order, into a session. Total: every set of events has a fold, whatever is missing from it. */
export function foldSession(session: FoldedSession, events: readonly Event[]): FoldedSession {
  for (const event of events) foldEvent(session, event);
  return session;
}

/** How a log folds sessions. The version changes with the shape of the fold or with its meaning. */
export const sessionProjection = {
  version: 'session-15',
  empty: emptySession,
  fold: foldSession,
  tables: ['nodes', 'entries', 'versions'],
} as const;

function foldEvent(session: FoldedSession, event: Event): void {
  if (session.startedAt === '' || event.at < session.startedAt) session.startedAt = event.at;
  if (event.at > session.lastAt) session.lastAt = event.at;
  switch (event.kind) {
    case 'session_started':
      return foldSessionStarted(session, event);
    case 'run_started':
      return foldRunStarted(session, event);
    case 'step_acked':
      return foldStepAcked(session, event);
    case 'step_blocked':
      return onNode(session, event, (node) => {
        node.blocks.push(event);
        session.asked.add(node.id);
      });
    case 'question_answered':
      return onNode(session, event, (node) => (node.answers ??= []).push(event));
    case 'wait_ended': {
      const node = event.node === undefined ? undefined : session.nodes.get(event.node);
      if (node !== undefined) (node.waitsEnded ??= []).push(event);
      return;
    }
    case 'command_sent':
      return onNode(session, event, (node) => (node.intents ??= []).push(event));
    case 'command_settled':
      return onNode(session, event, (node) => (node.settled ??= []).push(event));
    case 'plan_confirmed':
      onRun(session, event, (run) => (run.confirmed ??= []).push(event));
      return onNode(session, event, (node) => (node.confirmed = event));
    case 'command_done':
      return onNode(session, event, (node) => (node.tries ??= []).push(event));
    case 'run_stopped':
      if (event.node === undefined) return onRun(session, event, (run) => (run.stopped ??= event));
      return onNode(session, event, (node) => (node.stopped ??= event));
    case 'checkpoint':
      return foldCheckpoint(session, event);
    case 'observation':
      session.observations.push(event.data);
      return;
    case 'preferences_changed':
      return foldPreferences(session, event);
    case 'note_added':
      if (event.node === undefined) session.notes.push(event);
      else leaveAt(session, event, () => onNode(session, event, (node) => node.notes.push(event)));
      return;
    case 'session_labelled':
      return foldLabels(session, event);
    case 'state_created':
      return foldStateCreated(session, event);
    case 'state_kept':
      return foldStateKept(session, event);
    case 'state_changed':
      return foldStateChanged(session, event);
    case 'state_refused':
      return foldStateRefused(session, event);
    case 'state_waived':
      return foldStateWaived(session, event);
    case 'state_settled':
      return foldStateSettled(session, event);
    case 'state_closed':
      return foldStateClosed(session, event);
    case 'lines_withdrawn':
      // The log has taken those lines out already: what remains is the record that it happened.
      return;
    default:
      return unreachable(event);
  }
}

/** Clones that began the same session each wrote one: the least counts, the others say nothing new. */
function foldSessionStarted(session: FoldedSession, event: Event<'session_started'>): void {
  if (session.started) return;
  session.started = true;
  session.key = event.data.key;
  session.title ??= event.data.title;
  if (session.tags.length === 0) session.tags = event.data.tags ?? [];
  session.preferences ??= event.data.preferences;
}

function foldLabels(session: FoldedSession, event: Event<'session_labelled'>): void {
  const { title, tags, keep } = event.data;
  if (title !== undefined) session.title = title;
  if (tags !== undefined) session.tags = tags;
  if (keep !== undefined) session.keep = keep;
}

function foldPreferences(session: FoldedSession, event: Event<'preferences_changed'>): void {
  if (event.node === undefined) session.preferences = event.data.preferences;
  else {
    onNode(session, event, (node) => {
      node.preferences = event.data.preferences;
      node.allowed = event.data.preferences;
      (node.chosen ??= []).push(event);
    });
  }
}

function foldCheckpoint(session: FoldedSession, event: Event<'checkpoint'>): void {
  session.entries.set(event.sum, event.node);
  if (event.node === undefined) {
    session.checkpoints.push(event);
    return;
  }
  leaveAt(session, event, (node) => {
    const run = node && session.runs.get(node.run);
    if (run !== undefined) run.usage = addUsage(run.usage, usedBy(event));
    // A late output is memory, not work on the tip: it must not move the preferred tip.
    if (event.data.late === undefined) onNode(session, event, ({ checkpoints }) => checkpoints.push(event));
    else node?.checkpoints.push(event);
  });
}

/** Something is left on a node that may make a landmark of it. */
function leaveAt(session: FoldedSession, event: Event, leave: (node: RunNode | undefined) => void): void {
  const node = event.node === undefined ? undefined : session.nodes.get(event.node);
  const known = node !== undefined && isLandmark(node);
  leave(node);
  if (node !== undefined && !known && isLandmark(node)) becomeLandmark(session, node);
}

function onRun(session: FoldedSession, event: Event, record: (run: Run) => unknown): void {
  const run = event.run === undefined ? undefined : session.runs.get(event.run);
  if (run === undefined) return;
  record(run);
  if (event.at > run.lastAt) run.lastAt = event.at;
}

/** Records something on a node; what it speaks of may be missing here, and then there is nothing to record it on. */
function onNode(session: FoldedSession, event: Event, record: (node: RunNode) => unknown): void {
  const node = event.node === undefined ? undefined : session.nodes.get(event.node);
  if (node === undefined) return;
  record(node);
  node.touched = { seq: event.seq, by: event.by, sum: event.sum };
  const run = session.runs.get(node.run);
  if (run === undefined) return;
  if (event.at > run.lastAt) run.lastAt = event.at;
  // Events come in order, so this one is the greatest so far: the tip it touches is the preferred one.
  if (run.tips.has(node.id)) run.preferredTip = node.id;
}
