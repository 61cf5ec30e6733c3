import { Readable } from 'node:stream';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import { buildRequest } from '../../../src/catalogs/build-request.js';
import type { BuiltRequest, GivenCall } from '../../../src/catalogs/built-request.js';
import { exampleStep } from '../../../src/catalogs/example-step.js';
import { givenName, isOwnHeader } from '../../../src/definitions/compiled/parameter-names.js';
import type { Content, Operation, Parameter } from '../../../src/catalogs/openapi-catalog.js';
import { sentBody, withBoundary } from '../../../src/calls/request-body.js';
import { ok } from '../../../src/base/result.js';
import { type Drawing, valueOfSchema } from './value-of-schema.js';

export const baseUrl = 'https://api.example';
const boundary = 'xxxxboundaryxxxx';

type Draws = Omit<Drawing, 'definitions'>;

export interface Asked {
  /** Where one does not fit its schema, nothing can be said of the request. */
  readonly drawn: readonly { readonly schema: JsonValue; readonly value: JsonValue }[];
  readonly call: GivenCall;
}

/** The step that is shown to copy, with a value in each of its holes. */
export function exampleCall(operation: Operation, draws: Draws): Asked {
  const { step } = exampleStep('api', operation);
  const drawing: Drawing = { definitions: operation.definitions, ...draws, levels: 0 };
  const drawn: { schema: JsonValue; value: JsonValue }[] = [];
  const fill = (value: JsonValue, schema: JsonValue | undefined, depth = 0): JsonValue => {
    if (typeof value === 'string' && /^\$\{\{ inputs\.\w+ \}\}$/u.test(value)) {
      const found = valueOfSchema(schema, drawing);
      drawn.push({ schema: schema ?? {}, value: found });
      return found;
    }
    if (Array.isArray(value))
      return value.map((one: JsonValue) => fill(one, partOf(schema, drawing, 'items'), depth + 1));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, fill(inner, partOf(schema, drawing, name), depth + 1)]),
    );
  };
  const given = isJsonObject(step['with'] ?? null) ? (step['with'] as JsonObject) : {};
  const filled = Object.entries(given).map(([name, value]): [string, JsonValue] => {
    const parameter = operation.parameters.find((one) => givenName(one, operation.parameters) === name)!;
    return [name, withinSegment(parameter, fill(value, parameter.schema))];
  });
  const type = typeof step['content'] === 'string' ? step['content'] : undefined;
  const content = contentOf(operation, type);
  const { body } = step;
  const schema = /json|form|\*/u.test(content?.type ?? '') ? content?.schema : { type: 'string' };
  const sent = body === undefined ? undefined : isFile(body) ? { file: 'a.bin' } : fill(body, schema);
  return {
    drawn,
    call: {
      baseUrl,
      with: Object.fromEntries(filled),
      ...(sent !== undefined && { body: sent }),
      ...(type !== undefined && { content: type }),
    },
  };
}

/** Every parameter that the operation has, and a body with every field, once in each of its content types. */
export function wholeCalls(operation: Operation, draws: Draws): readonly Asked[] {
  const drawing: Drawing = { definitions: operation.definitions, ...draws };
  const drawn: { schema: JsonValue; value: JsonValue }[] = [];
  const values = operation.parameters.flatMap((parameter): [string, JsonValue][] => {
    if (isOwnHeader(parameter)) return [];
    const value = valueOfSchema(parameter.schema, drawing);
    drawn.push({ schema: parameter.schema ?? {}, value });
    return [[givenName(parameter, operation.parameters), withinSegment(parameter, value)]];
  });
  const bare = { baseUrl, with: Object.fromEntries(values) };
  const contents = operation.body?.content ?? [];
  if (contents.length === 0) return [{ drawn, call: bare }];
  return contents.map((content) => {
    const value = bodyFor(content, drawing);
    const isDrawn = !/octet|xml|\*|text\//u.test(content.type) && !isFile(value);
    return {
      drawn: isDrawn ? [...drawn, { schema: content.schema ?? {}, value }] : drawn,
      call: { ...bare, body: value, ...(!content.type.includes('*') && { content: content.type }) },
    };
  });
}

