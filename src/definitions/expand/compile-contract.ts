import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';

/** An agent writes `kind` into every artifact, so a schema that is silent about it is made to speak of it. */
export function compileContract(source: OutputContract): OutputContract {
  const { kind, required, schema } = source;
  const example: JsonObject = Object.hasOwn(source.example, 'kind') ? source.example : { kind, ...source.example };
  const properties = isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {};
  if (Object.hasOwn(properties, 'kind')) return { kind, required, schema, example };
  const listed = Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : [];
  return {
    kind,
    required,
    schema: {
      ...schema,
      properties: { kind: { const: kind }, ...properties },
      required: listed.includes('kind') ? listed : ['kind', ...listed],
    },
    example,
  };
}
