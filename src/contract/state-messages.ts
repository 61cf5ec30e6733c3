import { z } from 'zod';
import { stateChanges } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, jsonValue, text, texts } from './described.js';
import { stateTold } from './states-told.js';

const at = {
  state_id: text('ID of the state'),
  version: count('How many changes are in it'),
  etag: text('The version'),
};
const by = {
  updated_by_session: text('Who did it: the name of an agent, else of the session of the state'),
  door: text('Where a person did it').exactOptional(),
  timestamp: text('When, in ISO 8601'),
};

/** What whoever follows a shared state is told, by the name that each message bears. */
export const stateMessages = {
  workflow_state_snapshot: stateTold
    .omit({ kind: true, path: true, writeToken: true, overwrote: true, nextCall: true })
    .extend({ event_type: z.literal('workflow_state_snapshot').describe('What this is') })
    .describe('The whole state: where following begins, or where what came since cannot be told'),
  workflow_state_updated: z
    .strictObject({
      event_type: z.literal('workflow_state_updated').describe('What this is'),
      ...at,
      from: text('Etag of the version before: the one that was told last'),
      made: z.enum(['create', ...stateChanges]).describe('How the version came to be'),
      operations: jsonValue('JSON Patch that makes it of the version before'),
      includes: texts(
        'Where clones were merged: etags of versions that it brings besides itself, at most 100',
      ).exactOptional(),
      schema_name: text('Name of its schema, where that is another than before').exactOptional(),
      schema_version: count('Version of that schema').exactOptional(),
      ...by,
    })
    .describe('A new version'),
  workflow_state_conflicts: z
    .strictObject({
      event_type: z.literal('workflow_state_conflicts').describe('What this is'),
      ...at,
      conflicts: texts('Versions whose changes could not be merged, and wait to be settled; none if all are settled'),
    })
    .describe('There are other conflicts than before'),
  workflow_state_closed: z
    .strictObject({
      event_type: z.literal('workflow_state_closed').describe('What this is'),
      ...at,
      reason: text('Why'),
      ...by,
    })
    .describe('It was closed: it can be read, and not written'),
  workflow_state_gone: z
    .strictObject({
      event_type: z.literal('workflow_state_gone').describe('What this is'),
      state_id: at.state_id,
      message: text('What has happened'),
    })
    .describe('Its session is not there any more; should it come back, following goes on'),
} as const;

export type StateMessages = { readonly [K in keyof typeof stateMessages]: ReadonlyOutput<(typeof stateMessages)[K]> };
export type StateMessage = StateMessages[keyof StateMessages];
export type StateUpdated = StateMessages['workflow_state_updated'];

/** GET /workflow-states/{state}/changes */
export const changesOfState = z.strictObject({
  state_id: at.state_id,
  version: count('The version that was told last'),
  etag: text('Its etag: the value of since for the next call'),
  status: z.enum(['open', 'closed']).describe('Whether it can be written'),
  conflicts: texts('Versions whose changes could not be merged, and wait to be settled'),
  changes: z
    .array(stateMessages.workflow_state_updated)
    .describe('What came since, in order; none if the time is over'),
  upToDate: z.boolean().describe('False if there are more: ask again at once'),
});
export type ChangesOfState = ReadonlyOutput<typeof changesOfState>;
