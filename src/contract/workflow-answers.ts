import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { listedWorkflow } from './answer.js';
import { usageTold } from './usage-told.js';
import { count, jsonObject, jsonObjects, runId, runStatus, sessionId, startedAt, text, texts } from './described.js';

const workflowUsage = z.strictObject({
  workflowId: text('Id of the workflow'),
  runs: count('How many of its runs told what they used'),
  usage: usageTold.describe('What they used together'),
});
export type WorkflowUsage = ReadonlyOutput<typeof workflowUsage>;

/** GET /api/workflows */
export const workflowsPage = z.strictObject({
  workflows: z.array(listedWorkflow).describe('Workflows that match'),
  here: count('How many are here, whether or not they match'),
  used: z
    .array(workflowUsage)
    .describe('What runs of the workflows here used, by their ids; absent while the sessions here are being read')
    .exactOptional(),
});
export type WorkflowsPage = ReadonlyOutput<typeof workflowsPage>;

const workflowDrift = z.strictObject({
  sessionId,
  runId,
  startedAt,
  status: runStatus,
  hash: text('Digest of the compiled workflow that the run follows'),
  changes: texts('What the file does differently, each in a few words'),
});
export type WorkflowDrift = ReadonlyOutput<typeof workflowDrift>;

/** GET /api/workflows/:id */
export const workflowDetail = z.strictObject({
  workflow: listedWorkflow.describe('The workflow as it is listed'),
  compiled: jsonObject('As a run would execute it; absent where the file has violations').exactOptional(),
  hash: text('Digest of what it compiles to').exactOptional(),
  steps: jsonObjects('Every step in order with what it asks back, holes and all: path, stepId, title, kind and more'),
  source: text('The text of the file'),
  violations: jsonObjects('All of them: rule, pointer, line, column, message, expected, actual, closest, patch'),
  warnings: jsonObjects('What is legal and unwise'),
  passedOver: z
    .array(z.strictObject({ source: text('Name of its source'), file: text('The file') }))
    .describe('Broken files of the same id that would come before this one'),
  drift: z.array(workflowDrift).describe('Runs that follow another version than the file has now, the newest first'),
});
export type WorkflowDetail = ReadonlyOutput<typeof workflowDetail>;
