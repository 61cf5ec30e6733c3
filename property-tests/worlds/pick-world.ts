import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import { allowLocal } from './mini-api.js';
import type { RequestsWorld } from './requests-world.js';
import { answer, type Script, type ScriptedServer, scriptedServer } from './scripted-server.js';
import { writeCatalog } from './shop-catalog.js';

const listOf = (...fields: readonly string[]): JsonObject => ({
  200: {
    description: 'A list',
    content: {
      'application/json': {
        schema: {
          type: 'array',
          items: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])) },
        },
      },
    },
  },
});

const document = (url: string): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'Forge', version: '1' },
  servers: [{ url }],
  paths: {
    '/orgs': {
      get: { operationId: 'orgs/list', summary: 'List organizations', responses: listOf('login', 'name') },
    },
    '/orgs/{org}/repos': {
      get: {
        operationId: 'repos/list',
        summary: 'List repositories',
        parameters: [
          { name: 'org', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'per_page', in: 'query', schema: { type: 'integer', maximum: 40 } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: listOf('name'),
      },
    },
  },
});

const workflow = `workflow: team.bring_out
title: Bring out a version
description: Use this to bring out a version of a repository.
version: 1.0.0
tags: [release]
inputs:
  org: { type: string, required: true, description: Who owns the repository, provider: { run: forge orgs/list, value: item.login, label: item.name } }
  repo: { type: string, required: true, provider: { run: forge repos/list, with: { org: "\${{ inputs.org }}" }, value: item.name } }
  version: { type: string, required: true, description: "Its number, such as \`1.4.0\`", example: "1.4.0" }
  dry: { type: boolean, default: true, description: Only show what would happen }
  percent: { type: integer, description: How many users get it first }
  channel: { type: string, enum: [stable, beta] }
  reviewers: { type: array, description: Who is asked }
steps:
  - id: build
    title: Build it
    prompt: >-
      Build \${{ inputs.version }} of \${{ inputs.org }}/\${{ inputs.repo }} for \${{ inputs.channel }}.
      Percent \${{ inputs.percent }}, dry \${{ inputs.dry }}, reviewers \${{ inputs.reviewers }}.
`;

/** Two organizations, one with forty repositories and one with more than are read. */
export const forge: Script = ({ path }) => {
  const url = new URL(path, 'http://forge.test');
  if (url.pathname === '/orgs') return answer(200, [{ login: 'acme', name: 'Acme Inc' }, { login: 'beta' }]);
  const [, , org = ''] = url.pathname.split('/');
  if (org !== 'acme' && org !== 'beta') return answer(404, { message: 'no such organization' });
  const page = Number(url.searchParams.get('page') ?? '1');
  if (org === 'acme' && page > 2) return answer(200, []);
  return answer(
    200,
    Array.from({ length: 40 }, (_, at) => ({ name: `${org}-repo-${page}-${at}` })),
  );
};

/** A workflow whose inputs have choices, and the server that has them. */
export async function writePick({ folder, data }: Pick<RequestsWorld, 'folder' | 'data'>): Promise<ScriptedServer> {
  const server = await scriptedServer(forge);
  writeCatalog(data, 'forge', document(server.origin), { allow: ['127.0.0.1'] });
  allowLocal({ folder, data }, 'forge');
  mkdirSync(join(data, 'workflows'), { recursive: true });
  writeFileSync(join(data, 'workflows', 'bring-out.yaml'), workflow);
  return server;
}
