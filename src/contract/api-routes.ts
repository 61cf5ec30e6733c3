import { z } from 'zod';
import { safetyWords } from '../base/closed-sets.js';
import { limits } from '../base/limits.js';
import type { LiveMessages } from './live-messages.js';
import {
  answerBody,
  catalogEnabledBody,
  catalogRemoveBody,
  choicesBody,
  labelsBody,
  noteBody,
  preferencesBody,
  pruneBody,
  sessionPreferencesBody,
} from './api-bodies.js';
import { renderFormats } from './session-rendered.js';
import { stateRoutes } from './state-routes.js';

/** How a route answers where all is well. */
export type ApiAnswer =
  /** What, is in `apiAnswers`. */
  | { readonly kind: 'json' }
  /** Server-sent events of these names. */
  | { readonly kind: 'live'; readonly messages: readonly (keyof LiveMessages)[] }
  | { readonly kind: 'file'; readonly types: readonly string[] };

export type FileBody = 'bundle' | 'document';

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  readonly says: string;
  readonly query?: z.ZodObject;
  /** What a body of JSON may call itself, and how long it may be, where that differs from the usual. */
  readonly types?: readonly string[];
  readonly most?: number;
  /** A schema of JSON, or a file: a bundle, an API document. */
  readonly body?: z.ZodType | FileBody;
  readonly answer: ApiAnswer;
}

const get = { method: 'GET', answer: { kind: 'json' } } as const;
const post = { method: 'POST', answer: { kind: 'json' } } as const;
const query = z.string().max(limits.query).describe('Words to search for').exactOptional();
const pageSize = (most: number): z.ZodExactOptional<z.ZodType<number>> =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/u, 'is not a number')
    .transform(Number)
    .pipe(z.number().max(most))
    .describe(`How many to return, at most ${most}`)
    .exactOptional();
const choice = (says: string): z.ZodExactOptional<z.ZodType<boolean>> =>
  z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .describe(says)
    .exactOptional();
const node = (says: string): z.ZodString => z.string().max(100).describe(says);
const position = z
  .string()
  .max(limits.requestHead)
  .describe('The position of an earlier answer; default: the beginning')
  .exactOptional();

const catalogName = z.string().min(1).max(64);
const documentQuery = {
  name: z.string().min(1).max(200).describe('Name of the file, with its ending'),
  to: z
    .enum(['project', 'user'])
    .describe('Whose it will be; default: the project’s, where there is one')
    .exactOptional(),
};

