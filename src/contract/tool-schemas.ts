import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { type RequestName, requestSchemas } from './request-schemas.js';

export interface ToolSchemaOptions {
  /** Whether sessions without a workflow are offered, so that a checkpoint may name one by its sessionToken. */
  readonly sessionTokens: boolean;
  /** The names of the first contract take notes at the top level too. */
  readonly legacy: boolean;
}

const takesNotes: readonly RequestName[] = ['continue_workflow', 'checkpoint_workflow'];

/** What a tool takes, as JSON Schema 2020-12 without `$schema` and `$ref`: some clients understand neither. */
export function toolSchema(name: RequestName, { sessionTokens, legacy }: ToolSchemaOptions): JsonObject {
  // What is kept as it came is described by its `meta` alone, hence `any`.
  const full = plain(
    z.toJSONSchema(requestSchemas[name], {
      target: 'draft-2020-12',
      io: 'input',
      reused: 'inline',
      unrepresentable: 'any',
    }),
  );
  const whole = without(full, '$schema');
  const schema = name === 'checkpoint_workflow' && !sessionTokens ? withStateTokenOnly(whole) : whole;
  return legacy && takesNotes.includes(name) ? withNotes(schema) : schema;
}

function withStateTokenOnly(schema: JsonObject): JsonObject {
  return {
    ...schema,
    properties: without(plain(schema['properties']), 'sessionToken'),
    required: ['stateToken', ...requiredOf(schema)],
  };
}

function withNotes(schema: JsonObject): JsonObject {
  const properties = {
    ...plain(schema['properties']),
    notesMarkdown: { type: 'string', description: 'the same as output.notesMarkdown' },
  };
  return { ...schema, properties, required: requiredOf(schema).filter((field) => field !== 'output') };
}

function requiredOf(schema: JsonObject): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((field) => typeof field === 'string') : [];
}

const without = (fields: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));

/** Zod hangs functions on what it returns; this leaves the schema alone. */
function plain(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return isJsonObject(copy) ? copy : {};
}