/** What may hold slashes by a key that Prism does not know is judged without one. */
const withinSegment = ({ segments }: Parameter, value: JsonValue): JsonValue =>
  segments === true && typeof value === 'string' ? value.replaceAll('/', ' ') : value;

const bodyFor = (content: Content, drawing: Drawing): JsonValue => {
  if (/json|form|\*/u.test(content.type)) return valueOfSchema(content.schema, drawing);
  return /text\/|xml/u.test(content.type) ? '<a/>' : { file: 'a.bin' };
};

const isFile = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).join(' ') === 'file';

const contentOf = ({ body }: Operation, type: string | undefined): Content | undefined =>
  body?.content.find((one) => (type === undefined ? /json/iu.test(one.type) : one.type === type)) ?? body?.content[0];

/** The schema of one part of a value, wherever in its forms it stands. */
function partOf(schema: JsonValue | undefined, drawing: Drawing, name: string, depth = 0): JsonValue | undefined {
  let found = schema;
  for (let steps = 0; isJsonObject(found ?? null) && steps < 30; steps += 1) {
    const reference = (found as JsonObject)['$ref'];
    if (typeof reference !== 'string') break;
    found = drawing.definitions[reference.replace('#/$defs/', '')];
  }
  if (!isJsonObject(found ?? null) || depth > 8) return undefined;
  const whole = found as JsonObject;
  if (name === 'items' && whole['items'] !== undefined) return whole['items'];
  const properties = whole['properties'] ?? null;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    for (const part of Array.isArray(whole[key]) ? (whole[key] as readonly JsonValue[]) : []) {
      const inner = partOf(part, drawing, name, depth + 1);
      if (inner !== undefined) return inner;
    }
  return undefined;
}

/** A request as a server reads it, or why there is none. */
export async function readAsServer(operation: Operation, call: GivenCall) {
  const built = buildRequest(operation, call);
  if (!built.ok) return { refused: built.error };
  const { method, url, body } = built.value;
  const bytes = await bodyText(body);
  const { pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => {
      const all = searchParams.getAll(key);
      return [key, all.length === 1 ? all[0]! : all];
    }),
  );
  const headers = Object.fromEntries(
    built.value.headers.map(([name, value]) => [
      name.toLowerCase(),
      body?.kind === 'multipart' && name === 'content-type' ? withBoundary(value, boundary) : value,
    ]),
  );
  const type = headers['content-type'] ?? '';
  const isJson = /^[\w.-]+\/(?:[\w.+-]+\+)?json(?:;|$)/iu.test(type);
  return {
    url,
    input: {
      method: method.toLowerCase(),
      url: { path: pathname, query },
      headers: {
        // What the auth of a catalog sends, where a document has it among the parameters.
        ...(operation.parameters.some(({ name }) => name.toLowerCase() === 'authorization') && {
          authorization: 'Bearer it',
        }),
        ...headers,
        ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      },
      body: bytes === undefined ? null : isJson ? (JSON.parse(bytes) as JsonValue) : bytes,
    },
  };
}

async function bodyText(body: BuiltRequest['body']): Promise<string | undefined> {
  if (body === undefined) return undefined;
  const opened = () => Promise.resolve(ok({ size: 4, chunks: Readable.from([Buffer.from('file')]) }));
  const sent = await sentBody(body, opened, boundary);
  if (!sent.ok) throw new Error(sent.error.message);
  if (Buffer.isBuffer(sent.value.body)) return sent.value.body.toString('utf8');
  let text = '';
  for await (const chunk of sent.value.body) text += Buffer.from(chunk as Uint8Array).toString('utf8');
  return text;
}
