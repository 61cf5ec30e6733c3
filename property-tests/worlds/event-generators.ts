import fc from 'fast-check';
import {
  afterTry,
  answerKinds,
  blockerCodes,
  callOutcomes,
  commandSources,
  confirmers,
  gapCategories,
  gapSeverities,
  repeatRules,
  settlements,
  noBodyReasons,
  stopStatuses,
  waitEnds,
  warningCodes,
  withdrawalReasons,
} from '../../src/base/closed-sets.js';
import type {
  AttemptId,
  CallId,
  EventSum,
  GapId,
  KeyId,
  NodeId,
  OriginId,
  RunId,
  WorkflowHash,
  WriterId,
} from '../../src/base/ids.js';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Preferences } from '../../src/base/preferences.js';
import {
  assumptionPolicySchema,
  autonomySchema,
  gateHandlingSchema,
  riskPolicySchema,
} from '../../src/base/preferences-schema.js';
import type { Blocker, EventData, EventKind, Gap, Output, Position, Warning } from '../../src/events/event-data.js';
import { doors, type Envelope, type EventDraft } from '../../src/events/event.js';
import { brokenText } from './nasty-text.js';
import { stateData, stateRead } from './state-event-generators.js';

const digits = (count: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: count, maxLength: count });
const id = <T extends string>(prefix: string, count: number): fc.Arbitrary<T> =>
  digits(count).map((text) => `${prefix}${text}` as T);

const sums = id<EventSum>('', 16);
export const nodeIds = id<NodeId>('n_', 12);
export const attemptIds = id<AttemptId>('a_', 10);
const runIds = id<RunId>('run_', 12);
const gapIds = id<GapId>('gap_', 8);
const keyIds = id<KeyId>('k_', 8);
const callIds = id<CallId>('c_', 12);
const hashes = id<WorkflowHash>('', 64);
const writers = fc
  .string({ unit: fc.constantFrom(...Array.from('0123456789abcdefghjkmnpqrstvwxyz')), minLength: 8, maxLength: 16 })
  .map((text) => text as WriterId);

const text = brokenText(12);
const count = fc.nat(1000);
const maybe = <T, K extends string>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<{ [k in K]?: T }> =>
  fc
    .option(value, { nil: undefined })
    .map((drawn) => (drawn === undefined ? {} : { [key]: drawn }) as { [k in K]?: T });

/** JSON with keys that objects treat in their own way. */
const key = fc.oneof(brokenText(6), fc.constantFrom('__proto__', 'constructor', 'toString', '0', ''));
const json: fc.Arbitrary<JsonValue> = fc.jsonValue({ maxDepth: 3 }).map((value) => value as JsonValue);
const object: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(key, json), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

const preferences: fc.Arbitrary<Preferences> = fc.record({
  autonomy: fc.constantFrom(...autonomySchema.options),
  gateHandling: fc.constantFrom(...gateHandlingSchema.options),
  assumptionPolicy: fc.constantFrom(...assumptionPolicySchema.options),
  riskPolicy: fc.constantFrom(...riskPolicySchema.options),
});

