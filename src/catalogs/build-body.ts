import { shownJson } from '../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { isFile } from '../definitions/compiled/file-reference.js';
import type { BuiltBody, BuiltPart, Complain, GivenCall } from './built-request.js';
import { formText } from './form-text.js';
import type { Content, Encoding, Operation } from './openapi-catalog.js';
import type { RequestedOperation } from './operation-of-shape.js';
import { isContentType, isJsonType } from './read-bodies.js';
import { isOfTypes, resolvedSchema, toldTypes, toldValue, typesOf } from './value-type.js';

interface TypedBody {
  readonly type: string;
  readonly body: BuiltBody;
}

/** The body of a request in the content type that was asked for, else in the simplest that the operation takes. */
export function buildBody(
  operation: RequestedOperation,
  { body, content }: GivenCall,
  complain: Complain,
): TypedBody | undefined {
  const declared = operation.body;
  if (declared === undefined || declared.content.length === 0) {
    if (body !== undefined) complain('/body', 'unexpected_body', 'the operation takes no body');
    return undefined;
  }
  if (body === undefined) {
    const types = declared.content.map(({ type }) => type).join(', ');
    if (declared.required)
      complain('/body', 'missing_body', `a body is missing; the operation takes ${types}`, { expected: types });
    return undefined;
  }
  const chosen = chosenContent(declared.content, body, content);
  if (chosen === undefined) {
    const types = declared.content.map(({ type }) => type).join(', ');
    complain('/content', 'content_type', `the operation takes no \`${content ?? ''}\`; it takes ${types}`, {
      expected: types,
    });
    return undefined;
  }
  const made = bodyAs(chosen, body, operation, complain);
  return made && { type: chosen.type, body: made };
}

/** The essence of a content type: without its parameters. */
const essence = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

function chosenContent(contents: readonly Content[], body: JsonValue, wanted: string | undefined): Content | undefined {
  if (wanted !== undefined) {
    if (!isContentType(wanted)) return undefined;
    const exact = contents.find(({ type }) => essence(type) === essence(wanted));
    const wide = contents.find(({ type }) => isWithin(essence(wanted), essence(type)));
    const content = exact ?? wide;
    return content && { ...content, type: wanted };
  }
  const rank = ({ type }: Content): number => preferences.findIndex((is) => is(type));
  const best = contents.toSorted((one, other) => rank(one) - rank(other))[0]!;
  return best.type.includes('*') ? { ...best, type: usualType(best.type, body) } : best;
}

const isForm = (type: string): boolean => essence(type) === 'application/x-www-form-urlencoded';
const isMultipart = (type: string): boolean => essence(type).startsWith('multipart/');
const isText = (type: string): boolean => essence(type).startsWith('text/');

/** Plain JSON, JSON of a kind, anything that may be JSON, forms, texts, and the rest. */
const preferences: readonly ((type: string) => boolean)[] = [
  (type) => essence(type) === 'application/json',
  (type) => essence(type) === '*/*',
  isJsonType,
  isForm,
  isMultipart,
  isText,
  () => true,
];

const isWithin = (type: string, range: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));

const usualType = (range: string, body: JsonValue): string => {
  if (range.startsWith('text/')) return 'text/plain';
  return isFile(body) ? 'application/octet-stream' : 'application/json';
};

function bodyAs(
  content: Content,
  body: JsonValue,
  { definitions }: RequestedOperation,
  complain: Complain,
): BuiltBody | undefined {
  const { type } = content;
  if (isJsonType(type)) {
    const types = typesOf(content.schema, definitions);
    if (body === null || isOfTypes(body, types)) return { kind: 'text', text: JSON.stringify(body) };
    complain('/body', 'body_type', `the body is ${toldTypes(types)}, and ${toldValue(body)} was given`, {
      expected: toldTypes(types),
      actual: shownJson(body),
    });
    return undefined;
  }
  if (isForm(type) || isMultipart(type)) {
    if (!isJsonObject(body)) {
      complain('/body', 'body_type', `\`${type}\` takes an object with its fields, and ${toldValue(body)} was given`);
      return undefined;
    }
    if (isMultipart(type)) return { kind: 'multipart', parts: partsOf(content, body, definitions) };
    const text = formText(content, body, complain);
    return text === undefined ? undefined : { kind: 'text', text };
  }
  if (isFile(body)) return { kind: 'file', file: body };
  if (typeof body !== 'object') return { kind: 'text', text: String(body) };
  complain('/body', 'body_type', `\`${type}\` takes a text, or a file as {"file": "…"}; ${toldValue(body)} was given`);
  return undefined;
}

function partsOf(content: Content, body: JsonObject, definitions: Operation['definitions']): readonly BuiltPart[] {
  const schema = resolvedSchema(content.schema, definitions);
  const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined;
  return Object.entries(body).flatMap(([name, value]): BuiltPart[] => {
    if (value === null) return [];
    const types = typesOf(isJsonObject(properties) ? own(properties, name) : undefined, definitions);
    const encoded = own(content.encoding ?? {}, name)
      ?.contentType?.split(',')[0]
      ?.trim();
    const type = encoded === undefined || encoded.includes('*') ? undefined : encoded;
    const items: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    const joined = Array.isArray(value) ? joinedItems(items, own(content.encoding ?? {}, name)) : undefined;
    if (joined !== undefined) return [partOf(name, joined, type, false)];
    return items.map((item) => partOf(name, item, type, types.includes('object')));
  });
}

/** A list whose items stand in one part, as 2.0 has it where nothing else is said. */
function joinedItems(items: readonly JsonValue[], encoding: Encoding | undefined): string | undefined {
  const texts = items.flatMap((one) => (typeof one === 'object' ? [] : [String(one)]));
  if (encoding?.style === undefined || encoding.explode !== false || texts.length < items.length) return undefined;
  return texts.join(separators.get(encoding.style) ?? ',');
}

const separators: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
  ['tabDelimited', '\t'],
]);

function partOf(name: string, value: JsonValue, type: string | undefined, isObjectMeant: boolean): BuiltPart {
  if (isFile(value) && !isObjectMeant) return { name, file: value, ...(type !== undefined && { type }) };
  if (typeof value === 'object') return { name, text: JSON.stringify(value), type: type ?? 'application/json' };
  return { name, text: String(value), ...(type !== undefined && { type }) };
}
