import { serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { EventSum, KeyId, SessionId, WorkflowHash } from '../../src/base/ids.js';
import type { JsonObject } from '../../src/base/json-value.js';
import { modes } from '../../src/base/preferences.js';
import { decideAck } from '../../src/decide/decide-ack.js';
import { decideStart } from '../../src/decide/decide-start.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { Event, EventDraft } from '../../src/events/event.js';
import { answerToAck } from '../../src/respond/execution-answers.js';
import type { Sealer } from '../../src/respond/sealer.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession, type RunNode } from '../../src/sessions/folded-session.js';
import { countReads } from '../worlds/count-reads.js';

/** A step by its number, from 1, and what the agent hands in for it besides its notes. */
interface Shape {
  readonly step: (at: number) => JsonObject;
  readonly context?: (at: number) => JsonObject;
}

/** As long for every step. */
const named = (name: string, at: number): string => `${name}${String(at).padStart(4, '0')}`;

const shapes: { readonly [name: string]: Shape } = {
  'notes alone': { step: () => ({ prompt: 'Look at the next part.' }) },
  'a context key each, read by the next step': {
    step: (at) => ({
      sets: { [named('key', at)]: { type: 'string' } },
      prompt: at === 1 ? 'Begin.' : `Look at \${{ context.${named('key', at - 1)} }}.`,
    }),
    context: (at) => ({ [named('key', at)]: named('value', at) }),
  },
  'the words of the first step, read by all': {
    step: (at) => ({ prompt: at === 1 ? 'Begin.' : 'Look at ${{ outputs.s0001.notes }}.' }),
  },
  'one key that every step sets': {
    step: () => ({ sets: { found: { type: 'string' } }, prompt: 'Look at the next part.' }),
    context: (at) => ({ found: named('part', at) }),
  },
};

const key = 'k_00000000' as KeyId;
const sealer: Sealer = {
  session: 'STRAIGHT' as SessionId,
  state: (node) => `st_${node}`,
  ack: (node) => `ack_${node}`,
  sessionToken: () => 'ses_',
};

interface Walked {
  readonly session: FoldedSession;
  /** Looks into the session and into the workflow, of each step: to decide it and to answer it. */
  readonly looks: readonly number[];
  /** Of each answer and of each line. */
  readonly bytes: readonly number[];
}

/** Runs a workflow of so many steps, one after another, as far as its last step. */
function walk({ step, context = () => ({}) }: Shape, steps: number): Walked {
  const list = Array.from({ length: steps }, (_, at) => ({ id: named('s', at + 1), ...step(at + 1) }));
  const compiled = compileSource(JSON.stringify({ workflow: 'team.straight', steps: list }), 'x');
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations.slice(0, 3)));
  const session = emptySession();
  let seq = 0;
  const record = (draft: EventDraft): Event => {
    seq += 1;
    const sum = seq.toString(16).padStart(16, '0') as EventSum;
    const by = 'writer000' as Event['by'];
    const event = { v: 1, seq, by, at: '2026-01-05T09:00:00.000Z', prev: '', sum, ...draft } as Event;
    foldSession(session, [event]);
    return event;
  };
  const started = decideStart(session, {
    workflow: compiled.workflow,
    hash: '0'.repeat(64) as WorkflowHash,
    source: '',
    context: {},
    preferences: undefined,
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
  let at = started.value.node;
  let reads = 0;
  const watch = <T extends object>(value: T): T => countReads(value, (more) => (reads += more));
  const [watched, workflow] = [watch(session), watch(compiled.workflow)];
  const looks: number[] = [];
  const bytes: number[] = [];
  for (let number = 1; number < steps; number += 1) {
    reads = 0;
    const decided = decideAck(watched, watched.nodes.get(at)!, {
      workflow,
      attempt: idsFromSeed(`attempt ${number}`).attemptId(),
      output: { notesMarkdown: `${named('Part ', number)}: as it should be.` },
      context: context(number),
      confirmed: false,
      preferences: undefined,
      key,
      engine: 'test',
      draw: idsFromSeed(`step ${number}`),
    });
    if (decided.kind !== 'advanced') throw new Error(`step ${number} is ${JSON.stringify(decided)}`);
    const events = decided.events.map(record) as Event<'step_acked'>[];
    const answer = answerToAck({ session: watched, workflow, sealer }, events[0]!);
    at = decided.child;
    looks.push(reads);
    bytes.push(JSON.stringify([answer, events]).length);
  }
  return { session, looks, bytes };
}

/** Of so many steps as are summed up together, so that no window has more of them than another. */
const window = 64;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const [short, long] = [160, 640];

describe.each(Object.entries(shapes))('a straight run with %s', (_, shape) => {
  const [runOfShort, runOfLong] = [walk(shape, short), walk(shape, long)];

  test('looks at as much for a step at its end as at its beginning, however long it is', () => {
    const windows = {
      early: sum(runOfLong.looks.slice(window, 2 * window)),
      late: sum(runOfLong.looks.slice(-window)),
      ofShort: sum(runOfShort.looks.slice(-window)),
    };
    // A name is looked up in a few places more where the way is longer; nothing is looked at once a step.
    const least = Math.min(windows.early, windows.ofShort);
    expect(Math.max(...Object.values(windows)), JSON.stringify(windows)).toBeLessThanOrEqual(least * 1.1);
  });

  test('keeps as much of a step', () => {
    const sizeOf = (nodes: readonly RunNode[]): number => serialize(nodes).length / nodes.length;
    const parts = {
      ofShort: sizeOf([...runOfShort.session.nodes.values()]),
      ofLong: sizeOf([...runOfLong.session.nodes.values()]),
    };
    expect(parts.ofLong, JSON.stringify(parts)).toBeLessThanOrEqual(parts.ofShort * 1.1);
  });

  test('answers and records as much', () => {
    // As long as their numbers have as many digits.
    expect(new Set(runOfLong.bytes.slice(100, -1)).size).toBe(1);
  });
});
