import { z } from 'zod';
import { conflictChoices, stateChanges } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, jsonValue, nodeId, runId, sessionId, text, texts } from './described.js';
import { unreadable } from './unreadable-told.js';

export const stateTold = z.strictObject({
  kind: z.literal('state').describe('What this is'),
  state_id: text('ID of the state'),
  schema_id: text('ID of its schema'),
  schema_name: text('Name of its schema'),
  schema_version: count('Version of its schema'),
  root_session_id: text('ID of its session'),
  root_session_name: text('Name of its session'),
  version: count('How many changes are in it, its creation being the first'),
  etag: text('The version, for If-Match and expected_version'),
  status: z.enum(['open', 'closed']).describe('Whether it can be written'),
  path: text('JSON Pointer to the part that was asked for').exactOptional(),
  current_data: jsonValue('The document, or the part of it'),
  bytes: count('Size of the whole document as JSON'),
  conflicts: texts('Versions whose changes could not be merged, and wait to be settled'),
  created_at: text('When it was created, in ISO 8601'),
  updated_at: text('When this version was written, in ISO 8601'),
  writeToken: text('For the tools of agents').exactOptional(),
  warnings: texts('Warnings'),
  overwrote: texts('Versions of others that this write was done over').exactOptional(),
  nextCall: jsonValue('For the tools of agents').exactOptional(),
});

const listed = stateTold.omit({
  kind: true,
  path: true,
  current_data: true,
  writeToken: true,
  warnings: true,
  overwrote: true,
  nextCall: true,
});
export type StateListed = ReadonlyOutput<typeof listed>;

/** GET /workflow-states */
const statesTold = z.strictObject({
  states: z.array(listed).describe('Without their documents, the one written last first'),
  found: count('How many there are, shown or not'),
  unreadable,
});
export type StatesTold = ReadonlyOutput<typeof statesTold>;

export type StateTold = ReadonlyOutput<typeof stateTold>;

export const schemaTold = z.strictObject({
  schema_id: text('ID of the schema'),
  name: text('Its name'),
  version: count('Its version'),
  description: text('What it is for').exactOptional(),
  json_schema: jsonValue('The JSON Schema'),
  created_at: text('When it was registered, in ISO 8601').exactOptional(),
  updated_at: text('The same: a schema is never changed').exactOptional(),
  isNew: flag('False if the same text was registered before').exactOptional(),
  path: text('Its file').exactOptional(),
});
export type SchemaTold = ReadonlyOutput<typeof schemaTold>;
const schemasTold = z.strictObject({
  schemas: z.array(schemaTold).describe('By name and version'),
  problems: z
    .array(z.strictObject({ path: text('The file'), problem: text('What is wrong with it') }))
    .describe('Files that are no schemas'),
});

const who = {
  agent: text('The agent that did it').exactOptional(),
  door: text('Where a person did it').exactOptional(),
  person: text('The person, where they said so').exactOptional(),
} as const;

const versionTold = z.strictObject({
  version: count('How many changes are in it'),
  etag: text('The version, for If-Match and expected_version'),
  at: text('When it was written, in ISO 8601'),
  made: z.enum(['create', ...stateChanges]).describe('How it came to be'),
  bytes: count('Size of the document as JSON'),
  seq: count('Its position in the session’s total order'),
  from: text('Etag of the version that it was made from; absent for the first').exactOptional(),
  merged: texts('Etags of other versions whose changes a merge brought into it').exactOptional(),
  ...who,
  step: text('The step of a workflow that put it there, by its path').exactOptional(),
  run: text('The run of that step').exactOptional(),
  conflict: z.literal(true).describe('A merge could not do it, and nobody has settled that').exactOptional(),
});
export type VersionTold = ReadonlyOutput<typeof versionTold>;

const statesOfSession = z.strictObject({
  sessionId,
  states: z
    .array(
      z.strictObject({
        ...stateTold.omit({ current_data: true, path: true, writeToken: true, overwrote: true, nextCall: true }).shape,
        heads: texts(
          'Versions that are the newest on a clone each, the one that is served first; the next write merges them',
        ),
        forked_from: z
          .strictObject({ state_id: text('ID of that state'), etag: text('The version') })
          .describe('The version that it began with; absent unless it is a fork')
          .exactOptional(),
        closed: z
          .strictObject({ at: text('When, in ISO 8601'), reason: text('Why; may be empty'), ...who })
          .describe('Who closed it; absent while it is open')
          .exactOptional(),
      }),
    )
    .describe('In the order they were created'),
});
export type StatesOfSession = ReadonlyOutput<typeof statesOfSession>;

const versionsTold = z.strictObject({
  state_id: text('ID of the state'),
  version: count('The newest'),
  versions: z.array(versionTold).describe('The newest first'),
  next: count('The value of before for the next page').exactOptional(),
});
export type StateVersions = ReadonlyOutput<typeof versionsTold>;

const changeTold = z.strictObject({
  state_id: text('ID of the state'),
  etag: text('The version'),
  operations: jsonValue('JSON Patch as it was recorded; empty for the first version'),
  set_aside: texts('Etags of versions whose changes this merge could not do'),
  step: z
    .strictObject({ runId, nodeId, title: text('Title of the step') })
    .describe('The newest step of the session when it was written; absent before the first run')
    .exactOptional(),
  settled: z
    .strictObject({
      at: text('When, in ISO 8601'),
      how: z.enum(conflictChoices).describe('Made then, or left out'),
      reason: text('Why').exactOptional(),
      ...who,
    })
    .describe('What became of it, if a merge could not do it; absent while that is open')
    .exactOptional(),
});
export type ChangeTold = ReadonlyOutput<typeof changeTold>;

const versionsCompared = z.strictObject({
  state_id: text('ID of the state'),
  from: text('Etag of the first version'),
  to: text('Etag of the second version'),
  operations: jsonValue('JSON Patch that makes the second of the first'),
});
export type VersionsCompared = ReadonlyOutput<typeof versionsCompared>;

/** What the routes of shared states answer. */
export const stateAnswers = {
  addSchema: schemaTold,
  schemas: schemasTold,
  schema: schemaTold,
  schemaVersions: schemasTold,
  createState: stateTold,
  state: stateTold,
  replaceState: stateTold,
  patchState: stateTold,
  closeState: stateTold,
  states: statesTold,
  stateVersion: stateTold,
  stateVersions: versionsTold,
  stateChange: changeTold,
  stateSchema: schemaTold,
  sessionStates: statesOfSession,
  stateDiff: versionsCompared,
  mergeState: stateTold,
  settleState: stateTold,
  forkState: stateTold,
  migrateState: stateTold,
  sessionState: stateTold,
} as const;
