import { z } from 'zod';
import { limits } from '../base/limits.js';
import type { LiveMessages } from './live-messages.js';
import { answerBody, labelsBody, noteBody, preferencesBody, pruneBody, sessionPreferencesBody } from './api-bodies.js';
import { renderFormats } from './session-rendered.js';

/** How a route answers where all is well. */
export type ApiAnswer =
  /** What, is in `apiAnswers`. */
  | { readonly kind: 'json' }
  /** Server-sent events of these names. */
  | { readonly kind: 'live'; readonly messages: readonly (keyof LiveMessages)[] }
  | { readonly kind: 'file'; readonly types: readonly string[] };

export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** With its parameters in braces. */
  readonly path: string;
  readonly says: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | 'bundle';
  readonly answer: ApiAnswer;
}

const get = { method: 'GET', answer: { kind: 'json' } } as const;
const post = { method: 'POST', answer: { kind: 'json' } } as const;
const query = z.string().max(limits.query).describe('Words to look for').exactOptional();
const pageSize = (most: number): z.ZodExactOptional<z.ZodType<number>> =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/u, 'is no count')
    .transform(Number)
    .pipe(z.number().max(most))
    .describe(`How many to answer with, at most ${most}`)
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
  .describe('The position of an earlier answer; without one, from the beginning')
  .exactOptional();

