import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { preferencesSchema } from '../base/preferences-schema.js';

/** What answers are made of. Each says what it is: a client reads that in the OpenAPI document. */
export const text = (says: string): z.ZodString => z.string().describe(says);
export const texts = (says: string): z.ZodArray<z.ZodString> => z.array(z.string()).describe(says);
export const count = (says: string): z.ZodNumber => z.number().int().min(0).describe(says);
export const flag = (says: string): z.ZodBoolean => z.boolean().describe(says);
/** Somebody's own JSON, described by nothing but that. */
const anyObject = z
  .custom<JsonObject>(isJsonObject, 'expected an object')
  .meta({ type: 'object', additionalProperties: true });
export const jsonObject = (says: string): z.ZodType<JsonObject> => anyObject.describe(says);
export const jsonObjects = (says: string): z.ZodArray<z.ZodType<JsonObject>> => z.array(anyObject).describe(says);
export const jsonValue = (says: string): z.ZodType<JsonValue> =>
  z.custom<JsonValue>((value) => value !== undefined, 'expected a value').describe(says);
export const preferences = (says: string): typeof preferencesSchema => preferencesSchema.describe(says);

/** As reports, the map and the command line have it. */
export const branchNumber = count(
  'Number of its branch, 1 for the preferred one; absent in a run that has only one',
).exactOptional();

export const sessionId = text('ID of the session');
export const runId = text('ID of the run');
export const nodeId = text('ID of the node');
export const path = text('Path of the step in its workflow');
export const eventSum = text('Checksum of the event: its identity, for workrail redact');
export const startedAt = text('When it started, in ISO 8601');
export const lastAt = text('When something was last recorded, in ISO 8601');
/** As whoever wrote it had it. */
export const at = text('When it was recorded, in ISO 8601');
export const runStatus = z
  .enum(['in_progress', 'blocked', 'running', 'complete', 'complete_with_gaps', 'failed', 'canceled'])
  .describe('Status of the run');
/** What a program says of itself; it proves nothing. */
export const agentName = z.strictObject({
  name: text('The name it gives itself'),
  version: text('The version it gives itself').exactOptional(),
});
