import { z } from 'zod';
import { conflictChoices } from '../base/closed-sets.js';
import { limits } from '../base/limits.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { jsonValue, text } from './described.js';

const json = { kind: 'json' } as const;
const expectedVersion = z
  .union([z.number().int().min(1), z.string().max(40)])
  .describe('Number or etag of the version that must be the newest; without it the write is done to the newest')
  .exactOptional();
const path = z.string().max(2000).describe('JSON Pointer to a part of the document').exactOptional();

const number = z
  .string()
  .regex(/^[1-9]\d{0,8}$/u, 'is not a number')
  .transform(Number);
const types = ['application/json'];

const settleBody = z.strictObject({
  conflict: text('Etag of the version whose change it is').max(40),
  how: z.enum(conflictChoices).describe('apply does it to the newest version, leave leaves it out'),
  reason: text('Why').max(1000).exactOptional(),
});
export type SettleBody = ReadonlyOutput<typeof settleBody>;

/** Routes of shared states and their schemas. They bear the names that clients of states know. */
export const stateRoutes = {
  addSchema: {
    method: 'POST',
    path: '/workflow-schemas',
    says: 'Registers a JSON Schema by name; the same text is registered once, another one as the next version',
    types,
    body: z.strictObject({
      name: z.string().min(1).max(64).describe('Name, in small letters, digits, dots and dashes'),
      json_schema: jsonValue('The JSON Schema: draft 7 or 2020-12'),
      description: text('What it is for').max(1000).exactOptional(),
    }),
    answer: json,
  },
  schemas: { method: 'GET', path: '/workflow-schemas', says: 'All schemas, each version by itself', answer: json },
  schema: {
    method: 'GET',
    path: '/workflow-schemas/{schema}',
    says: 'A schema: its newest version, or another',
    query: z.strictObject({
      version: number.describe('Number of the version').exactOptional(),
    }),
    answer: json,
  },
  schemaVersions: {
    method: 'GET',
    path: '/workflow-schemas/{schema}/versions',
    says: 'All versions of a schema',
    answer: json,
  },
  createState: {
    method: 'POST',
    path: '/workflow-states',
    says: 'Creates the shared state of a session; the same call again finds it. 201 if it is new',
    types,
    most: limits.stateBody,
    body: z.strictObject({
      schema_name: z.string().min(1).max(64).describe('Name of a registered schema'),
      schema_version: z.number().int().min(1).describe('Its version; default: the newest').exactOptional(),
      initial_data: jsonValue('The document'),
      root_session: z
        .string()
        .max(limits.sessionKey)
        .describe('Name or ID of the session; default: a new one')
        .exactOptional(),
    }),
    answer: json,
  },
  states: {
    method: 'GET',
    path: '/workflow-states',
    says: 'All shared states, open and closed, without their documents; the one written last first',
    query: z.strictObject({
      root_session: z.string().max(limits.sessionKey).describe('Only of this session: its name or ID').exactOptional(),
      schema: z.string().max(64).describe('Only with this schema').exactOptional(),
      status: z.enum(['open', 'closed']).describe('Only those that are open, or closed').exactOptional(),
      limit: number.pipe(z.number().max(limits.apiPage)).describe('How many to return').exactOptional(),
    }),
    answer: json,
  },
  state: {
    method: 'GET',
    path: '/workflow-states/{state}',
    says: 'A shared state: the newest version of its document, or a part of it',
    query: z.strictObject({ path }),
    answer: json,
  },
  replaceState: {
    method: 'PUT',
    path: '/workflow-states/{state}',
    says: 'Replaces the document. 409 if expected_version is not the newest, 412 if If-Match is not',
    types,
    most: limits.stateBody,
    body: z.strictObject({ data: jsonValue('The whole document'), expected_version: expectedVersion }),
    answer: json,
  },
  patchState: {
    method: 'PATCH',
    path: '/workflow-states/{state}',
    says: 'Changes parts of the document by JSON Patch: {"operations": […]}, or application/json-patch+json',
    types: ['application/json', 'application/json-patch+json'],
    most: limits.stateBody,
    body: z.union([
      z.strictObject({ operations: jsonValue('Operations of JSON Patch'), expected_version: expectedVersion }),
      z.array(jsonValue('An operation')).describe('Operations of JSON Patch, as application/json-patch+json'),
    ]),
    answer: json,
  },
  closeState: {
    method: 'DELETE',
    path: '/workflow-states/{state}',
    says: 'Closes a shared state: it can be read as long as its session is there, and not written',
    answer: json,
  },
  stateVersion: {
    method: 'GET',
    path: '/workflow-states/{state}/versions/{version}',
    says: 'An older version, by its number or etag',
    query: z.strictObject({ path }),
    answer: json,
  },
  stateVersions: {
    method: 'GET',
    path: '/workflow-states/{state}/versions',
    says: 'Versions of a shared state, newest first',
    query: z.strictObject({
      before: number.describe('Only versions with a smaller number').exactOptional(),
      limit: number.pipe(z.number().max(limits.apiPage)).describe('How many to return').exactOptional(),
    }),
    answer: json,
  },
  stateChanges: {
    method: 'GET',
    path: '/workflow-states/{state}/changes',
    says: 'What was written since a version. With wait, the answer comes as soon as there is something',
    query: z.strictObject({
      since: text('Number or etag of the version; default: the newest').max(60).exactOptional(),
      wait: z
        .string()
        .regex(/^\d{1,2}$/u, 'is not a number of seconds')
        .transform(Number)
        .pipe(z.number().max(limits.stateWaitMs / 1000))
        .describe(`How many seconds to wait for a change, at most ${limits.stateWaitMs / 1000}; default: 0`)
        .exactOptional(),
    }),
    answer: json,
  },
  stateStream: {
    method: 'GET',
    path: '/workflow-states/{state}/stream',
    says: 'A shared state as it changes: a snapshot, then each version. Continue with Last-Event-ID or since, without loss or repeats',
    query: z.strictObject({
      since: text('Etag of the version that was seen last, or the ID of the last message').max(60).exactOptional(),
    }),
    answer: {
      kind: 'live',
      messages: [
        'ready',
        'workflow_state_snapshot',
        'workflow_state_updated',
        'workflow_state_conflicts',
        'workflow_state_closed',
        'workflow_state_gone',
        'stopped',
        'dropped',
      ],
    },
  },
  stateChange: {
    method: 'GET',
    path: '/workflow-states/{state}/versions/{version}/change',
    says: 'How a version was made: its operations, the step it belongs to, and what became of it if it could not be merged',
    answer: json,
  },
  stateSchema: {
    method: 'GET',
    path: '/workflow-states/{state}/schema',
    says: 'The schema of a state, as its log has it',
    query: z.strictObject({
      version: text('Number or etag of the version; default: the newest').max(40).exactOptional(),
    }),
    answer: json,
  },
  stateDiff: {
    method: 'GET',
    path: '/workflow-states/{state}/diff',
    says: 'What differs between two versions, as JSON Patch',
    query: z.strictObject({
      a: text('Number or etag of the first version').max(40),
      b: text('Number or etag of the second version; default: the newest').max(40).exactOptional(),
    }),
    answer: json,
  },
  mergeState: {
    method: 'POST',
    path: '/workflow-states/{state}/merge',
    says: 'Merges what clones have written at the same time, as the next write would',
    types,
    body: z.strictObject({}),
    answer: json,
  },
  settleState: {
    method: 'POST',
    path: '/workflow-states/{state}/settle',
    says: 'Says what becomes of a change that a merge could not do: it is done now, or left out',
    types,
    body: settleBody,
    answer: json,
  },
  forkState: {
    method: 'POST',
    path: '/workflow-states/{state}/fork',
    says: 'Creates another state of the same session that begins with a version of this one; the same call again finds it',
    types,
    body: z.strictObject({
      version: z
        .union([z.number().int().min(1), z.string().max(40)])
        .describe('Number or etag of the version; default: the newest')
        .exactOptional(),
    }),
    answer: json,
  },
  migrateState: {
    method: 'POST',
    path: '/workflow-states/{state}/migrate',
    says: 'Puts a state under another schema, with operations that make its document fit',
    types,
    most: limits.stateBody,
    body: z.strictObject({
      schema_name: z.string().min(1).max(64).describe('Name of a registered schema'),
      schema_version: z.number().int().min(1).describe('Its version; default: the newest').exactOptional(),
      operations: jsonValue('Operations of JSON Patch').exactOptional(),
    }),
    answer: json,
  },
  sessionStates: {
    method: 'GET',
    path: '/api/sessions/{session}/states',
    says: 'All shared states of a session, forks among them, without their documents',
    answer: json,
  },
  sessionState: {
    method: 'GET',
    path: '/sessions/{session}/workflow-state',
    says: 'The shared state of a session',
    answer: json,
  },
} as const;
