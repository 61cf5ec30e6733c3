import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { jsonSchemaOf } from './json-schema-of.js';
import { type RequestName, requestSchemas } from './request-schemas.js';

export interface ToolSchemaOptions {
  /** Whether sessions without a workflow are offered, so that a checkpoint may name one by its sessionToken. */
  readonly sessionTokens: boolean;
  /** The names of the first contract take notes at the top level too. */
  readonly legacy: boolean;
}

/** What a tool takes. */
export function toolSchema(name: RequestName, { sessionTokens, legacy }: ToolSchemaOptions): JsonObject {
  const whole = jsonSchemaOf(requestSchemas[name], 'input');
  const schema = name === 'checkpoint_workflow' && !sessionTokens ? withStateTokenOnly(whole) : whole;
  return legacy && 'output' in propertiesOf(schema) ? withNotes(schema) : schema;
}

function withStateTokenOnly(schema: JsonObject): JsonObject {
  return {
    ...schema,
    properties: without(propertiesOf(schema), 'sessionToken'),
    required: ['stateToken', ...requiredOf(schema)],
  };
}

function withNotes(schema: JsonObject): JsonObject {
  const properties = {
    ...propertiesOf(schema),
    notesMarkdown: { type: 'string', description: 'the same as output.notesMarkdown' },
  };
  return { ...schema, properties, required: requiredOf(schema).filter((field) => field !== 'output') };
}

function requiredOf(schema: JsonObject): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((field) => typeof field === 'string') : [];
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const without = (fields: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
