import type { JsonObject } from '../../base/json-value.js';

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  properties,
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const inPath = (name: string, schema: JsonObject = text): JsonObject => ({ name, in: 'path', required: true, schema });
const inQuery = (name: string, schema: JsonObject = whole): JsonObject => ({ name, in: 'query', schema });
const repo = [inPath('owner'), inPath('repo')];
const paging = [inQuery('per_page'), inQuery('page')];
const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const operation = (
  operationId: string,
  summary: string,
  parameters: readonly JsonObject[],
  answer: JsonObject,
  body?: JsonObject,
): JsonObject => ({
  operationId,
  summary,
  parameters: [...parameters],
  ...(body !== undefined && { requestBody: { required: true, content: json(body) } }),
  responses: { 200: { description: 'ok', content: json(answer) } },
});

const branch = object({ name: text, protected: { type: 'boolean' } });
const issue = object({ number: whole, state: text, title: text, html_url: text });
const run = object({ id: whole, status: text, conclusion: text, head_branch: text, html_url: text });
const orNull = (schema: JsonObject): JsonObject => ({ ...schema, nullable: true });
const protection = object(
  {
    required_pull_request_reviews: orNull(object({ required_approving_review_count: whole })),
    required_status_checks: orNull(object({})),
    enforce_admins: orNull({ type: 'boolean' }),
    restrictions: orNull(object({})),
  },
  ['required_pull_request_reviews', 'required_status_checks', 'enforce_admins', 'restrictions'],
);

/** The commands of GitHub that the examples of docs/examples run, as its own document names them. */
export const githubDocument = (address: string): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'A small GitHub', version: '1' },
  servers: [{ url: address }],
  paths: {
    '/user/orgs': {
      get: operation(
        'orgs/list-for-authenticated-user',
        'List organizations of the user',
        paging,
        listOf(object({ login: text })),
      ),
    },
    '/orgs/{org}/repos': {
      get: operation(
        'repos/list-for-org',
        'List repositories of an organization',
        [inPath('org'), ...paging],
        listOf(object({ name: text })),
      ),
    },
    '/repos/{owner}/{repo}/branches/{branch}': {
      get: operation('repos/get-branch', 'Get a branch', [...repo, inPath('branch')], branch),
    },
    '/repos/{owner}/{repo}/branches/{branch}/protection': {
      put: operation(
        'repos/update-branch-protection',
        'Update branch protection',
        [...repo, inPath('branch')],
        object({ url: text }),
        protection,
      ),
    },
    '/search/issues': {
      get: operation(
        'search/issues-and-pull-requests',
        'Search issues and pull requests',
        [{ ...inQuery('q', text), required: true }, ...paging],
        object({ total_count: whole, items: listOf(issue) }),
      ),
    },
    '/repos/{owner}/{repo}/issues': {
      post: operation('issues/create', 'Create an issue', repo, issue, object({ title: text, body: text }, ['title'])),
    },
    '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs': {
      get: operation(
        'actions/list-workflow-runs',
        'List runs of a workflow',
        [...repo, inPath('workflow_id'), ...paging],
        object({ total_count: whole, workflow_runs: listOf(run) }),
      ),
    },
    '/repos/{owner}/{repo}/actions/runs/{run_id}': {
      get: operation('actions/get-workflow-run', 'Get a run of a workflow', [...repo, inPath('run_id', whole)], run),
    },
  },
});
