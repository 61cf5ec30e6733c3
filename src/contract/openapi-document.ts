import type { z } from 'zod';
import { assert } from '../base/assert.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { own } from '../base/own.js';
import { apiAnswers } from './api-answers.js';
import { type ApiAnswer, type ApiRoute, apiRoutes, pathParameters } from './api-routes.js';
import { apiError } from './http-api.js';
import { jsonSchemaOf } from './json-schema-of.js';
import { liveMessages } from './live-messages.js';

/** The API described for programs: made from the table that is served. */
export function openApiDocument(version: string): JsonObject {
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const [name, route] of Object.entries<ApiRoute>(apiRoutes)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'WorkRail',
      version,
      description: 'The sessions, runs and workflows on this machine, for the page of workrail serve.',
    },
    paths,
    components: {
      schemas: { ApiError: jsonSchemaOf(apiError, 'output') },
      responses: {
        Refused: {
          description: 'What was wrong, and the next step',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required if other machines can reach the server',
        },
      },
    },
  };
}

function operation(name: string, { says, method, path, query, body, answer }: ApiRoute): JsonObject {
  const inPath = Object.entries(pathParameters)
    .filter(([parameter]) => path.includes(`{${parameter}}`))
    .map(([parameter, description]): JsonObject => ({
      name: parameter,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
    }));
  const header: JsonObject[] =
    method === 'GET'
      ? []
      : [
          {
            name: 'X-WorkRail',
            in: 'header',
            required: true,
            schema: { type: 'string', const: '1' },
            description: 'Protects against forms on other sites, which cannot send it',
          },
        ];
  return {
    operationId: name,
    summary: says,
    parameters: [...inPath, ...queryParameters(query), ...header],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content:
          typeof body === 'string'
            ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
            : { 'application/json': { schema: jsonSchemaOf(body, 'input') } },
      },
    }),
    responses: {
      '200': { description: 'As asked', content: contentOf(name, answer) },
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

function queryParameters(query: z.ZodObject | undefined): readonly JsonObject[] {
  if (query === undefined) return [];
  const { properties, required } = jsonSchemaOf(query, 'input');
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const { description = '', ...schema } = isJsonObject(property) ? property : {};
    return { name, in: 'query', required: needed.includes(name), description, schema };
  });
}

const answers: { readonly [name: string]: z.ZodType } = apiAnswers;

function contentOf(name: string, answer: ApiAnswer): JsonObject {
  switch (answer.kind) {
    case 'json': {
      const schema = own(answers, name);
      assert(schema !== undefined, `what ${name} answers is described`);
      return { 'application/json': { schema: jsonSchemaOf(schema, 'output') } };
    }
    case 'live':
      return {
        'text/event-stream': {
          schema: { type: 'string', description: `server-sent events: ${answer.messages.join(', ')}` },
          'x-messages': Object.fromEntries(
            answer.messages.map((name) => [name, jsonSchemaOf(liveMessages[name], 'output')]),
          ),
        },
      };
    case 'file':
      return Object.fromEntries(
        answer.types.map((type) => [
          type,
          { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } },
        ]),
      );
  }
}
