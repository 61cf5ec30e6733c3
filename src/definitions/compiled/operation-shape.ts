import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.js';
import type { ReadonlyOutput } from '../../base/readonly-output.js';

const text = z.string();
const maybe = z.exactOptional;
const schema = z.custom<JsonValue>((value) => value !== undefined).describe('JSON Schema as the catalog has it');

const parameter = z.strictObject({
  name: text,
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean(),
  schema: maybe(schema),
  style: maybe(text).describe('How a list or an object is written; absent means as OpenAPI has it for the place'),
  explode: maybe(z.boolean()),
  allowReserved: maybe(z.literal(true)),
  segments: maybe(z.literal(true)).describe('It may stand for several segments of the path'),
  contentType: maybe(text).describe('The value is written in this type, such as application/json'),
});

const field = z.strictObject({
  contentType: maybe(text),
  style: maybe(text),
  explode: maybe(z.boolean()),
  allowReserved: maybe(z.boolean()),
});

const requestBody = z.strictObject({
  contentType: text,
  required: z.boolean(),
  schema: maybe(schema),
  encoding: maybe(z.record(text, field)).describe('How the fields of a form are written'),
});

/**
 * As much of a command as a workflow needs: to check its step, to plan it and to send it. Those that a workflow uses are
 * kept in its pin, so that a run sends what was planned whatever becomes of the catalog.
 */
export const operationShape = z.strictObject({
  catalogHash: text.describe('Digest of the catalog that it comes from'),
  method: z.enum(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'POST', 'PATCH']),
  path: text.describe('Template, such as /repos/{owner}/{repo}'),
  baseUrl: maybe(text).describe('Of an operation that is at another address than the rest of its catalog'),
  safety: z.enum(['safe', 'idempotent', 'mutating', 'destructive']),
  idempotencyHeader: maybe(text).describe('With a key in it the server does the same request once'),
  parameters: z.array(parameter),
  bodies: z.array(requestBody).describe('One for each content type that it takes'),
  definitions: maybe(z.record(text, schema)).describe('What schemas refer to, as `#/$defs/<name>`'),
});
export type OperationShape = ReadonlyOutput<typeof operationShape>;
export type OperationParameter = OperationShape['parameters'][number];
export type Method = OperationShape['method'];

/** Methods that a second time do what they did the first. */
const repeatableMethods: ReadonlySet<Method> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/** The method of a command that is written as one: `GET /repos/{owner}/{repo}`. */
export function methodOf(command: string): Method | undefined {
  const [word = '', rest = ''] = command.split(/\s+/u, 2);
  const known = operationShape.shape.method.options.find((method) => method === word);
  return rest.startsWith('/') ? known : undefined;
}

/** Whether a request may be sent again where nobody knows what became of it. Undefined where nothing is known of the command. */
export function isRepeatable(command: string, operation: OperationShape | undefined): boolean | undefined {
  const method = operation?.method ?? methodOf(command);
  if (method === undefined) return undefined;
  return operation?.idempotencyHeader !== undefined || repeatableMethods.has(method);
}

/** Whether it only reads. */
export function isReading(command: string, operation: OperationShape | undefined): boolean | undefined {
  if (operation !== undefined) return operation.safety === 'safe';
  const method = methodOf(command);
  return method === undefined ? undefined : ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
}
