import type { catalogSchemas, commandSchemas } from './catalog-schemas.js';
import { reads, showing, type Tool, writes } from './tool.js';

const ids = { id: 'catalogId', catalog: 'catalogId', name: 'catalogId' };
const sources = { path: 'source', file: 'source', url: 'source', document: 'source' };
const imports = { ...ids, ...sources, catalogTitle: 'title', server: 'baseUrl' };
const catalogs = { byDefault: false, optional: true, toolset: 'catalogs' } as const;
const commands = { byDefault: false, optional: true, toolset: 'commands' } as const;
const petstore = { source: 'docs/petstore.yaml' };

/** Tools that bring the APIs here whose operations workflows may call. */
export const catalogTools: { readonly [name in keyof typeof catalogSchemas]: Tool } = {
  list_catalogs: {
    title: 'List catalogs',
    ...showing('Lists the catalogs of commands that are here, with their revisions and settings. Changes nothing.', {}),
    ...catalogs,
    aliases: {},
    annotations: reads,
  },
  validate_openapi: {
    title: 'Check an OpenAPI document',
    ...showing(
      'Says whether an OpenAPI document (2.0, 3.0 or 3.1) can be imported, how many operations it has, and each violation and warning with its line: tell the user of them. Writes nothing. Next: preview_openapi.',
      petstore,
    ),
    ...catalogs,
    aliases: sources,
    annotations: { ...reads, openWorldHint: true },
  },
  preview_openapi: {
    title: 'Preview an import',
    ...showing('Shows the catalog that an import would make, and its commands. Writes nothing. Next: import_openapi.', {
      ...petstore,
      includeCommandPreview: true,
    }),
    ...catalogs,
    aliases: { ...imports, commandPreview: 'includeCommandPreview' },
    annotations: { ...reads, openWorldHint: true },
  },
  import_openapi: {
    title: 'Import an OpenAPI document',
    ...showing(
      'Makes a catalog of commands from an OpenAPI document. Check it with validate_openapi first. Replacing one takes overwrite; its settings stay.',
      { ...petstore, catalogId: 'petstore' },
    ),
    ...catalogs,
    aliases: { ...imports, force: 'overwrite' },
    annotations: { ...writes, destructiveHint: true, openWorldHint: true },
  },
  set_catalog_enabled: {
    title: 'Enable or disable a catalog',
    ...showing('Offers the commands of a catalog to workflows, or stops offering them. Nothing is deleted.', {
      catalogId: 'petstore',
      enabled: false,
    }),
    ...catalogs,
    aliases: ids,
    annotations: writes,
  },
  configure_catalog: {
    title: 'Configure a catalog',
    ...showing(
      'Says how the commands of a catalog are called: address, authentication, headers, limits. Secrets are named, never sent: the user gives their values in a terminal.',
      { catalogId: 'petstore', auth: { kind: 'bearer', token: '${{ secrets.TOKEN }}' } },
    ),
    ...catalogs,
    aliases: { ...ids, revision: 'expectedRevision', url: 'baseUrl', idempotency: 'idempotencyHeader' },
    annotations: { ...writes, destructiveHint: true },
  },
  remove_catalog: {
    title: 'Remove a catalog',
    ...showing(
      'Moves a catalog to the trash. Only if the user asked for it: then send its revision as confirm. Without it nothing is removed, and you are told what would be.',
      { catalogId: 'petstore', confirm: 'rv_0123456789abcdef' },
    ),
    ...catalogs,
    aliases: { ...ids, revision: 'confirm', expectedRevision: 'confirm' },
    annotations: { ...writes, destructiveHint: true },
  },
};

/** Tools that find what workflows may run. */
export const commandTools: { readonly [name in keyof typeof commandSchemas]: Tool } = {
  search_commands: {
    title: 'Find commands',
    ...showing(
      'Finds the commands that do something, over all catalogs and workflows. With commandId: its parameters by place, body and answers, and a step to copy.',
      { query: 'close an issue' },
    ),
    ...commands,
    aliases: {
      q: 'query',
      search: 'query',
      text: 'query',
      catalogId: 'catalog',
      id: 'commandId',
      command: 'commandId',
    },
    annotations: reads,
  },
  list_providers: {
    title: 'List providers',
    ...showing(
      'Lists the commands that can offer the choices of an input: what they give and what they require. Fetches nothing.',
      { query: 'repositories' },
    ),
    ...commands,
    aliases: { q: 'query', search: 'query', text: 'query', catalogId: 'catalog' },
    annotations: reads,
  },
  list_provider_values: {
    title: 'List the choices of an input',
    ...showing(
      'Asks the provider of an input for the values it may take, for the user to choose from. What it reads of other inputs has to be given.',
      { workflowId: 'team.protect_branch', input: 'repo', inputs: { org: 'acme' } },
    ),
    ...commands,
    aliases: { id: 'workflowId', workflow: 'workflowId', name: 'input', q: 'query', search: 'query' },
    annotations: { ...reads, openWorldHint: true },
  },
};
