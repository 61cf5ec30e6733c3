import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { Operation } from './openapi-catalog.js';

/** How a command offers choices: a list, and what each of its items has to choose by. */
export interface Provider {
  /** Where the list stands in the answer, as an expression: `body`, `body.items`. */
  readonly items: string;
  /** The fields of an item that name it, best first; none where the items are texts or numbers themselves. */
  readonly fields: readonly string[];
  /** Parameters that have to be given. */
  readonly required: readonly string[];
}

/** What lists are called that hold what was asked for, rather than what stands beside it. */
const usualLists = ['items', 'data', 'results', 'values', 'entries', 'records', 'list'];
const usualNames = [
  'name',
  'login',
  'slug',
  'title',
  'key',
  'full_name',
  'id',
  'code',
  'label',
  'display_name',
  'displayName',
];
const deepest = 6;

/** What an operation offers to choose from, where it does. */
export function providerOf(operation: Operation): Provider | undefined {
  const { method, safety, answers, parameters, body } = operation;
  if (method !== 'GET' || safety !== 'safe' || body?.required === true) return undefined;
  const good =
    answers.find(({ status }) => status.startsWith('2')) ?? answers.find(({ status }) => status === 'default');
  const content = good?.content.find(({ type }) => /\bjson\b/u.test(type) || type === '*/*');
  const find = (schema: JsonValue | undefined): JsonObject => resolved(schema, operation, 0);
  const list = listIn(find(content?.schema), find);
  if (list === undefined) return undefined;
  const fields = fieldsOf(list.item);
  if (fields === undefined) return undefined;
  return {
    items: list.at,
    fields,
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** A schema without its references, and those that must hold together as one. */
function resolved(schema: JsonValue | undefined, operation: Operation, depth: number): JsonObject {
  if (!isJsonObject(schema) || depth > deepest) return {};
  const { $ref: ref, allOf } = schema;
  if (typeof ref === 'string')
    return resolved(own(operation.definitions, ref.replace('#/$defs/', '')), operation, depth + 1);
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as readonly JsonValue[]).map((part) => resolved(part, operation, depth + 1));
  const properties = Object.assign({}, ...[schema, ...parts].map((part) => objectAt(part, 'properties'))) as JsonObject;
  return { ...Object.assign({}, ...parts, schema), properties } as JsonObject;
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = own(schema, key);
  return isJsonObject(value) ? value : {};
};

const isOf = (schema: JsonObject, type: string): boolean => [schema['type']].flat().includes(type);

type Find = (schema: JsonValue | undefined) => JsonObject;

function listIn(schema: JsonObject, find: Find): { readonly at: string; readonly item: JsonObject } | undefined {
  if (isOf(schema, 'array')) return { at: 'body', item: find(schema['items']) };
  const lists = Object.entries(objectAt(schema, 'properties')).flatMap(([name, one]) => {
    const found = find(one);
    return isOf(found, 'array') && /^[A-Za-z_]\w*$/u.test(name) ? [{ name, item: find(found['items']) }] : [];
  });
  const usual = usualLists.map((name) => lists.find((one) => one.name === name)).find((one) => one !== undefined);
  const chosen = usual ?? (lists.length === 1 ? lists[0] : undefined);
  return chosen && { at: `body.${chosen.name}`, item: chosen.item };
}

function fieldsOf(item: JsonObject): readonly string[] | undefined {
  const scalar = ['string', 'integer', 'number'];
  if (scalar.some((type) => isOf(item, type))) return [];
  const fields = Object.entries(objectAt(item, 'properties')).flatMap(([name, schema]) =>
    isJsonObject(schema) && scalar.some((type) => isOf(schema, type)) && /^[A-Za-z_]\w*$/u.test(name) ? [name] : [],
  );
  const rank = (name: string): number => {
    const at = usualNames.indexOf(name);
    return at < 0 ? usualNames.length : at;
  };
  return fields.length === 0 ? undefined : fields.toSorted((a, b) => rank(a) - rank(b)).slice(0, limits.providerFields);
}
