import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { givenName, isOwnHeader } from '../definitions/compiled/parameter-names.js';
import type { Content, Operation } from './openapi-catalog.js';
import { isTextOrNumber, objectAt, plainSchema, typesIn } from './plain-schema.js';
import { isJsonType } from './read-bodies.js';
import { resolvedSchema } from './value-type.js';

/** A step that runs a command with all that it requires, and the inputs that it reads. */
export interface ExampleStep {
  readonly inputs: JsonObject;
  readonly step: JsonObject;
}

/** The least that a command takes, to be copied into a workflow. */
export function exampleStep(catalog: string, operation: Operation): ExampleStep {
  const inputs = new Map<string, JsonObject>();
  const values = new ExampleValues(operation.definitions, inputs);
  const given = operation.parameters.flatMap((parameter): [string, JsonValue][] => {
    const { name, required, schema, description } = parameter;
    if (!required || isOwnHeader(parameter)) return [];
    return [
      [
        givenName(parameter, operation.parameters),
        values.value(name, plainSchema(schema, operation.definitions), description, deepestBody + 1),
      ],
    ];
  });
  const content = operation.body && contentFor(operation.body.content);
  const body = content && values.body(content, operation.body?.required === true);
  return {
    inputs: Object.fromEntries(inputs),
    step: {
      id: stepId(operation.id),
      run: `${catalog} ${operation.id}`,
      ...(given.length > 0 && { with: Object.fromEntries(given) }),
      ...(body !== undefined && { body }),
      ...(body !== undefined && !goesWithoutSaying(operation.body!.content) && { content: content!.type }),
    },
  };
}

const contentFor = (contents: readonly Content[]): Content | undefined =>
  contents.find(({ type }) => isJsonType(type)) ?? contents[0];

const goesWithoutSaying = (contents: readonly Content[]): boolean =>
  contents.length === 1 || contents.some(({ type }) => isJsonType(type));

/** A name that a step may have, out of the last words of a command. */
function stepId(id: string): string {
  const words = id
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
  const name = words.slice(-4).join('_').slice(0, 60);
  return /^[a-z]/u.test(name) ? name : `step_${name}`;
}

const mostChoices = 20;
const deepestBody = 4;
const isText = /^text\/|xml/iu;

/** Values of a request as far as a document says them; what it leaves open is read from inputs. */
class ExampleValues {
  constructor(
    private readonly definitions: Operation['definitions'],
    private readonly inputs: Map<string, JsonObject>,
  ) {}

  body({ type, schema }: Content, required: boolean): JsonValue | undefined {
    const plain = plainSchema(schema, this.definitions);
    const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/iu.test(type);
    const isFile = !isForm && !isJsonType(type) && type !== '*/*' && !isText.test(type);
    // What is sent as a file is what the command is there for.
    if (!required && !isRequiring(plain) && !isFile) return undefined;
    if (isJsonType(type) || type === '*/*' || isForm)
      return isForm || isObject(plain) ? this.object(plain, isForm, 0) : this.value('body', plain, undefined, 0);
    if (!isFile) return this.leaf('body', { type: 'string' }, undefined);
    return { file: this.leaf('file', { type: 'string' }, 'path of a file in the workspace') };
  }

  /** Of an object the fields that it requires. */
  private object(schema: JsonObject, isForm: boolean, depth: number): JsonObject {
    const properties = objectAt(schema, 'properties');
    return Object.fromEntries(
      requiredOf(schema).flatMap((name): [string, JsonValue][] => {
        const field = plainSchema(own(properties, name), this.definitions);
        if (field['readOnly'] === true) return [];
        // What has parts and need not be there is left to its author.
        if (!isForm && isShown(field) && this.mayBeNull(own(properties, name))) return [[name, null]];
        const { description } = field;
        const told = typeof description === 'string' ? description : undefined;
        if (isForm && isBytes(field)) return [[name, { file: this.leaf(name, field, told) }]];
        if (isForm && isBytes(plainSchema(field['items'], this.definitions)))
          return [[name, [{ file: this.leaf(name, { type: 'string' }, told) }]]];
        return [[name, this.value(name, field, told, depth + 1)]];
      }),
    );
  }

