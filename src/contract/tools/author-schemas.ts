import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';

const workflowId = z.string().min(1).max(200).describe('id of a workflow that is here');
const content = z
  .string()
  .min(1)
  .max(limits.workflowFile)
  .describe('text of a workflow file, YAML or JSON, in place of workflowId');
const revision = z
  .string()
  .regex(/^rv_[0-9a-f]{16}$/u, 'is no revision such as rv_0123456789abcdef')
  .describe('revision of get_workflow');
const inputs = z
  .custom<JsonObject>(isJsonObject, 'expected an object')
  .meta({ type: 'object' })
  .describe('inputs of the workflow by name');
const cursor = z.string().max(100).describe('nextCursor of the page before');

/** A pointer of RFC 6901. */
const pointer = z
  .string()
  .max(2000)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/u, 'is no JSON pointer such as /steps/0/title');

/** One operation of RFC 6902. Which fields go with which operation is said where it is done. */
const operation = z.strictObject({
  op: z.enum(['add', 'replace', 'remove', 'move', 'copy', 'test']),
  path: pointer,
  from: pointer.optional(),
  value: z
    .custom<JsonValue>(() => true)
    .meta({})
    .optional(),
});
export type AskedOperation = z.output<typeof operation>;

/** What is written by tools of the toolset `author`. */
export const authorSchemas = {
  get_workflow: z.strictObject({ workflowId, cursor: cursor.optional() }),
  validate_workflow: z.strictObject({
    workflowId: workflowId.optional(),
    content: content.optional(),
    path: z.string().min(1).max(1000).optional().describe('a file in the workspace, in place of both'),
  }),
  save_workflow: z.strictObject({
    content: content.optional(),
    workflowId: workflowId.optional().describe('with patch: which workflow to change'),
    patch: z
      .array(operation)
      .min(1)
      .max(200)
      .optional()
      .describe('RFC 6902 operations, in place of content; comments and layout stay'),
    to: z.enum(['project', 'user']).optional().describe('for a new file: default project, where there is one'),
    overwrite: z.boolean().optional().describe('true replaces a workflow of the same id'),
    expectedRevision: revision.optional().describe('only if the file still has this revision'),
  }),
  rename_workflow: z.strictObject({
    workflowId,
    newId: z.string().min(1).max(200).describe('namespace and name, such as team.release'),
    expectedRevision: revision.optional(),
  }),
  delete_workflow: z.strictObject({
    workflowId,
    confirm: revision.optional().describe('its revision, once the user has agreed'),
  }),
  preview_inputs: z.strictObject({ workflowId: workflowId.optional(), content: content.optional() }),
  preview_rendered: z.strictObject({
    workflowId: workflowId.optional(),
    content: content.optional(),
    inputs: inputs.optional(),
    context: inputs.optional().describe('facts that steps would have set'),
    cursor: cursor.optional(),
  }),
  plan_steps: z.strictObject({
    workflowId: workflowId.optional(),
    content: content.optional(),
    inputs: inputs.optional(),
    cursor: cursor.optional(),
  }),
  resolve_inputs: z.strictObject({
    workflowId: workflowId.optional(),
    content: content.optional(),
    inputs: inputs.optional(),
  }),
} as const;

/** Requests that take one of several fields, and not two. */
export const oneOfFields: {
  readonly [
    name in keyof typeof authorSchemas | 'list_provider_values' | 'run_workflow' | 'get_run'
  ]?: readonly string[];
} = {
  validate_workflow: ['content', 'workflowId', 'path'],
  save_workflow: ['content', 'patch'],
  preview_inputs: ['workflowId', 'content'],
  preview_rendered: ['workflowId', 'content'],
  plan_steps: ['workflowId', 'content'],
  resolve_inputs: ['workflowId', 'content'],
  list_provider_values: ['workflowId', 'content'],
  run_workflow: ['workflowId', 'content', 'runId'],
  get_run: ['runId', 'stateToken'],
};
