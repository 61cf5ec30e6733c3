import { z } from 'zod';
import { settlements } from '../../base/closed-sets.js';
import { idPatterns } from '../../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { modeNames } from '../../base/preferences.js';

const runId = z.string().regex(idPatterns.run, 'is no run such as run_0123456789ab').describe('runId of run_workflow');
const workflowId = z.string().min(1).max(200).describe('id of a workflow that is here');
const inputs = z
  .custom<JsonObject>(isJsonObject, 'expected an object')
  .meta({ type: 'object' })
  .describe('inputs of the workflow by name');
const cursor = z.string().max(100).describe('nextCursor of the page before');
const plan = z
  .string()
  .regex(/^pl_[0-9a-f]{16}$/u, 'is no plan such as pl_0123456789abcdef')
  .describe('plan of plan_steps, once the user has agreed to it');

export const runStates = ['pending', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type RunState = (typeof runStates)[number];

/** What the tools about runs take. */
export const runSchemas = {
  run_workflow: z.strictObject({
    workflowId: workflowId.optional(),
    content: z
      .string()
      .min(1)
      .max(limits.workflowFile)
      .optional()
      .describe('text of a workflow file, in place of workflowId'),
    inputs: inputs.optional(),
    confirm: plan.optional(),
    detached: z.boolean().optional().describe('true returns at once; needed by clients without tasks'),
    mode: z.enum(modeNames).optional().describe('how far to go without the user: guided (default)'),
    session: z.string().max(limits.sessionKey).regex(/\S/u, 'is blank').optional(),
    repairs: runId.optional().describe('run to go on from: what it sent without a change is not sent again'),
    runId: runId.optional().describe('in place of workflowId: goes on with a run that was interrupted'),
    fresh: z.boolean().optional().describe('true runs the same plan once more, if its last run is over'),
    takeOver: z.boolean().optional().describe('true goes on with a run that began elsewhere'),
  }),
  get_run: z.strictObject({
    runId: runId.optional(),
    stateToken: z.string().optional().describe('in place of runId'),
    waitMs: z.number().int().min(0).max(limits.runWaitMs).optional().describe('waits for a change'),
  }),
  list_runs: z.strictObject({
    state: z.enum(runStates).optional(),
    workflowId: workflowId.optional(),
    cursor: cursor.optional(),
  }),
  cancel_run: z.strictObject({
    runId,
    reason: z.string().min(1).max(1000).optional(),
  }),
  purge_history: z.strictObject({
    workflowId,
    inputs: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(50)
      .optional()
      .describe('names of inputs: only their values are taken out, and the runs stay'),
    confirm: z
      .string()
      .regex(/^pg_[0-9a-f]{16}$/u, 'is no purge such as pg_0123456789abcdef')
      .optional()
      .describe('confirm of the preview, once the user has agreed'),
  }),
  settle_command: z.strictObject({
    runId,
    call: z.string().regex(idPatterns.call, 'is no call such as c_0123456789ab').describe('call of get_run'),
    choice: z
      .enum(settlements)
      .describe('repeat sends it again; done: the server did it; failed: it did not, and shall not'),
    reason: z.string().min(1).max(1000).describe('how that is known'),
    result: z
      .custom<JsonValue>(() => true)
      .meta({})
      .optional()
      .describe('with done: the body of its answer, as far as it is known'),
  }),
} as const;