/** Every route of the API. What is served, the OpenAPI document and the tests are made from this table. */
export const apiRoutes = {
  about: { ...get, path: '/api/about', says: 'What this server is, and how an agent is connected to it' },
  sessions: {
    ...get,
    path: '/api/sessions',
    says: 'Sessions, the newest work first; with a query those that match, the closest first',
    query: z.strictObject({
      query: query.describe(
        'Words to look for, and filters among them: is:waiting workflow:wr.x branch:fix/x label:"needs review" since:2d before:2026-11-01 sort:oldest',
      ),
      cursor: z.string().max(2000).describe('nextCursor of the page before').exactOptional(),
      limit: pageSize(limits.apiPage),
    }),
  },
  session: { ...get, path: '/api/sessions/{session}', says: 'A session with the heads of its runs' },
  hits: {
    ...get,
    path: '/api/sessions/{session}/hits',
    says: 'Where in a session the words of a search stand',
    query: z.strictObject({ query }),
  },
  graph: { ...get, path: '/api/sessions/{session}/runs/{run}', says: 'The graph of a run, without its outputs' },
  documents: {
    ...get,
    path: '/api/sessions/{session}/runs/{run}/documents',
    says: 'What the artifacts on the way to a node fold into; at the preferred tip where no node is named',
    query: z.strictObject({ node: node('Id of the node; without one, the preferred tip').exactOptional() }),
  },
  step: { ...get, path: '/api/sessions/{session}/nodes/{node}', says: 'One step, told whole' },
  timeline: { ...get, path: '/api/sessions/{session}/timeline', says: 'Every event in one line, in lanes' },
  events: {
    ...get,
    path: '/api/sessions/{session}/events',
    says: 'Events from a position on, whole batches until there are as many as asked for',
    query: z.strictObject({ from: position, limit: pageSize(limits.apiEvents) }),
  },
  live: {
    method: 'GET',
    path: '/api/sessions/{session}/live',
    says: 'What is appended to a session or merged into it, as it comes; Last-Event-ID or from goes on without loss or repeats',
    query: z.strictObject({
      from: position.describe('The position of an earlier answer, start or end; without one, end'),
    }),
    answer: { kind: 'live', messages: ['ready', 'events', 'stopped', 'dropped'] },
  },
  diff: {
    ...get,
    path: '/api/sessions/{session}/diff',
    says: 'Two nodes beside each other',
    query: z.strictObject({ a: node('Id of the first node'), b: node('Id of the second node') }),
  },
  resume: {
    ...get,
    path: '/api/sessions/{session}/resume',
    says: 'What to paste so that an agent goes on there',
    query: z.strictObject({ node: node('Id of the node; without one, where work was done last').exactOptional() }),
  },
  render: {
    method: 'GET',
    path: '/api/sessions/{session}/render',
    says: 'The session as one document',
    query: z.strictObject({
      format: z.enum(renderFormats).describe('Markdown, unless html is asked for').exactOptional(),
    }),
    answer: { kind: 'file', types: ['text/markdown', 'text/html'] },
  },
  export: {
    method: 'GET',
    path: '/api/sessions/{session}/export',
    says: 'The session as a bundle for somebody else; refused where it seems to hold credentials, unless those are let through',
    query: z.strictObject({ allowSecrets: choice('Let through what seems to be a credential') }),
    answer: { kind: 'file', types: ['application/gzip'] },
  },
  waiting: { ...get, path: '/api/waiting', says: 'What waits for a person in all sessions, the longest first' },
  questions: {
    ...get,
    path: '/api/sessions/{session}/questions',
    says: 'What a session waits for that only a person can say, with what the agent handed in',
  },
  answer: {
    ...post,
    path: '/api/sessions/{session}/answers',
    says: 'Records what a person answers to one question; the agent’s next look or repeated call goes on with it',
    body: answerBody,
  },
  notes: {
    ...post,
    path: '/api/sessions/{session}/notes',
    says: 'Writes down what a person has to say, beside the steps',
    body: noteBody,
  },
  labels: {
    ...post,
    path: '/api/sessions/{session}/labels',
    says: 'Gives a session a title or tags, or marks it to be kept',
    body: labelsBody,
  },
  preferences: {
    ...get,
    path: '/api/preferences',
    says: 'What new sessions begin with, for all sessions of this user',
  },
  choosePreferences: {
    ...post,
    path: '/api/preferences',
    says: 'Sets what new sessions begin with; running servers follow it with the next session that starts',
    body: preferencesBody,
  },
  sessionPreferences: {
    ...get,
    path: '/api/sessions/{session}/preferences',
    says: 'How the work of a session is to be done: what its new runs begin with, and what is in force in the open one',
    query: z.strictObject({ node: node('Id of the node; without one, where the work stands').exactOptional() }),
  },
  chooseSessionPreferences: {
    ...post,
    path: '/api/sessions/{session}/preferences',
    says: 'Sets how the work of a session is to be done from the step that waits; the log says that a person did it on the page',
    body: sessionPreferencesBody,
  },
  workflows: { ...get, path: '/api/workflows', says: 'The library', query: z.strictObject({ query }) },
  workflow: {
    ...get,
    path: '/api/workflows/{workflow}',
    says: 'One workflow: as written, as a run executes it, what is wrong with it, and the runs that follow another version',
  },
  doctor: {
    ...get,
    path: '/api/doctor',
    says: 'Everything that is wrong on disk, and what to do',
    query: z.strictObject({
      session: z.string().max(limits.sessionKey).describe('Only this session: its id or its key').exactOptional(),
    }),
  },
  import: {
    ...post,
    path: '/api/import',
    says: 'Takes a bundle in, as workrail export wrote it',
    query: z.strictObject({ merge: choice('Merge it into the session of the same id that is here') }),
    body: 'bundle',
  },
  prune: {
    ...post,
    path: '/api/prune',
    says: 'Takes old sessions away; without dryRun false it only says which',
    body: pruneBody,
  },
  watch: {
    method: 'GET',
    path: '/api/events',
    says: 'Which sessions change, whoever writes to them; Last-Event-ID or from goes on without loss or repeats',
    query: z.strictObject({ from: z.string().max(100).describe('The id of an earlier message').exactOptional() }),
    answer: { kind: 'live', messages: ['ready', 'session', 'stopped', 'dropped'] },
  },
  openapi: { ...get, path: '/api/openapi.json', says: 'This API as an OpenAPI 3.1 document' },
} as const satisfies { readonly [name: string]: ApiRoute };

export type ApiRouteName = keyof typeof apiRoutes;

type InBraces<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | InBraces<Rest> : never;
/** The parameters in a route's path. */
export type ParameterOf<N extends ApiRouteName> = InBraces<(typeof apiRoutes)[N]['path']>;

export const pathParameters: { readonly [Name in ParameterOf<ApiRouteName>]: string } = {
  session: 'Id of the session, its key, or how only one id begins',
  run: 'Id of the run',
  node: 'Id of the node',
  workflow: 'Id of the workflow',
};
