import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json-value.js';

/** JSON Schema 2020-12 without `$schema` and `$ref`: some clients understand neither. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  // What is kept as it came is described by its `meta` alone, hence `any`.
  const made = z.toJSONSchema(schema, { target: 'draft-2020-12', io, reused: 'inline', unrepresentable: 'any' });
  // Zod hangs functions on what it returns; a copy leaves the schema alone.
  const copy: unknown = JSON.parse(JSON.stringify({ ...made, $schema: undefined }));
  return isJsonObject(copy) ? copy : {};
}
