import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';

const catalogId = z.string().min(1).max(64).describe('id of a catalog, such as github');
const revision = z
  .string()
  .regex(/^rv_[0-9a-f]{16}$/u, 'is no revision such as rv_0123456789abcdef')
  .describe('revision of list_catalogs');
const cursor = z.string().max(100).describe('nextCursor of the page before');
const text = (most: number) => z.string().min(1).max(most);
const source = text(2000).describe('path of a file in the workspace; a URL only if the user asked for it');
const sourceType = z.enum(['path', 'url']).describe('url is never guessed');
const title = text(200).describe('default: the title in the document');
const baseUrl = text(2000).describe('address that paths are added to; default: the first server of the document');
const safety = z.enum(['safe', 'idempotent', 'mutating', 'destructive']);
const query = z.string().max(limits.query);
const object = z.custom<JsonObject>(isJsonObject, 'expected an object').meta({ type: 'object' });

const described = { source, sourceType: sourceType.optional() };
const named = {
  catalogId: catalogId.optional().describe('default: made from the title'),
  title: title.optional(),
  vendor: text(200).optional(),
  baseUrl: baseUrl.optional(),
};

/** What the tools of the toolset `catalogs` take. */
export const catalogSchemas = {
  list_catalogs: z.strictObject({ cursor: cursor.optional() }),
  validate_openapi: z.strictObject(described),
  preview_openapi: z.strictObject({
    ...described,
    ...named,
    includeCommandPreview: z.boolean().optional().describe('true names the first commands'),
  }),
  import_openapi: z.strictObject({
    ...described,
    ...named,
    to: z.enum(['project', 'user']).optional().describe('default: the project, where there is one'),
    overwrite: z.boolean().optional().describe('true replaces the document of a catalog of the same id'),
    enabled: z.boolean().optional().describe('default true'),
    expectedDocument: z
      .string()
      .regex(/^doc_[0-9a-f]{16}$/u, 'is no document such as doc_0123456789abcdef')
      .optional()
      .describe('document of preview_openapi: refused if it has changed since'),
  }),
  set_catalog_enabled: z.strictObject({ catalogId, enabled: z.boolean() }),
  configure_catalog: z.strictObject({
    catalogId,
    baseUrl: baseUrl.optional(),
    auth: object
      .optional()
      .describe(
        '{kind: none}, {kind: bearer, token}, {kind: header|query|cookie, name, value}, {kind: basic, user, password} or {kind: client_credentials, tokenUrl, clientId, clientSecret, scopes?}; secrets only as ${{ secrets.NAME }}',
      ),
    headers: object.optional().describe('sent with each call, by name; replaces all that were set'),
    idempotencyHeader: text(200).optional().describe('header that takes a key, so that a call repeated is done once'),
    allow: z.array(text(200)).max(50).optional().describe('addresses that are not public and may be called'),
    limits: object.optional().describe('timeoutMs, answerBytes, atOnce'),
    reset: z
      .array(z.enum(['baseUrl', 'auth', 'headers', 'idempotencyHeader', 'allow', 'limits']))
      .max(6)
      .optional()
      .describe('settings to put back to their defaults'),
    expectedRevision: revision.optional().describe('only if the catalog still has this revision'),
    confirm: revision.optional().describe('for allow: what the refusal names, once the user has agreed'),
  }),
  remove_catalog: z.strictObject({
    catalogId,
    removeManifest: z
      .boolean()
      .optional()
      .describe('true takes its document too; default: it stays for a later import'),
    confirm: revision.optional().describe('its revision, once the user has agreed'),
  }),
} as const;

/** What the tools of the toolset `commands` take. */
export const commandSchemas = {
  search_commands: z.strictObject({
    query: query.optional().describe('what the command should do, in words'),
    catalog: catalogId.optional(),
    commandId: text(500)
      .optional()
      .describe('a command as a step names it, such as github repos/get: all there is to know of it'),
    safety: safety.optional(),
    cursor: cursor.optional(),
  }),
  list_providers: z.strictObject({
    query: query.optional(),
    catalog: catalogId.optional(),
    cursor: cursor.optional(),
  }),
  list_provider_values: z.strictObject({
    workflowId: text(200).optional().describe('id of a workflow that is here'),
    content: text(limits.workflowFile).optional().describe('text of a workflow file, in place of workflowId'),
    input: text(200).describe('name of an input that has a provider'),
    inputs: object.optional().describe('inputs that the provider reads, by name'),
    query: query.optional().describe('words of the values that are wanted'),
    cursor: cursor.optional(),
  }),
} as const;