/** Every route of the API. What is served, the OpenAPI document and the tests are made from this table. */
export const apiRoutes = {
  about: { ...get, path: '/api/about', says: 'What this server is, and how to connect an agent to it' },
  sessions: {
    ...get,
    path: '/api/sessions',
    says: 'Sessions, newest work first; with a query, only matches, closest first',
    query: z.strictObject({
      query: query.describe(
        'Words to search for, mixed with filters: is:waiting workflow:wr.x branch:fix/x label:"needs review" since:2d before:2026-11-01 sort:oldest',
      ),
      cursor: z.string().max(2000).describe('nextCursor of the previous page').exactOptional(),
      limit: pageSize(limits.apiPage),
    }),
  },
  session: { ...get, path: '/api/sessions/{session}', says: 'A session with a summary of each run' },
  hits: {
    ...get,
    path: '/api/sessions/{session}/hits',
    says: 'Where the words of a search are in a session',
    query: z.strictObject({ query }),
  },
  graph: { ...get, path: '/api/sessions/{session}/runs/{run}', says: 'The graph of a run, without its outputs' },
  documents: {
    ...get,
    path: '/api/sessions/{session}/runs/{run}/documents',
    says: 'The documents made from the artifacts on the path to a node',
    query: z.strictObject({ node: node('ID of the node; default: the preferred tip').exactOptional() }),
  },
  step: {
    ...get,
    path: '/api/sessions/{session}/nodes/{node}',
    says: 'One step in full',
    query: z.strictObject({
      body: z
        .literal('whole')
        .describe('All that is kept of a command’s answer; default: cut where it is large')
        .exactOptional(),
    }),
  },
  timeline: { ...get, path: '/api/sessions/{session}/timeline', says: 'Every event as one line, in lanes' },
  events: {
    ...get,
    path: '/api/sessions/{session}/events',
    says: 'Events after a position, in whole batches, until the limit is reached',
    query: z.strictObject({ from: position, limit: pageSize(limits.apiEvents) }),
  },
  live: {
    method: 'GET',
    path: '/api/sessions/{session}/live',
    says: 'Events as they are appended to a session or merged into it; continue with Last-Event-ID or from, without loss or repeats',
    query: z.strictObject({
      from: position.describe('The position of an earlier answer, start or end; default: end'),
    }),
    answer: { kind: 'live', messages: ['ready', 'events', 'stopped', 'dropped'] },
  },
  diff: {
    ...get,
    path: '/api/sessions/{session}/diff',
    says: 'Compare two nodes',
    query: z.strictObject({ a: node('ID of the first node'), b: node('ID of the second node') }),
  },
  resume: {
    ...get,
    path: '/api/sessions/{session}/resume',
    says: 'What to paste so that an agent continues there',
    query: z.strictObject({ node: node('ID of the node; default: where work was done last').exactOptional() }),
  },
  render: {
    method: 'GET',
    path: '/api/sessions/{session}/render',
    says: 'The session as a report',
    query: z.strictObject({
      format: z.enum(renderFormats).describe('Markdown (default) or html').exactOptional(),
    }),
    answer: { kind: 'file', types: ['text/markdown', 'text/html'] },
  },
  export: {
    method: 'GET',
    path: '/api/sessions/{session}/export',
    says: 'The session as a bundle to share; refused if it seems to contain credentials, unless you allow them',
    query: z.strictObject({ allowSecrets: choice('Export even if something looks like a credential') }),
    answer: { kind: 'file', types: ['application/gzip'] },
  },
  waiting: { ...get, path: '/api/waiting', says: 'What is waiting for a person in all sessions, longest wait first' },
  questions: {
    ...get,
    path: '/api/sessions/{session}/questions',
    says: 'The questions in a session that only a person can answer, with what the agent sent',
  },
  answer: {
    ...post,
    path: '/api/sessions/{session}/answers',
    says: 'Records a person’s answer to one question; the agent uses it at its next look or repeated call',
    body: answerBody,
  },
  notes: {
    ...post,
    path: '/api/sessions/{session}/notes',
    says: 'Adds a note from a person',
    body: noteBody,
  },
  labels: {
    ...post,
    path: '/api/sessions/{session}/labels',
    says: 'Sets the title or tags of a session, or marks it as never pruned',
    body: labelsBody,
  },
  preferences: {
    ...get,
    path: '/api/preferences',
    says: 'The default preferences of this user for new sessions',
  },
  choosePreferences: {
    ...post,
    path: '/api/preferences',
    says: 'Sets the default preferences for new sessions; running servers use them from the next session on',
    body: preferencesBody,
  },
  sessionPreferences: {
    ...get,
    path: '/api/sessions/{session}/preferences',
    says: 'The preferences of a session: for new runs, and in its open run',
    query: z.strictObject({ node: node('ID of the node; default: the pending step').exactOptional() }),
  },
  chooseSessionPreferences: {
    ...post,
    path: '/api/sessions/{session}/preferences',
    says: 'Sets the preferences of a session from the pending step on; the log records that a person changed them on the page',
    body: sessionPreferencesBody,
  },
  workflows: { ...get, path: '/api/workflows', says: 'All workflows', query: z.strictObject({ query }) },
  workflow: {
    ...get,
    path: '/api/workflows/{workflow}',
    says: 'One workflow: its source, what a run executes, its violations, and the runs that follow another version',
  },
  choices: {
    ...post,
    path: '/api/workflows/{workflow}/choices',
    says: 'What may be chosen for an input that has a provider; asks the API of its catalog, unless it did so a moment ago',
    body: choicesBody,
  },
  catalogs: { ...get, path: '/api/catalogs', says: 'All catalogs of commands, disabled and broken ones too' },
  catalog: {
    ...get,
    path: '/api/catalogs/{catalog}',
    says: 'One catalog: its settings, its document, and the workflows that use it',
  },
  commands: {
    ...get,
    path: '/api/commands',
    says: 'Commands of all enabled catalogs; with a query, only matches, closest first',
    query: z.strictObject({
      query,
      catalog: catalogName.describe('Only of this catalog').exactOptional(),
      safety: z.enum(safetyWords).describe('Only those that may do this').exactOptional(),
      cursor: z.string().max(20).describe('nextCursor of the previous page').exactOptional(),
      limit: pageSize(limits.apiPage),
    }),
  },
  command: {
    ...get,
    path: '/api/catalogs/{catalog}/commands/{command}',
    says: 'One command: parameters, body, answers, and a step to copy',
  },
  previewDocument: {
    ...post,
    path: '/api/documents/preview',
    says: 'Previews what importing an OpenAPI document would make; writes nothing',
    query: z.strictObject(documentQuery),
    body: 'document',
  },
  importDocument: {
    ...post,
    path: '/api/catalogs',
    says: 'Imports an OpenAPI document as a catalog of commands. CATALOG_INVALID if it has violations, ALREADY_EXISTS if the id is taken, REVISION_CONFLICT if it is not the document of the preview',
    query: z.strictObject({
      ...documentQuery,
      catalogId: catalogName.describe('Id of the catalog; default: made from the name').exactOptional(),
      baseUrl: z
        .string()
        .min(1)
        .max(2000)
        .describe('The address that its commands are sent to; default: as the document says')
        .exactOptional(),
      overwrite: choice('Replace the document of a catalog of the same id'),
      expectedDocument: z
        .string()
        .regex(/^doc_[0-9a-f]{16}$/u, 'is no document such as doc_0123456789abcdef')
        .describe('document of the preview: refused where these are other bytes')
        .exactOptional(),
    }),
    body: 'document',
  },
  enableCatalog: {
    ...post,
    path: '/api/catalogs/{catalog}/enabled',
    says: 'Offers the commands of a catalog to workflows, or stops offering them. CATALOG_INVALID if it cannot be used',
    body: catalogEnabledBody,
  },
  removeCatalog: {
    ...post,
    path: '/api/catalogs/{catalog}/remove',
    says: 'Moves a catalog to the trash. CONFIRMATION_REQUIRED without its revision, REVISION_CONFLICT if it has another by now',
    body: catalogRemoveBody,
  },
  doctor: {
    ...get,
    path: '/api/doctor',
    says: 'Everything that is wrong on disk, and how to fix it',
    query: z.strictObject({
      session: z.string().max(limits.sessionKey).describe('Only this session: its id or its key').exactOptional(),
    }),
  },
  import: {
    ...post,
    path: '/api/import',
    says: 'Imports a bundle made by workrail export',
    query: z.strictObject({ merge: choice('Merge it into the local session with the same id') }),
    body: 'bundle',
  },
  prune: {
    ...post,
    path: '/api/prune',
    says: 'Prunes old sessions; only previews unless dryRun is false',
    body: pruneBody,
  },
  watch: {
    method: 'GET',
    path: '/api/events',
    says: 'Which sessions change, in any process; continue with Last-Event-ID or from, without loss or repeats',
    query: z.strictObject({ from: z.string().max(100).describe('The ID of an earlier message').exactOptional() }),
    answer: { kind: 'live', messages: ['ready', 'session', 'stopped', 'dropped'] },
  },
  ...stateRoutes,
  openapi: { ...get, path: '/api/openapi.json', says: 'This API as an OpenAPI 3.1 document' },
} as const satisfies { readonly [name: string]: ApiRoute };

export type ApiRouteName = keyof typeof apiRoutes;

type InBraces<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | InBraces<Rest> : never;
/** The parameters in a route's path. */
export type ParameterOf<N extends ApiRouteName> = InBraces<(typeof apiRoutes)[N]['path']>;

export const pathParameters: { readonly [Name in ParameterOf<ApiRouteName>]: string } = {
  session: 'ID of the session, its key, or a unique prefix',
  run: 'ID of the run',
  node: 'ID of the node',
  workflow: 'ID of the workflow',
  catalog: 'ID of the catalog',
  command: 'The command: its operationId, or its method and path',
  schema: 'Name of the schema',
  state: 'ID of the shared state',
  version: 'Number or etag of the version',
};
