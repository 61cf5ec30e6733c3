import { byteLength, cutToBytes } from '../base/byte-budget.js';
import { hole } from '../base/hole.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import type { InspectAnswer } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import type { RequestOf } from '../contract/request-schemas.js';
import { pinWorkflow } from '../definitions/pin.js';
import type { CompiledWorkflow } from '../definitions/compiled-workflow.js';
import type { LibraryEntry } from '../library/library-entry.js';
import { inspectReply, metadataOf, previewSteps } from '../respond/inspect-reply.js';
import { asJson } from '../respond/reply-with.js';
import { readCursor, wrongCursor } from './cursors.js';
import type { Environment } from './environment.js';
import { unknownWorkflow } from './find-workflow.js';

export async function inspectWorkflow(env: Environment, request: RequestOf<'inspect_workflow'>): Promise<Result<Reply, Rejection>> {
  const found = await env.library.find(request.workflowId);
  if (found === undefined) return err(await unknownWorkflow(env, request.workflowId));
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('inspect_workflow', request.cursor ?? ''));
  const { entry, workflow, source } = found;
  const mode = request.mode ?? 'metadata';
  const page = mode === 'preview' && workflow !== undefined ? stepPage(workflow, from) : mode === 'source' ? sourcePage(source, from) : {};
  const answer: InspectAnswer = {
    workflow: workflow === undefined ? { id: entry.id, ...where(entry) } : metadataOf(workflow, pinWorkflow(workflow).hash, where(entry)),
    ...page,
    violations: entry.violations.map(asJson),
    warnings: entry.warnings.map(asJson),
    nextCall: nextCallOf(entry, workflow, mode),
  };
  return ok(inspectReply(answer, entry.file));
}

function where({ source, file, idStatus, suggestedId, hides }: LibraryEntry): JsonObject {
  return { source, file, idStatus, ...(suggestedId !== undefined && { suggestedId }), ...(hides.length > 0 && { hides: hides.map(asJson) }) };
}

/** What a page of steps may take beside the workflow's own description. */
const previewPage = limits.answer - 2048;

/** As many whole steps as an answer holds, and at least one. */
function stepPage(workflow: CompiledWorkflow, from: number): Pick<InspectAnswer, 'steps' | 'nextCursor'> {
  const steps = previewSteps(workflow);
  let left: number = previewPage;
  let end = from;
  for (const step of steps.slice(from)) {
    left -= byteLength(JSON.stringify(step));
    if (left < 0 && end > from) break;
    end += 1;
  }
  return { steps: steps.slice(from, end), ...(end < steps.length && { nextCursor: String(end) }) };
}

function sourcePage(source: string, from: number): Pick<InspectAnswer, 'source' | 'nextCursor'> {
  const rest = Buffer.from(source, 'utf8').toString('utf8', from);
  const shown = cutToBytes(rest, limits.answer);
  return { source: shown, ...(shown.length < rest.length && { nextCursor: String(from + byteLength(shown)) }) };
}

function nextCallOf(entry: LibraryEntry, workflow: CompiledWorkflow | undefined, mode: string): InspectAnswer['nextCall'] {
  if (workflow === undefined) return { tool: 'inspect_workflow', arguments: { workflowId: entry.id, mode: mode === 'source' ? 'metadata' : 'source' } };
  const required = Object.entries(workflow.inputs).filter(([, spec]) => spec.required);
  return { tool: 'start_workflow', arguments: { workflowId: entry.id, ...(required.length > 0 && { context: Object.fromEntries(required.map(([name, spec]) => [name, hole(spec.description ?? name)])) }) } };
}
