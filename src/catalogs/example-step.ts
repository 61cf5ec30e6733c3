import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { Operation } from './openapi-catalog.js';

/** A step that runs a command with all that it requires, and the inputs that it reads. */
export interface ExampleStep {
  readonly inputs: JsonObject;
  readonly step: JsonObject;
}

const deepest = 5;

/** The least that a command takes, to be copied into a workflow. */
export function exampleStep(catalog: string, operation: Operation): ExampleStep {
  const inputs: Record<string, JsonValue> = {};
  const given: Record<string, JsonValue> = {};
  const twice = (name: string): boolean => operation.parameters.filter((one) => one.name === name).length > 1;
  for (const { name, in: place, required, schema, description } of operation.parameters) {
    if (!required) continue;
    const key = twice(name) ? `${place}.${name}` : name;
    const found = resolved(schema, operation, 0);
    const fixed = fixedValue(found);
    if (fixed !== undefined) given[key] = fixed;
    else {
      const input = freeInput(inputs, name);
      inputs[input] = { type: inputType(found), required: true, ...described(description) };
      given[key] = `\${{ inputs.${input} }}`;
    }
  }
  const body = bodyOf(operation, inputs);
  const { content } = operation.body ?? { content: [] };
  return {
    inputs,
    step: {
      id: stepId(operation.id),
      run: `${catalog} ${operation.id}`,
      ...(Object.keys(given).length > 0 && { with: given }),
      ...(body !== undefined && { body }),
      ...(body !== undefined && content.length > 1 && { content: content[0]!.type }),
    },
  };
}

/** A name that a step may have, out of the last words of a command. */
function stepId(id: string): string {
  const words = id
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
  const name = words.slice(-4).join('_');
  return /^[a-z]/u.test(name) ? name : `step_${name}`;
}

function freeInput(inputs: Readonly<Record<string, JsonValue>>, name: string): string {
  const plain = name.replaceAll(/\W+/gu, '_').replaceAll(/^_+|_+$/gu, '');
  const start = /^[A-Za-z]/u.test(plain) ? plain : `input_${plain}`;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? start : `${start}_${number}`;
    if (!Object.hasOwn(inputs, free)) return free;
  }
}

const described = (text: string | undefined): JsonObject =>
  text === undefined || text.trim() === '' ? {} : { description: text.trim().split('\n')[0]!.slice(0, 100) };

/** What a schema leaves no choice about. */
function fixedValue(schema: JsonObject): JsonValue | undefined {
  const only =
    own(schema, 'const') ??
    (Array.isArray(schema['enum']) && schema['enum'].length === 1 ? (schema['enum'][0] as JsonValue) : undefined);
  return only ?? undefined;
}

function inputType(schema: JsonObject): string {
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const [type] = types;
  return types.length === 1 &&
    typeof type === 'string' &&
    ['string', 'number', 'integer', 'boolean', 'object', 'array'].includes(type)
    ? type
    : 'string';
}

function resolved(schema: JsonValue | undefined, operation: Operation, depth: number): JsonObject {
  if (!isJsonObject(schema) || depth > deepest) return {};
  const ref = schema['$ref'];
  return typeof ref === 'string'
    ? resolved(own(operation.definitions, ref.replace('#/$defs/', '')), operation, depth + 1)
    : schema;
}

function bodyOf(operation: Operation, inputs: Record<string, JsonValue>): JsonValue | undefined {
  const { body } = operation;
  const [content] = body?.content ?? [];
  if (body === undefined || content === undefined) return undefined;
  const schema = resolved(content.schema, operation, 0);
  const names = Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
  if (!body.required && names.length === 0) return undefined;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  if (names.length === 0 && Object.keys(properties).length === 0) {
    const input = freeInput(inputs, 'body');
    inputs[input] = { type: inputType(schema), required: true };
    return `\${{ inputs.${input} }}`;
  }
  return Object.fromEntries(
    names.map((name): [string, JsonValue] => {
      const found = resolved(own(properties, name), operation, 0);
      const fixed = fixedValue(found);
      if (fixed !== undefined) return [name, fixed];
      const input = freeInput(inputs, name);
      const { description } = found;
      inputs[input] = {
        type: inputType(found),
        required: true,
        ...described(typeof description === 'string' ? description : undefined),
      };
      return [name, `\${{ inputs.${input} }}`];
    }),
  );
}
