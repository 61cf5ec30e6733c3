import { z } from 'zod';
import { idPatterns } from '../../base/ids.js';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';

const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/u;

/** Small letters, digits, dots, dashes: it is the name of a folder, too. */
export const isSchemaName = (name: string): boolean => namePattern.test(name);

const form = z.strictObject({
  schema_id: z.string().regex(idPatterns.schema),
  name: z.string().regex(namePattern),
  version: z.number().int().min(1),
  description: z.string().optional(),
  created_at: z.string(),
  json_schema: z.union([z.custom<JsonObject>(isJsonObject), z.boolean()]),
});

/** The file of a schema that is registered; why it is none. */
export function readSchemaFile(text: string): Result<z.infer<typeof form>, string> {
  const parsed = form.safeParse(JSON.parse(text));
  return parsed.success ? ok(parsed.data) : err(parsed.error.issues[0]?.message ?? 'it is no schema file');
}
