import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { byteLength } from '../../base/byte-budget.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SchemaAnswer } from '../../contract/state-answers.js';
import { isSchemaName } from '../../definitions/contracts/schema-file.js';
import { schemaDoubt, schemaProblem } from '../../definitions/contracts/schema-judge.js';
import { type RegisteredSchema, writeSchema } from '../../library/schema-files.js';
import type { Environment } from '../world/environment.js';
import { registeredSchema } from './registered-schema.js';
import { sourceForNew, writableSource } from '../world/writable-source.js';

export interface SchemaToAdd {
  readonly name: string;
  readonly json: JsonValue;
  readonly description?: string | undefined;
  readonly to?: 'project' | 'user' | undefined;
}

export interface AddedSchema extends SchemaAnswer {
  readonly isNew: boolean;
  readonly path: string;
}

/** Registers a schema: the same text of a name is there once, another one is its next version. */
export async function addSchema(
  env: Environment,
  { name, json, description, to }: SchemaToAdd,
): Promise<Result<AddedSchema, Rejection>> {
  if (!isSchemaName(name))
    return wrong(
      '/name',
      `${JSON.stringify(name.slice(0, limits.echo))} is no name of a schema, such as code-review`,
      'use small letters, digits, dots and dashes',
    );
  if (!isJsonObject(json) && typeof json !== 'boolean')
    return wrong('/json_schema', 'a JSON Schema is an object, or true or false', 'send the schema itself');
  const bytes = byteLength(JSON.stringify(json));
  if (bytes > limits.stateSchema)
    return wrong(
      '/json_schema',
      `the schema has ${bytes} bytes, of at most ${limits.stateSchema}`,
      'say it shorter, with $defs and $ref',
    );
  const problem = typeof json === 'boolean' ? undefined : (schemaProblem(json) ?? schemaDoubt(json));
  if (problem !== undefined)
    return wrong(`/json_schema${problem.pointer}`, problem.message, 'correct the schema, and register it again');
  const source = writableSource(sourceForNew(env, env.schemaSources, to));
  if (!source.ok) return source;
  const createdAt = env.now().toISOString();
  const { schema, isNew } = await writeSchema(source.value, env.schemas, { name, json, description, createdAt });
  return ok({ ...tellSchema(schema), isNew, path: schema.label });
}

export function tellSchema({
  id,
  name,
  version,
  json,
  description,
  createdAt,
}: RegisteredSchema): SchemaAnswer & { readonly created_at: string } {
  return {
    schema_id: id,
    name,
    version,
    ...(description !== undefined && { description }),
    json_schema: json,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Every schema that is registered, each version by itself. */
export function listSchemas(
  env: Environment,
  { name }: { readonly name?: string | undefined },
): Promise<
  Result<
    {
      readonly schemas: readonly SchemaAnswer[];
      readonly problems: readonly { readonly path: string; readonly problem: string }[];
    },
    Rejection
  >
> {
  const schemas = env.schemas.list().filter((one) => name === undefined || one.name === name);
  const problems = env.schemas.problems().map(({ label, problem }) => ({ path: label, problem }));
  return Promise.resolve(ok({ schemas: schemas.map(tellSchema), problems }));
}

export function showSchemaForPeople(
  env: Environment,
  { name, version }: { readonly name: string; readonly version?: number | undefined },
): Promise<Result<SchemaAnswer, Rejection>> {
  const found = registeredSchema(env, name, version);
  return Promise.resolve(found.ok ? ok(tellSchema(found.value)) : found);
}

const wrong = (path: string, message: string, action: string): Result<never, Rejection> =>
  err({
    code: 'VALIDATION_ERROR',
    message: `${message}; nothing was registered`,
    action,
    violations: [{ path, rule: 'schema', message }],
  });
