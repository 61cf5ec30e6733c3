import { z } from 'zod';
import { isJsonValue, type JsonValue } from '../base/json-value.js';

const text = z.string();
const optionalText = text.optional();

/** What a document holds as it stands, such as a schema. */
const anyJson = z.custom<JsonValue>(isJsonValue);

const documentViolation = z.object({
  severity: z.enum(['error', 'warning']),
  /** A stable name, such as `reference`. */
  rule: text,
  /** JSON pointer into the file. */
  pointer: text,
  message: text,
  /** Below the document's folder; absent for the document itself. */
  file: optionalText,
  /** Both from 1. */
  line: z.number().optional(),
  column: z.number().optional(),
  expected: optionalText,
  actual: optionalText,
  closest: optionalText,
});

/** One thing wrong, or doubtful, in an API document. */
export type DocumentViolation = z.infer<typeof documentViolation>;

const server = z.object({
  /** With a name in braces for each variable. Relative where the document does not say its host. */
  url: text,
  description: optionalText,
  variables: z.record(text, z.object({ default: text, choices: z.array(text).optional() })),
});
export type Server = z.infer<typeof server>;

const flow = z.object({ grant: text, authorizationUrl: optionalText, tokenUrl: optionalText, scopes: z.array(text) });

const securityScheme = z.object({
  name: text,
  kind: z.enum(['key', 'http', 'oauth2', 'openid', 'tls']),
  description: optionalText,
  /** Of a key. */
  place: z.enum(['query', 'header', 'cookie']).optional(),
  parameter: optionalText,
  /** Of `http`: basic, bearer or another. */
  scheme: optionalText,
  flows: z.array(flow).optional(),
  /** Of `openid`. */
  url: optionalText,
});
export type SecurityScheme = z.infer<typeof securityScheme>;

const securityAlternative = z.array(z.object({ scheme: text, scopes: z.array(text) }));
/** Schemes that are needed together; one with none asks for nothing. */
export type SecurityAlternative = z.infer<typeof securityAlternative>;

const safetyClasses = ['safe', 'idempotent', 'mutating', 'destructive'] as const;

const operationEntry = z.object({
  /** What a workflow names: the `operationId`, else `METHOD /path`. */
  id: text,
  method: text,
  /** As the document has it, with what follows `#`. */
  path: text,
  tags: z.array(text),
  summary: text,
  description: text,
  safety: z.enum(safetyClasses),
  deprecated: z.boolean(),
});
/** One operation in the list of all. */
export type OperationEntry = z.infer<typeof operationEntry>;

const openapiCatalog = z.object({
  kind: z.enum(['openapi_2', 'openapi_3', 'openapi_3_1']),
  /** Of OpenAPI, as the document has it. */
  format: text,
  title: text,
  version: text,
  description: text,
  servers: z.array(server),
  /** Of the first server that has a host, its variables filled in. */
  baseUrl: optionalText,
  schemes: z.array(securityScheme),
  /** What calls need where an operation does not say otherwise; any one of these is enough. */
  security: z.array(securityAlternative),
  operations: z.array(operationEntry),
  warnings: z.array(documentViolation),
});
/** What an API document offers, without the schemas. */
export type OpenapiCatalog = z.infer<typeof openapiCatalog>;

export const parameterPlaces = ['path', 'query', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof parameterPlaces)[number];

export const parameterStyles = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
] as const;
export type ParameterStyle = (typeof parameterStyles)[number];

const parameter = z.object({
  name: text,
  in: z.enum(parameterPlaces),
  required: z.boolean(),
  description: optionalText,
  deprecated: z.boolean().optional(),
  style: z.enum(parameterStyles),
  explode: z.boolean(),
  allowReserved: z.boolean(),
  /** It may hold slashes, and stands for several segments of the path. */
  segments: z.boolean().optional(),
  /** Where its value is written as a document of its own, such as JSON. */
  contentType: optionalText,
  schema: anyJson.optional(),
  example: anyJson.optional(),
});
export type Parameter = z.infer<typeof parameter>;

const encoding = z.object({
  contentType: z.exactOptional(text),
  style: z.exactOptional(z.enum(parameterStyles)),
  explode: z.exactOptional(z.boolean()),
  allowReserved: z.exactOptional(z.boolean()),
});
/** How one field of a form is written. */
export type Encoding = z.infer<typeof encoding>;

const content = z.object({
  type: text,
  schema: anyJson.optional(),
  example: anyJson.optional(),
  encoding: z.record(text, encoding).optional(),
});
export type Content = z.infer<typeof content>;

const answer = z.object({
  /** `200`, `2XX` or `default`. */
  status: text,
  description: text,
  headers: z.array(z.object({ name: text, description: optionalText, schema: anyJson.optional() })),
  content: z.array(content),
});
export type Answer = z.infer<typeof answer>;

const operation = operationEntry.extend({
  servers: z.array(server),
  /** Whether it is at another address than the rest of the document. */
  ownServers: z.boolean(),
  security: z.array(securityAlternative),
  parameters: z.array(parameter),
  body: z.object({ required: z.boolean(), description: optionalText, content: z.array(content) }).optional(),
  answers: z.array(answer),
  /** The schemas that others refer to as `#/$defs/<name>`. */
  definitions: z.record(text, anyJson),
  /** Names of definitions that are not here, since there would be too many. */
  leftOut: z.array(text),
  warnings: z.array(documentViolation),
});
/** One operation with all that a call needs. */
export type Operation = z.infer<typeof operation>;