  /** What requires nothing in itself is read from an input as it is; of a list of objects one is shown. */
  value(name: string, schema: JsonObject, description: string | undefined, depth: number): JsonValue {
    const isTold = (one: JsonObject): boolean => isShown(one) && depth <= deepestBody;
    if (isTold(schema)) return this.object(schema, false, depth);
    const items = typesIn(schema).includes('array') ? plainSchema(schema['items'], this.definitions) : {};
    return isTold(items) ? [this.object(items, false, depth)] : this.leaf(name, schema, description);
  }

  private mayBeNull(schema: JsonValue | undefined): boolean {
    const found = resolvedSchema(schema, this.definitions);
    if (!isJsonObject(found)) return false;
    const forms = [found['oneOf'] ?? [], found['anyOf'] ?? []].flat();
    return (
      found['nullable'] === true ||
      [found['type']].flat().includes('null') ||
      forms.some((one) => isJsonObject(one) && one['type'] === 'null')
    );
  }

  private leaf(name: string, schema: JsonObject, description: string | undefined): JsonValue {
    const [only, another] = choicesOf(schema);
    if (only !== undefined && another === undefined) return only;
    const type = inputType(schema);
    const items = type === 'array' ? plainSchema(schema['items'], this.definitions) : undefined;
    const line = description?.trim().split('\n')[0]!.trim().slice(0, 100) ?? '';
    const input = this.free(name);
    this.inputs.set(input, {
      ...inputSpec(schema),
      ...(items !== undefined && { items: inputSpec(items) }),
      required: true,
      ...(line !== '' && !line.includes('${{') && { description: line }),
    });
    return `\${{ inputs.${input} }}`;
  }

  private free(name: string): string {
    const plain = name
      .replaceAll(/\W+/gu, '_')
      .replaceAll(/^_+|_+$/gu, '')
      .slice(0, 50);
    const start = /^[A-Za-z]/u.test(plain) ? plain : `input_${plain}`;
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? start : `${start}_${number}`;
      if (!this.inputs.has(free)) return free;
    }
  }
}

/** Sent as a file. */
const isBytes = (schema: JsonObject): boolean =>
  schema['format'] === 'binary' || schema['contentMediaType'] === 'application/octet-stream';

const isObject = (schema: JsonObject): boolean =>
  typesIn(schema).includes('object') || Object.keys(objectAt(schema, 'properties')).length > 0;

function requiredOf(schema: JsonObject): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** What is asked of it in parts. */
const isShown = (schema: JsonObject): boolean => isObject(schema) && isRequiring(schema);

const isRequiring = (schema: JsonObject): boolean => requiredOf(schema).length > 0;

/** The values that it leaves; none where they could be taken for something to be filled in. */
function choicesOf(schema: JsonObject): readonly JsonValue[] {
  const { enum: several } = schema;
  const only = own(schema, 'const');
  const choices = only !== undefined ? [only] : Array.isArray(several) ? (several as readonly JsonValue[]) : [];
  return JSON.stringify(choices).includes('${{') ? [] : choices.filter((one) => one !== null);
}

function inputSpec(schema: JsonObject): JsonObject {
  const type = inputType(schema);
  const choices = choicesOf(schema);
  const fits = choices.length > 0 && choices.length <= mostChoices && choices.every((one) => isOf(one, type));
  return { type, ...(fits && { enum: choices }) };
}

function inputType(schema: JsonObject): string {
  const types = typesIn(schema);
  const known = ['string', 'number', 'integer', 'boolean', 'object', 'array'].find((type) => type === types[0]);
  if (types.length > 1) return isTextOrNumber(types) ? 'string' : 'any';
  return known ?? (isObject(schema) ? 'object' : 'string');
}

/** Whether a choice may stand for an input of a type: documents write numbers among texts. */
const isOf = (value: JsonValue, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === 'any' || typeof value === type;
