import { expect, it } from 'vitest';
import type { EventSum, NodeId, RunId, WriterId, AttemptId, KeyId, WorkflowHash } from '../base/ids.js';
import { modes, type Preferences } from '../base/preferences.js';
import type { Event, EventDraft } from '../events/event.js';
import { foldSession } from './fold-session.js';
import { emptySession } from './folded-session.js';
import { preferenceChangesAt } from './preference-changes.js';

const [run, root, next, last] = ['run_00000001', 'n_000000000000', 'n_000000000001', 'n_000000000002'] as [
  RunId,
  NodeId,
  NodeId,
  NodeId,
];
const made = { key: 'k_00000000' as KeyId, engine: '1' };
const who = { door: 'page' } as const;

const started = (preferences: Preferences): EventDraft => ({
  kind: 'run_started',
  run,
  node: root,
  data: {
    workflowId: 'team.x',
    workflowHash: '0'.repeat(64) as WorkflowHash,
    title: 'X',
    version: '1',
    source: '',
    inputs: {},
    context: {},
    request: '',
    preferences,
    ...made,
  },
});
const acked = (parent: NodeId, node: NodeId, preferences?: Preferences): EventDraft => ({
  kind: 'step_acked',
  run,
  node,
  data: {
    parent,
    attempt: 'a_0000000000' as AttemptId,
    step: `after ${parent}`,
    brought: '',
    ...(preferences !== undefined && { preferences }),
  },
});
const chosen = (node: NodeId, preferences: Preferences): EventDraft => ({
  kind: 'preferences_changed',
  run,
  node,
  who,
  data: { preferences },
});

function played(...drafts: readonly EventDraft[]) {
  const begun: EventDraft = { kind: 'session_started', data: { preferences: modes.guided, producer: '' } };
  const events = [begun, ...drafts].map((draft, index) => ({
    ...draft,
    v: 3,
    seq: index + 1,
    by: 'writer00' as WriterId,
    at: '2026-01-01T00:00:00.000Z',
    prev: '',
    sum: String(index + 1).padStart(16, '0') as EventSum,
  })) as readonly Event[];
  const session = foldSession(emptySession(), events);
  return (node: NodeId) =>
    preferenceChangesAt(session, session.nodes.get(node)!).map(({ by, step, who: user, before, after }) => ({
      by,
      ...(step !== undefined && { step }),
      ...(user !== undefined && { door: user.door }),
      from: before.autonomy,
      to: after.autonomy,
    }));
}

const { guided, auto_stop: auto, auto_never_stop: never } = modes;

it('a start that chooses other than its session is told, and one that does not is not', () => {
  expect(played(started(guided))(root)).toEqual([]);
  expect(played(started(auto))(root)).toEqual([{ by: 'start', from: guided.autonomy, to: auto.autonomy }]);
});

it('an agent is told by the step it handed in, a person by their door, each from what held until then', () => {
  const at = played(started(never), acked(root, next, guided), chosen(next, auto), acked(next, last, auto));
  expect(at(next)).toEqual([
    { by: 'agent', step: `after ${root}`, from: never.autonomy, to: guided.autonomy },
    { by: 'person', door: 'page', from: guided.autonomy, to: auto.autonomy },
  ]);
  // The ack says anew what a person chose at its parent: the agent asked for nothing.
  expect(at(last)).toEqual([]);
});

it('a person who allows what the agent asked for is told beside it', () => {
  const at = played(started(guided), acked(root, next, never), chosen(next, never));
  expect(at(next)).toEqual([
    { by: 'agent', step: `after ${root}`, from: guided.autonomy, to: never.autonomy },
    { by: 'person', door: 'page', from: never.autonomy, to: never.autonomy },
  ]);
});

it('what a person chose at a step after it was done is no change of what followed', () => {
  const at = played(started(guided), acked(root, next), chosen(root, never));
  expect(at(root)).toEqual([{ by: 'person', door: 'page', from: guided.autonomy, to: never.autonomy }]);
  expect(at(next)).toEqual([]);
});
