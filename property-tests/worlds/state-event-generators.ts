import fc from 'fast-check';
import { conflictChoices, stateChanges } from '../../src/base/closed-sets.js';
import type { SchemaId, StateId, VersionId } from '../../src/base/ids.js';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { EventData } from '../../src/events/event-data.js';
import type { stateEvents } from '../../src/events/state-events.js';

/** What all generators of events are made of. */
interface Parts {
  readonly all: <T>(...parts: readonly fc.Arbitrary<object>[]) => fc.Arbitrary<T>;
  readonly maybe: <T, K extends string>(key: K, value: fc.Arbitrary<T>) => fc.Arbitrary<{ [k in K]?: T }>;
  readonly several: <T>(one: fc.Arbitrary<T>, least?: number) => fc.Arbitrary<T[]>;
  readonly digits: (count: number) => fc.Arbitrary<string>;
  readonly text: fc.Arbitrary<string>;
  readonly count: fc.Arbitrary<number>;
  readonly json: fc.Arbitrary<JsonValue>;
  readonly object: fc.Arbitrary<JsonObject>;
}

/** What a step was told of a state. */
export const stateRead = ({
  all,
  maybe,
  digits,
  json,
}: Pick<Parts, 'all' | 'maybe' | 'digits' | 'json'>): fc.Arbitrary<EventData<'step_acked'>['read'] & object> =>
  all(
    fc.record({
      state: digits(12).map((one) => `wfstate_${one}` as StateId),
      version: digits(12).map((one) => one as VersionId),
    }),
    maybe('value', json),
  );

/** The data of every event about shared states. */
export function stateData({ all, maybe, several, digits, text, count, json, object }: Parts): {
  readonly [K in keyof typeof stateEvents]: fc.Arbitrary<EventData<K>>;
} {
  const state = digits(12).map((one) => `wfstate_${one}` as StateId);
  const version = digits(12).map((one) => one as VersionId);
  const schema = fc.record({
    id: digits(12).map((one) => `schema_${one}` as SchemaId),
    name: text,
    version: fc.integer({ min: 1, max: 100 }),
    json: fc.oneof(object, fc.boolean()),
  });
  return {
    state_created: all(
      fc.record({ state, version, schema, request: digits(16), bytes: count }),
      maybe('from', fc.record({ state, version })),
    ),
    state_kept: fc.record({ state, version, value: json }),
    state_changed: all(
      fc.record({ state, version, from: version, bytes: count, ops: several(object) }),
      fc.record({ depth: fc.integer({ min: 1, max: 1000 }), mode: fc.constantFrom(...stateChanges) }),
      maybe('asked', version),
      maybe('merged', several(version, 1)),
      maybe('conflicts', several(version, 1)),
      maybe('schema', schema),
    ),
    state_refused: all(
      fc.record({ state, reason: text, digest: digits(16) }),
      fc.record({ violations: several(fc.record({ path: text, message: text })) }),
      maybe('asked', version),
    ),
    state_waived: fc.record({ state, reason: text }),
    state_settled: all(
      fc.record({ state, conflict: version, how: fc.constantFrom(...conflictChoices) }),
      maybe('reason', text),
    ),
    state_closed: fc.record({ state, reason: text }),
  };
}
