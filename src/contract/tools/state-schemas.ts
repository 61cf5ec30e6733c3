import { z } from 'zod';
import { idPatterns } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';

const anyValue = z.custom<JsonValue>((value) => value !== undefined, 'is missing').meta({});
const name = z.string().min(1).max(64).describe('name of a schema that is registered');
const number = z.number().int().min(1);

/** Which state is meant: that of the session, or one by its id. */
const which = {
  session: z.string().max(limits.sessionKey).regex(/\S/u, 'is blank').optional().describe('name or id of a session'),
  stateId: z
    .string()
    .regex(idPatterns.state, 'is no state such as wfstate_0123456789ab')
    .optional()
    .describe('state_id, in place of session'),
};
const writing = {
  ...which,
  writeToken: z.string().optional().describe('of state_read or of your last write: what it is based on'),
  expectedVersion: z
    .union([number, z.string().regex(/^v\d+-[0-9a-f]{12}$/u)])
    .optional()
    .describe('number or etag; refused if anything was written since'),
};

/** What the tools about shared states take. */
export const stateSchemas = {
  state_create: z.strictObject({
    schemaName: name,
    schemaVersion: number.optional().describe('the newest, unless said'),
    initialData: anyValue.describe('the document, which has to fit the schema'),
    session: which.session,
  }),
  state_read: z.strictObject({
    ...which,
    path: z.string().max(2000).optional().describe('JSON Pointer to a part, such as /tasks/0'),
    version: z
      .union([number, z.string().regex(/^v\d+-[0-9a-f]{12}$/u)])
      .optional()
      .describe('an older version, by its number or etag'),
  }),
  state_update: z.strictObject({ ...writing, data: anyValue.describe('the whole document') }),
  state_patch: z.strictObject({
    ...writing,
    operations: z
      .custom<JsonValue>((value) => Array.isArray(value), 'is no array of operations')
      .meta({ type: 'array', items: { type: 'object' } })
      .describe('JSON Patch: add, remove, replace, move, copy, test'),
  }),
  state_waive: z.strictObject({
    ...which,
    writeToken: writing.writeToken,
    reason: z.string().min(1).max(1000).describe('why there is nothing to report'),
  }),
  state_schema: z.strictObject({
    ...which,
    schemaName: name.optional().describe('a schema by its name, in place of that of the state'),
    schemaVersion: number.optional(),
  }),
} as const;
