import { z } from 'zod';
import { stateChanges } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, jsonValue, text, texts } from './described.js';

const stateTold = z.strictObject({
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

const schemaTold = z.strictObject({
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
const schemasTold = z.strictObject({
  schemas: z.array(schemaTold).describe('By name and version'),
  problems: z
    .array(z.strictObject({ path: text('The file'), problem: text('What is wrong with it') }))
    .describe('Files that are no schemas'),
});

const versionsTold = z.strictObject({
  state_id: text('ID of the state'),
  version: count('The newest'),
  versions: z
    .array(
      z.strictObject({
        version: count('How many changes are in it'),
        etag: text('The version, for If-Match and expected_version'),
        at: text('When it was written, in ISO 8601'),
        made: z.enum(['create', ...stateChanges]).describe('How it came to be'),
        bytes: count('Size of the document as JSON'),
        agent: text('The agent that wrote it').exactOptional(),
        door: text('Where a person wrote it').exactOptional(),
        step: text('The step of a workflow that put it there, by its path').exactOptional(),
        run: text('The run of that step').exactOptional(),
        conflict: z.literal(true).describe('A merge could not do it, and nobody has settled that').exactOptional(),
      }),
    )
    .describe('The newest first'),
  next: count('The value of before for the next page').exactOptional(),
});
export type StateVersions = ReadonlyOutput<typeof versionsTold>;

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
  stateVersion: stateTold,
  stateVersions: versionsTold,
  stateDiff: versionsCompared,
  settleState: stateTold,
  forkState: stateTold,
  migrateState: stateTold,
  sessionState: stateTold,
} as const;
