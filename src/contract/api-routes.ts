import { z } from 'zod';
import { limits } from '../base/limits.js';
import { apiAnswers } from './api-answer-schemas.js';
import { apiBodies, careAnswers } from './api-care-schemas.js';
import { jsonObject } from './api-story-schemas.js';
import type { LiveMessages } from './http-api.js';
import { renderFormats } from './session-rendered.js';

/** How a route answers where all is well. */
export type ApiAnswer =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
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

const json = (schema: z.ZodType): ApiAnswer => ({ kind: 'json', schema });
const query = z.string().max(limits.query).exactOptional();
const pageSize = (most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/u, 'is no count')
    .transform(Number)
    .pipe(z.number().max(most));
const choice = z.enum(['true', 'false']).transform((word) => word === 'true');
const node = z.string().max(100);
const position = z.string().max(limits.requestHead);

/** Every route of the API. What is served, the OpenAPI document and the tests are made from this table. */
export const apiRoutes = {
  about: {
    method: 'GET',
    path: '/api/about',
    says: 'What this server is, and how an agent is connected to it',
    answer: json(apiAnswers.aboutServer),
  },
  sessions: {
    method: 'GET',
    path: '/api/sessions',
    says: 'Sessions, the newest work first; with a query those that match, the closest first',
    query: z.strictObject({
      query,
      cursor: z.string().max(2000).exactOptional(),
      limit: pageSize(limits.apiPage).exactOptional(),
    }),
    answer: json(apiAnswers.sessionsPage),
  },
  session: {
    method: 'GET',
    path: '/api/sessions/{session}',
    says: 'A session with the heads of its runs',
    answer: json(apiAnswers.sessionHead),
  },
  graph: {
    method: 'GET',
    path: '/api/sessions/{session}/runs/{run}',
    says: 'The graph of a run, without its outputs',
    answer: json(apiAnswers.runGraph),
  },
  documents: {
    method: 'GET',
    path: '/api/sessions/{session}/runs/{run}/documents',
    says: 'What the artifacts on the way to a node fold into; at the preferred tip where no node is named',
    query: z.strictObject({ node: node.exactOptional() }),
    answer: json(apiAnswers.documentsAt),
  },
  step: {
    method: 'GET',
    path: '/api/sessions/{session}/nodes/{node}',
    says: 'One step, told whole',
    answer: json(apiAnswers.stepDetail),
  },
  timeline: {
    method: 'GET',
    path: '/api/sessions/{session}/timeline',
    says: 'Every event in one line, in lanes',
    answer: json(apiAnswers.timeline),
  },
  events: {
    method: 'GET',
    path: '/api/sessions/{session}/events',
    says: 'Events from a position on, whole batches until there are as many as asked for',
    query: z.strictObject({ from: position.exactOptional(), limit: pageSize(limits.apiEvents).exactOptional() }),
    answer: json(apiAnswers.eventsPage),
  },
  live: {
    method: 'GET',
    path: '/api/sessions/{session}/live',
    says: 'What is appended to a session or merged into it, as it comes; Last-Event-ID or from goes on without loss or repeats',
    query: z.strictObject({ from: position.exactOptional() }),
    answer: { kind: 'live', messages: ['ready', 'events', 'stopped', 'dropped'] },
  },
  diff: {
    method: 'GET',
    path: '/api/sessions/{session}/diff',
    says: 'Two nodes beside each other',
    query: z.strictObject({ a: node, b: node }),
    answer: json(apiAnswers.nodesCompared),
  },
  resume: {
    method: 'GET',
    path: '/api/sessions/{session}/resume',
    says: 'What to paste so that an agent goes on there',
    query: z.strictObject({ node: node.exactOptional() }),
    answer: json(apiAnswers.resumeWords),
  },
  render: {
    method: 'GET',
    path: '/api/sessions/{session}/render',
    says: 'The session as one document',
    query: z.strictObject({ format: z.enum(renderFormats).exactOptional() }),
    answer: { kind: 'file', types: ['text/markdown', 'text/html'] },
  },
  export: {
    method: 'GET',
    path: '/api/sessions/{session}/export',
    says: 'The session as a bundle for somebody else; refused where it seems to hold credentials, unless those are let through',
    query: z.strictObject({ allowSecrets: choice.exactOptional() }),
    answer: { kind: 'file', types: ['application/gzip'] },
  },
  notes: {
    method: 'POST',
    path: '/api/sessions/{session}/notes',
    says: 'Writes down what a person has to say, beside the steps',
    body: apiBodies.noteBody,
    answer: json(careAnswers.noteTold),
  },
  labels: {
    method: 'POST',
    path: '/api/sessions/{session}/labels',
    says: 'Gives a session a title or tags, or marks it to be kept',
    body: apiBodies.labelsBody,
    answer: json(careAnswers.sessionLabelled),
  },
  workflows: {
    method: 'GET',
    path: '/api/workflows',
    says: 'The library',
    query: z.strictObject({ query }),
    answer: json(apiAnswers.workflowsPage),
  },
  workflow: {
    method: 'GET',
    path: '/api/workflows/{workflow}',
    says: 'One workflow: as written, as a run executes it, what is wrong with it, and the runs that follow another version',
    answer: json(apiAnswers.workflowDetail),
  },
  doctor: {
    method: 'GET',
    path: '/api/doctor',
    says: 'Everything that is wrong on disk, and what to do',
    query: z.strictObject({ session: z.string().max(limits.sessionKey).exactOptional() }),
    answer: json(careAnswers.doctorReport),
  },
  import: {
    method: 'POST',
    path: '/api/import',
    says: 'Takes a bundle in, as workrail export wrote it',
    query: z.strictObject({ merge: choice.exactOptional() }),
    body: 'bundle',
    answer: json(careAnswers.bundleImported),
  },
  prune: {
    method: 'POST',
    path: '/api/prune',
    says: 'Takes old sessions away; without dryRun false it only says which',
    body: apiBodies.pruneBody,
    answer: json(careAnswers.pruneAnswer),
  },
  watch: {
    method: 'GET',
    path: '/api/events',
    says: 'Which sessions change, whoever writes to them; Last-Event-ID or from goes on without loss or repeats',
    query: z.strictObject({ from: z.string().max(100).exactOptional() }),
    answer: { kind: 'live', messages: ['ready', 'session', 'stopped', 'dropped'] },
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    says: 'This API as an OpenAPI 3.1 document',
    answer: json(jsonObject),
  },
} as const satisfies { readonly [name: string]: ApiRoute };

export type ApiRouteName = keyof typeof apiRoutes;
