import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { closestNames } from '../../src/base/closest-name.js';
import { own } from '../../src/base/own.js';
import type { CommandLookup } from '../../src/definitions/compiled/command-lookup.js';
import type { OperationParameter, OperationShape } from '../../src/definitions/compiled/operation-shape.js';

const text: JsonValue = { type: 'string' };
const parameter = (
  name: string,
  place: OperationParameter['in'] = 'path',
  schema: JsonValue = text,
  required = place === 'path',
): OperationParameter => ({ name, in: place, required, schema });
const operation = (
  method: OperationShape['method'],
  path: string,
  parameters: readonly OperationParameter[],
  more: Partial<OperationShape> = {},
): OperationShape => ({
  catalogHash: 'c0ffee',
  method,
  path,
  safety:
    method === 'GET' ? 'safe' : method === 'DELETE' ? 'destructive' : method === 'PUT' ? 'idempotent' : 'mutating',
  parameters: [...parameters],
  bodies: [],
  ...more,
});

const repo = [parameter('owner'), parameter('repo')];
const page = parameter('page', 'query', { type: 'integer', minimum: 1 });

/** A few commands as a catalog of GitHub has them, and some that are awkward. */
export const smallCatalog: { readonly [command: string]: OperationShape } = {
  'orgs/list-for-authenticated-user': operation('GET', '/user/orgs', [page]),
  'repos/list-for-org': operation('GET', '/orgs/{org}/repos', [
    parameter('org'),
    parameter('type', 'query', { type: 'string', enum: ['all', 'public', 'private'] }),
    page,
  ]),
  'repos/get-branch': operation('GET', '/repos/{owner}/{repo}/branches/{branch}', [...repo, parameter('branch')]),
  'repos/update-branch-protection': operation(
    'PUT',
    '/repos/{owner}/{repo}/branches/{branch}/protection',
    [...repo, parameter('branch')],
    {
      bodies: [
        {
          contentType: 'application/json',
          required: true,
          schema: {
            type: 'object',
            required: ['enforce_admins', 'required_status_checks', 'required_pull_request_reviews', 'restrictions'],
            properties: {
              enforce_admins: { type: ['boolean', 'null'] },
              required_status_checks: { type: ['object', 'null'], properties: { strict: { type: 'boolean' } } },
              required_pull_request_reviews: { type: 'object', nullable: true },
              restrictions: { type: ['object', 'null'] },
            },
          },
        },
      ],
    },
  ),
  'search/issues-and-pull-requests': operation('GET', '/search/issues', [
    parameter('q', 'query', text, true),
    parameter('sort', 'query'),
    parameter('per_page', 'query', { type: 'integer', maximum: 100 }),
  ]),
  'issues/create': operation('POST', '/repos/{owner}/{repo}/issues', repo, {
    bodies: [{ contentType: 'application/json', required: true, schema: { $ref: '#/$defs/issue' } }],
    definitions: {
      issue: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
          body: text,
          labels: { type: 'array', items: { $ref: '#/$defs/label' } },
          parent: { $ref: '#/$defs/issue' },
          state: { type: 'string', enum: ['open', 'closed'] },
        },
      },
      label: {
        anyOf: [text, { type: 'object', required: ['name'], additionalProperties: false, properties: { name: text } }],
      },
    },
  }),
  'issues/delete': operation('DELETE', '/repos/{owner}/{repo}/issues/{id}', [...repo, parameter('id')]),
  'actions/list-workflow-runs': operation('GET', '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs', [
    ...repo,
    parameter('workflow_id', 'path', { oneOf: [{ type: 'integer' }, text] }),
    page,
  ]),
  'actions/get-workflow-run': operation('GET', '/repos/{owner}/{repo}/actions/runs/{run_id}', [
    ...repo,
    parameter('run_id', 'path', { type: 'integer' }),
  ]),
  'odd/two-ids': operation('GET', '/odd/{id}', [
    parameter('id'),
    parameter('id', 'query'),
    parameter('X-Trace', 'header'),
  ]),
  'odd/upload': operation('POST', '/odd', [], {
    idempotencyHeader: 'Idempotency-Key',
    bodies: [
      {
        contentType: 'multipart/form-data',
        required: false,
        schema: { type: 'object', properties: { title: text, photo: { type: 'string', format: 'binary' } } },
      },
      { contentType: 'application/octet-stream', required: false },
    ],
  }),
};

/** Looks up `github`, by name or by method and path. */
export const lookUpSmall: CommandLookup = (catalog, command) => {
  if (catalog === 'disabled')
    return { problem: 'unusable', closest: [], message: 'the catalog `disabled` is disabled' };
  if (catalog === 'later') return undefined;
  if (catalog !== 'github')
    return { problem: 'unknown_catalog', closest: closestNames(catalog, ['github', 'disabled', 'later']) };
  const known =
    own(smallCatalog, command) ??
    Object.values(smallCatalog).find(({ method, path }) => `${method} ${path}` === command);
  return known ?? { problem: 'unknown_command', closest: closestNames(command, Object.keys(smallCatalog)) };
};

/** The same as a document. */
function smallDocument(): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  const schemas: Record<string, JsonValue> = {};
  for (const [operationId, { method, path, parameters, bodies, definitions }] of Object.entries(smallCatalog)) {
    Object.assign(schemas, definitions);
    const content = Object.fromEntries(
      bodies.map(({ contentType, schema: one = {} }) => [contentType, { schema: one }]),
    );
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId,
      parameters: parameters.map(({ name, in: place, required, schema: one = {} }) => ({
        name,
        in: place,
        required,
        schema: one,
      })),
      ...(bodies.length > 0 && { requestBody: { required: bodies[0]!.required, content } }),
      responses: {},
    };
  }
  const document: JsonObject = {
    openapi: '3.1.0',
    info: { title: 'Small GitHub', version: '1' },
    servers: [{ url: 'https://api.github.example' }],
    paths,
    components: { schemas },
  };
  return JSON.parse(JSON.stringify(document).replaceAll('#/$defs/', '#/components/schemas/')) as JsonObject;
}

/** Puts it into a data folder, under the name `github`. */
export function writeSmallCatalog(data: string): void {
  const folder = join(data, 'catalogs', 'github');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'document.json'), JSON.stringify(smallDocument()));
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify({ version: 1, enabled: true }));
}
