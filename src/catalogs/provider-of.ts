import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { givenName } from '../definitions/compiled/parameter-names.js';
import type { Operation, Parameter } from './openapi-catalog.js';
import { objectAt, plainSchema, typesIn } from './plain-schema.js';
import { isJsonType } from './read-bodies.js';

/** How a command offers choices: a list, and what each of its items has to choose by. */
export interface Provider {
  /** Where the list stands in the answer, as an expression: `body`, `body.items`. */
  readonly items: string;
  /** The fields of an item that name it, best first; none where the items are texts or numbers themselves. */
  readonly fields: readonly string[];
  /** Parameters that have to be given, as a step names them. */
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
  'number',
  'id',
  'code',
  'label',
  'display_name',
  'displayName',
];
const scalars: readonly JsonValue[] = ['string', 'integer', 'number'];

type Asked = Pick<Operation, 'method' | 'path' | 'safety' | 'answers' | 'body' | 'definitions'> & {
  readonly parameters: readonly Parameter[];
};

/** What an operation offers to choose from, where it does. */
export function providerOf({
  method,
  path,
  safety,
  answers,
  parameters,
  body,
  definitions,
}: Asked): Provider | undefined {
  if (method !== 'GET' || safety !== 'safe' || body?.required === true) return undefined;
  const good = answers.filter(({ status }) => status.startsWith('2'));
  const contents = (good.length > 0 ? good : answers.filter(({ status }) => status === 'default')).flatMap(
    ({ content }) => content,
  );
  const content = contents.find(({ type }) => isJsonType(type)) ?? contents.find(({ type }) => type === '*/*');
  const plain: Plain = (schema) => plainSchema(schema, definitions);
  const list = listIn(plain(content?.schema), plain, path.replace(/#.*$/su, '').endsWith('}'));
  const fields = list && fieldsOf(list.item, plain);
  if (fields === undefined) return undefined;
  return {
    items: list!.at,
    fields,
    required: parameters.filter(({ required }) => required).map((parameter) => givenName(parameter, parameters)),
  };
}

type Plain = (schema: JsonValue | undefined) => JsonObject;

/** A name that an expression reads with a dot. */
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/u.test(name) && !reserved.has(name);
const reserved = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

const isList = (schema: JsonObject): boolean => typesIn(schema).includes('array') || isJsonObject(schema['items']);

/** Of one thing alone, a list that it happens to have is no list of what was asked for. */
function listIn(
  schema: JsonObject,
  plain: Plain,
  isOneThing: boolean,
): { readonly at: string; readonly item: JsonObject } | undefined {
  if (isList(schema)) return { at: 'body', item: plain(schema['items']) };
  const lists = Object.entries(objectAt(schema, 'properties')).flatMap(([name, one]) => {
    const found = plain(one);
    return isList(found) && isName(name) ? [{ name, item: plain(found['items']) }] : [];
  });
  const usual = usualLists.map((name) => lists.find((one) => one.name === name)).find((one) => one !== undefined);
  const chosen = usual ?? (lists.length === 1 && !isOneThing ? lists[0] : undefined);
  return chosen && { at: `body.${chosen.name}`, item: chosen.item };
}

function fieldsOf(item: JsonObject, plain: Plain): readonly string[] | undefined {
  const isScalar = (schema: JsonObject): boolean => scalars.some((type) => typesIn(schema).includes(type));
  if (isScalar(item)) return [];
  const members = Object.entries(objectAt(item, 'properties')).flatMap(([name, schema]) =>
    isName(name) ? [[name, plain(schema)] as const] : [],
  );
  const flat = members.flatMap(([name, schema]) => (isScalar(schema) ? [name] : []));
  // What has its name inside, as `metadata.name`.
  const inner = members.flatMap(([name, schema]) =>
    usualNames.flatMap((usual) => {
      const field = own(objectAt(schema, 'properties'), usual);
      return field !== undefined && isScalar(plain(field)) ? [`${name}.${usual}`] : [];
    }),
  );
  const { required } = item;
  // What may be missing comes after what is always there.
  const always = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : []);
  const names = usualNames.filter((name) => flat.includes(name));
  const named = [...names.filter((name) => always.has(name)), ...names.filter((name) => !always.has(name))];
  const fields = [...named, ...(named.length > 0 ? [] : inner), ...flat.filter((name) => !named.includes(name))];
  return fields.length === 0 ? undefined : fields.slice(0, limits.providerFields);
}
