import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { listedWorkflow } from './answer.js';
import { usageTold } from './usage-told.js';
import { count, jsonObject, jsonObjects, runId, runStatus, sessionId, startedAt, text, texts } from './described.js';

const workflowUsage = z.strictObject({
  workflowId: text('ID of the workflow'),
  runs: count('How many of its runs reported usage'),
  usage: usageTold.describe('What they used in total'),
});
export type WorkflowUsage = ReadonlyOutput<typeof workflowUsage>;

/** GET /api/workflows */
export const workflowsPage = z.strictObject({
  workflows: z.array(listedWorkflow).describe('Workflows that match'),
  here: count('How many there are, whether or not they match'),
  used: z
    .array(workflowUsage)
    .describe('What runs of these workflows used, by workflow ID; absent while the sessions are being read')
    .exactOptional(),
});
export type WorkflowsPage = ReadonlyOutput<typeof workflowsPage>;

const workflowDrift = z.strictObject({
  sessionId,
  runId,
  startedAt,
  status: runStatus,
  hash: text('Digest of the compiled workflow of the run'),
  changes: texts('How the file differs, each change in a few words'),
});
export type WorkflowDrift = ReadonlyOutput<typeof workflowDrift>;

/** GET /api/workflows/:id */
export const workflowDetail = z.strictObject({
  workflow: listedWorkflow.describe('The workflow as listed'),
  compiled: jsonObject('The workflow as a run would execute it; absent if the file has violations').exactOptional(),
  hash: text('Digest of the compiled workflow').exactOptional(),
  steps: jsonObjects(
    'Every step in order, with its expected output and placeholders: path, stepId, title, kind and more',
  ),
  source: text('The text of the file'),
  violations: jsonObjects('All violations: rule, pointer, line, column, message, expected, actual, closest, patch'),
  warnings: jsonObjects('Warnings about the file'),
  passedOver: z
    .array(z.strictObject({ source: text('Name of its source'), file: text('The file') }))
    .describe('Broken files with the same ID that would take precedence'),
  drift: z.array(workflowDrift).describe('Runs that follow another version of the file, newest first'),
});
export type WorkflowDetail = ReadonlyOutput<typeof workflowDetail>;
