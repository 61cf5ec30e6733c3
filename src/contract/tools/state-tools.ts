import type { stateSchemas } from './state-schemas.js';
import { reads, showing, type Tool, writes } from './tool.js';

const state = { byDefault: false, optional: true, toolset: 'state' } as const;
const session = { sessionid: 'session', sessionkey: 'session', rootsession: 'session' };
const which = { ...session, state: 'stateId', id: 'stateId' };
const writing = { ...which, token: 'writeToken', version: 'expectedVersion', etag: 'expectedVersion' };

/** Tools for a document that a session and all agents below it share. */
export const stateTools: { readonly [name in keyof typeof stateSchemas]: Tool } = {
  state_create: {
    title: 'Create a shared state',
    ...showing(
      'Creates the document that a session and all agents below it share, held to a registered schema. A session has one; the same call again finds it.',
      { schemaName: 'code-review-workflow', initialData: { status: 'pending', tasks: [] }, session: 'AUTH-1234' },
    ),
    ...state,
    aliases: {
      ...session,
      schema: 'schemaName',
      data: 'initialData',
      currentdata: 'initialData',
      value: 'initialData',
    },
    annotations: { ...writes, idempotentHint: true },
  },
  state_read: {
    title: 'Read the shared state',
    ...showing('Reads the shared document, or a part of it, with its version and a writeToken to write from there.', {
      session: 'AUTH-1234',
      path: '/tasks',
    }),
    ...state,
    aliases: { ...which, pointer: 'path' },
    annotations: reads,
  },
  state_update: {
    title: 'Replace the shared state',
    ...showing(
      'Replaces the whole shared document. Prefer state_patch where others write too. With the writeToken it is done to what others have written meanwhile, where it does not touch that.',
      { data: { status: 'completed', tasks: [] }, writeToken: 'sw.v1.…' },
    ),
    ...state,
    aliases: { ...writing, currentdata: 'data', value: 'data' },
    annotations: writes,
  },
  state_patch: {
    title: 'Change the shared state',
    ...showing('Changes parts of the shared document by JSON Patch: all operations or none.', {
      operations: [{ op: 'replace', path: '/tasks/0/status', value: 'done' }],
      writeToken: 'sw.v1.…',
    }),
    ...state,
    aliases: { ...writing, ops: 'operations', patch: 'operations' },
    annotations: { ...writes, idempotentHint: false },
  },
  state_waive: {
    title: 'Report nothing to the shared state',
    ...showing('Records that your work has nothing to add to the shared document, and why. Writes no version.', {
      session: 'AUTH-1234',
      reason: 'The task was already done.',
    }),
    ...state,
    aliases: { ...which, token: 'writeToken', message: 'reason', why: 'reason' },
    annotations: { ...writes, idempotentHint: true },
  },
  state_schema: {
    title: 'Show the schema of the shared state',
    ...showing('Shows the schema that the shared document is held to, or one that is registered.', {
      session: 'AUTH-1234',
    }),
    ...state,
    aliases: { ...which, name: 'schemaName', version: 'schemaVersion' },
    annotations: reads,
  },
};