const several = <T>(one: fc.Arbitrary<T>, least = 0): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: least, maxLength: 3 });
function all<T>(...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<T> {
  return fc.tuple(...parts).map((drawn) => Object.assign({}, ...drawn) as T);
}

const stepName = fc.record({ id: text, path: text, title: text });
const position: fc.Arbitrary<Position> = all(
  stepName,
  fc.record({ frames: several(fc.record({ loop: text, iteration: fc.integer({ min: 1, max: 1000 }) })) }),
  maybe('does', fc.constantFrom('run', 'fail')),
);
const output: fc.Arbitrary<Output> = all(maybe('notes', text), maybe('artifacts', several(object)));
const gap: fc.Arbitrary<Gap> = all(
  fc.record({
    id: gapIds,
    category: fc.constantFrom(...gapCategories),
    reason: text,
    detail: text,
    severity: fc.constantFrom(...gapSeverities),
  }),
  maybe('assumption', text),
  maybe('resolves', gapIds),
);
const warning: fc.Arbitrary<Warning> = all(
  fc.record({ code: fc.constantFrom(...warningCodes), message: text }),
  maybe('path', text),
);
const blocker: fc.Arbitrary<Blocker> = fc.record({
  code: fc.constantFrom(...blockerCodes),
  pointer: text,
  message: text,
  fix: text,
});
const way = all<object>(
  maybe('next', position),
  maybe('entered', several(fc.record({ loop: text, items: fc.array(json, { maxLength: 3 }) }))),
  maybe('skipped', several(fc.record({ path: text, title: text, reason: text }))),
  maybe('warnings', several(warning)),
  maybe('gaps', several(gap)),
  maybe('read', stateRead({ all, maybe, digits, json })),
);
const made = fc.record({ key: keyIds, engine: text });
const branch = all<object>(fc.record({ child: nodeIds, tip: nodeIds, steps: count }), maybe('newest', sums));
const fork = fc.record({
  branches: several(branch),
  branchesOmitted: count,
  preferredTip: nodeIds,
  recap: several(sums),
  recapOmitted: count,
});
const openGaps = fc.record({ shown: several(gapIds), omitted: count, critical: count });
const labels = all<object>(maybe('title', text), maybe('tags', several(text)));

/** The data of every kind of event. A kind that is added without a line here does not compile. */
const dataOf: { readonly [K in EventKind]: fc.Arbitrary<EventData<K>> } = {
  session_started: all(maybe('key', text), labels, fc.record({ preferences, producer: text })),
  run_started: all(
    fc.record({
      workflowId: text,
      workflowHash: hashes,
      title: text,
      version: text,
      source: text,
      inputs: object,
      context: object,
      preferences,
      request: digits(16),
    }),
    maybe('repairs', runIds),
    maybe('openRuns', several(nodeIds, 1)),
    way,
    made,
  ),
  step_acked: all(
    fc.record({ parent: nodeIds, attempt: attemptIds, step: text, brought: digits(16) }),
    maybe('preferences', preferences),
    maybe('key', keyIds),
    maybe('engine', text),
    maybe('output', output),
    maybe('context', object),
    maybe('rounds', several(fc.record({ loop: text, round: count, line: text }))),
    maybe('added', fc.dictionary(text, fc.array(json, { maxLength: 3 }), { maxKeys: 3 })),
    maybe('confirmed', fc.constant(true as const)),
    maybe('answers', several(sums, 1)),
    maybe('command', fc.record({ call: callIds, source: fc.constantFrom(...commandSources) })),
    maybe('openGaps', openGaps),
    maybe('openRuns', several(nodeIds, 1)),
    maybe('fork', fork),
    way,
  ),
  step_blocked: all(
    fc.record({ attempt: attemptIds, step: stepName, request: digits(16), blockers: several(blocker, 1), preferences }),
    maybe('output', output),
    maybe('context', object),
    maybe('confirmed', fc.constant(true as const)),
    maybe('gaps', several(gap)),
    maybe('warnings', several(warning)),
    maybe('refused', text),
    maybe('command', all(fc.record({ call: callIds }), maybe('try', fc.integer({ min: 1, max: 1000 })))),
    made,
  ),
  question_answered: all(
    fc.record({ block: sums, question: text, answer: fc.constantFrom(...answerKinds) }),
    maybe('context', object),
    maybe('reason', text),
    maybe('terminal', fc.boolean()),
    maybe('seal', digits(16)),
  ),
  wait_ended: fc.record({ block: sums, how: fc.constantFrom(...waitEnds) }),
  command_sent: all(
    fc.record({
      call: callIds,
      try: fc.integer({ min: 1, max: 1000 }),
      catalog: text,
      command: text,
      method: text,
      url: text,
      digest: digits(16),
      repeat: fc.constantFrom(...repeatRules),
      home: digits(16),
    }),
    maybe('body', fc.record({ bytes: count, preview: text })),
  ),
  command_settled: all(
    fc.record({
      call: callIds,
      try: fc.integer({ min: 1, max: 1000 }),
      choice: fc.constantFrom(...settlements),
      reason: text,
    }),
    maybe('body', json),
  ),
  plan_confirmed: fc.record({
    plan: text,
    writes: several(fc.record({ path: text, command: text })),
    home: digits(16),
    by: fc.constantFrom(...confirmers),
    seal: digits(16),
  }),
  command_done: all(
    fc.record({
      call: callIds,
      try: fc.integer({ min: 1, max: 1000 }),
      catalog: text,
      command: text,
      method: text,
      url: text,
      outcome: fc.constantFrom(...callOutcomes),
      then: fc.constantFrom(...afterTry),
      bytes: count,
      ms: count,
    }),
    maybe('status', fc.integer({ min: 100, max: 599 })),
    maybe('headers', fc.dictionary(text, text, { maxKeys: 3 })),
    maybe('pages', fc.integer({ min: 1, max: 1000 })),
    maybe('of', callIds),
    maybe('waitMs', count),
    maybe('body', json),
    maybe('file', fc.record({ sha256: digits(64), bytes: count, type: text })),
    maybe('noBody', fc.constantFrom(...noBodyReasons)),
    maybe('error', fc.record({ code: text, message: text, action: text })),
  ),
  run_stopped: all(
    fc.record({ status: fc.constantFrom(...stopStatuses), code: text, message: text }),
    maybe('call', callIds),
  ),
  checkpoint: all(
    fc.record({ output, brought: digits(16), key: keyIds }),
    maybe('gaps', several(gap)),
    maybe('late', all(fc.record({ attempt: attemptIds }), maybe('context', object))),
    maybe('warnings', several(warning)),
  ),
  observation: all(
    maybe('branch', text),
    maybe('commit', text),
    maybe('repository', text),
    maybe('remote', text),
    maybe('root', text),
  ),
  preferences_changed: fc.record({ preferences }),
  note_added: fc.record({ text }),
  session_labelled: all(labels, maybe('keep', fc.boolean())),
  ...stateData({ all, maybe, several, digits, text, count, json, object }),
  lines_withdrawn: fc.record({ sums: several(sums, 1), reason: fc.constantFrom(...withdrawalReasons), detail: text }),
};

export const eventKinds = Object.keys(dataOf) as readonly EventKind[];

const who = all(
  fc.record({ door: fc.constantFrom(...doors) }),
  maybe('person', text),
  maybe('agent', text),
  maybe('turn', text),
);

export function draftOf(kind: EventKind): fc.Arbitrary<EventDraft> {
  const data: fc.Arbitrary<unknown> = dataOf[kind];
  return all<EventDraft>(
    fc.record({ kind: fc.constant(kind), data }),
    maybe('run', runIds),
    maybe('node', nodeIds),
    maybe('who', who),
  );
}

export const envelopes: fc.Arbitrary<Omit<Envelope, 'sum' | 'v'>> = all(
  fc.record({
    seq: fc.integer({ min: 1, max: 1_000_000 }),
    by: writers,
    at: fc
      .date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2060-01-01') })
      .map((date) => date.toISOString()),
    prev: fc.oneof(fc.constant('' as const), sums),
  }),
  maybe('origin', fc.constantFrom('AUTH-1234' as OriginId, 'ses_0a1b2c' as OriginId)),
  maybe('more', fc.constant(true as const)),
  maybe('saw', fc.dictionary(writers, sums, { maxKeys: 3 })),
);
