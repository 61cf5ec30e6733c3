import { z } from 'zod';
import { conflictChoices, stateChanges } from '../base/closed-sets.js';
import { idPatterns, type SchemaId, type StateId, type VersionId } from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { branded } from './branded.js';

const stateId = branded<StateId>(idPatterns.state);
const version = branded<VersionId>(idPatterns.version);
const schemaId = branded<SchemaId>(idPatterns.schema);
const count = z.number().int().min(0);
const anyValue = z.custom<JsonValue>((value) => value !== undefined, 'expected a value');
const operations = z.array(z.custom<JsonObject>(isJsonObject, 'expected an object'));

/** The schema stands in the event: a state is judged by it wherever the session goes, and it can be redacted. */
const schema = z.strictObject({
  id: schemaId,
  name: z.string(),
  version: z.number().int().min(1),
  json: z.union([z.custom<JsonObject>(isJsonObject), z.boolean()]),
});

/** What a step was told of a state: nothing of its value where that was too long to be kept with it. */
export const stateRead = z.strictObject({ state: stateId, version, value: anyValue.exactOptional() });

/** What a new version says beside how it came to be. */
const made = {
  state: stateId,
  version,
  from: version,
  /** How many changes are in it. */
  depth: z.number().int().min(1),
  /** What makes it of the version that it is from; `test` as it was sent, and passed over when it is read again. */
  ops: operations,
  /** Of the whole value, as JSON. */
  bytes: count,
};

/** The facts about shared states: documents of a root session that all agents below it share. */
export const stateEvents = {
  state_created: z.strictObject({
    state: stateId,
    version,
    schema,
    /** Digest of what was asked: the same create again finds this state. */
    request: z.string().regex(/^[0-9a-f]{16}$/u),
    /** The version of a state that it was forked from. */
    from: z.strictObject({ state: stateId, version }).exactOptional(),
    bytes: count,
  }),
  /** The whole value of a version, so that no version needs all changes since the first. */
  state_kept: z.strictObject({ state: stateId, version, value: anyValue }),
  state_changed: z.strictObject({
    ...made,
    mode: z.enum(stateChanges),
    /** The version that the writer knew, where it was not the one that this is from. */
    asked: version.exactOptional(),
    /** Other heads, whose changes are in this one too. */
    merged: z.array(version).min(1).exactOptional(),
    /** Changes in it that touch what another changed, and were not applied. */
    conflicts: z.array(version).min(1).exactOptional(),
    schema: schema.exactOptional(),
  }),
  /** What an agent handed in while it was asked to report, and why it was not taken. */
  state_refused: z.strictObject({
    state: stateId,
    asked: version.exactOptional(),
    reason: z.string(),
    violations: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    digest: z.string().regex(/^[0-9a-f]{16}$/u),
  }),
  /** An agent has nothing to report. */
  state_waived: z.strictObject({ state: stateId, reason: z.string() }),
  /** What becomes of a change that a merge could not apply. */
  state_settled: z.strictObject({
    state: stateId,
    conflict: version,
    how: z.enum(conflictChoices),
    reason: z.string().exactOptional(),
  }),
  state_closed: z.strictObject({ state: stateId, reason: z.string() }),
} as const;

export type StateSchema = z.infer<typeof schema>;
