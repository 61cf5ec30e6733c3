import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAddresses } from '../../src/machine/global-preferences.js';
import { answer, type Script } from './scripted-server.js';

const listOf = (...fields: readonly string[]) => ({
  description: 'ok',
  content: {
    'application/json': {
      schema: {
        type: 'array',
        items: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])) },
      },
    },
  },
});
const parameter = (name: string, place: string, schema: object) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});
const document = (url: string) => ({
  openapi: '3.0.3',
  info: { title: 'Mini', version: '1' },
  servers: [{ url }],
  paths: {
    '/orgs': { get: { operationId: 'orgs/list', responses: { 200: listOf('login', 'name') } } },
    '/orgs/{org}/repos': {
      get: {
        operationId: 'repos/list',
        parameters: [
          parameter('org', 'path', { type: 'string' }),
          parameter('per_page', 'query', { type: 'integer', maximum: 5 }),
          parameter('page', 'query', { type: 'integer' }),
        ],
        responses: { 200: listOf('name') },
      },
      post: { operationId: 'repos/create', parameters: [parameter('org', 'path', { type: 'string' })], responses: {} },
    },
  },
});
export const pickWorkflow = (onError = 'prompt'): string => `workflow: team.pick
title: Pick
description: Use this to pick.
inputs:
  org: { type: string, required: true, provider: { run: mini orgs/list, value: item.login, label: item.name, on_error: ${onError} } }
  repo: { type: string, required: true, provider: { run: mini repos/list, with: { org: "\${{ inputs.org }}" }, value: item.name } }
  plain: { type: string }
steps:
  - id: a
    prompt: Do \${{ inputs.repo }}.
`;

/** Two organizations, and twenty repositories of one of them on four pages. */
export const organizations: Script = ({ path }) => {
  const url = new URL(path, 'http://mini.test');
  if (url.pathname === '/orgs') return answer(200, [{ login: 'acme', name: 'Acme Inc' }, { login: 'beta' }]);
  if (url.pathname !== '/orgs/acme/repos') return answer(404, { message: 'nothing here' });
  const page = Number(url.searchParams.get('page') ?? '1');
  const size = Number(url.searchParams.get('per_page') ?? '2');
  return answer(
    200,
    Array.from({ length: page > 4 ? 0 : size }, (_, at) => ({ name: `repo-${page}-${at}` })),
  );
};

/** As a person allows it: what a project's own file says does not count by itself. */
export function allowLocal(
  { folder, data }: { readonly folder: string; readonly data: string },
  catalog: string,
): void {
  const allowed = allowAddresses(
    join(folder, 'config', 'workrail'),
    { project: data, catalog, addresses: ['127.0.0.1'] },
    'test',
  );
  if (!allowed.ok) throw new Error(allowed.error);
}

/** A data folder with the catalog `mini` of that server, and a workflow whose inputs choose from it. */
export function writeMiniCatalog(data: string, origin: string): void {
  const folder = join(data, 'catalogs', 'mini');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(data, 'workflows'), { recursive: true });
  writeFileSync(join(folder, 'document.json'), JSON.stringify(document(origin)));
  configureMini(data, { allow: ['127.0.0.1'] });
  writeFileSync(join(data, 'workflows', 'pick.yaml'), pickWorkflow());
}

export const configureMini = (data: string, settings: object): void =>
  writeFileSync(
    join(data, 'catalogs', 'mini', 'catalog.json'),
    JSON.stringify({ version: 1, enabled: true, ...settings }),
  );
