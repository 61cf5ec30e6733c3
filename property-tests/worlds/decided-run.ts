import type { EventSum, KeyId, WorkflowHash } from '../../src/base/ids.js';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Mode } from '../../src/base/preferences.js';
import { modes } from '../../src/base/preferences.js';
import { decideStart } from '../../src/decide/decide-start.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import type { Event, EventDraft } from '../../src/events/event.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession, type RunNode } from '../../src/sessions/folded-session.js';

export const key = 'k_00000000' as KeyId;

/** A run that stands in no log: decisions are folded as they are taken. */
export interface DecidedRun {
  readonly session: FoldedSession;
  readonly record: (draft: EventDraft) => void;
  /** All that was recorded, in its order. */
  readonly events: readonly Event[];
  readonly root: RunNode['id'];
}

export function beginRun(workflow: CompiledWorkflow, mode: Mode, context: JsonObject = {}): DecidedRun {
  const session = emptySession();
  const events: Event[] = [];
  const record = (draft: EventDraft): void => {
    const seq = events.length + 1;
    const sum = seq.toString(16).padStart(16, '0') as EventSum;
    const by = 'writer000' as Event['by'];
    events.push({ v: 2, seq, by, at: '2026-01-05T09:00:00.000Z', prev: '', sum, ...draft } as Event);
    foldSession(session, events.slice(-1));
  };
  const started = decideStart(session, {
    workflow,
    hash: '0'.repeat(64) as WorkflowHash,
    source: '',
    context,
    preferences: { mode },
    fresh: false,
    sessionStart: { producer: 'test' },
    globalPreferences: modes.guided,
    observation: undefined,
    noticed: [],
    key,
    engine: 'test',
    draw: idsFromSeed('start'),
  });
  if (!started.ok) throw new Error(started.error.message);
  for (const draft of started.value.events) record(draft);
  return { session, record, events, root: started.value.node };
}
