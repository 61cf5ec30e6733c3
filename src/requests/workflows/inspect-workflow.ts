import { byteLength, cutToBytes } from '../../base/byte-budget.js';
import { hole } from '../../base/hole.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { InspectAnswer } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { contractPacks } from '../../definitions/contracts/contract-packs.js';
import { commandReference, formatReference } from '../../definitions/source/format-reference.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { commandsPage, formatPage, inspectReply, metadataOf, previewBytes } from '../../respond/inspect-reply.js';
import { startCall } from '../../respond/start-call.js';
import { previewFrom } from '../../respond/preview-steps.js';
import { asJson } from '../../contract/reply-with.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { unknownWorkflow } from '../steps/find-workflow.js';

export async function inspectWorkflow(
  env: Environment,
  request: RequestOf<'inspect_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const found = await env.library.find(request.workflowId);
  if (found === undefined) return err(await unknownWorkflow(env, request.workflowId));
  if (request.cursor === formatPage) return ok(formatReply(found.entry, formatReference([...contractPacks.keys()])));
  if (request.cursor === commandsPage) return ok(formatReply(found.entry, commandReference()));
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('inspect_workflow', request.cursor ?? ''));
  const { entry, workflow, source } = found;
  const mode = request.mode ?? 'metadata';
  const metadata =
    workflow === undefined
      ? asJson({
          id: entry.id,
          title: entry.title,
          description: entry.description,
          kind: entry.kind,
          ...where(entry),
          violationCount: entry.violations.length,
        })
      : metadataOf(workflow, env.pinned.hashOf(workflow), {
          ...where(entry),
          ...(mode === 'metadata' && entry.about !== undefined && { about: entry.about }),
        });
  const page =
    mode === 'source'
      ? sourcePage(source, from)
      : mode === 'preview' && workflow !== undefined
        ? stepPage(entry, workflow, metadata, from)
        : findingPage(entry, metadata, from);
  const answer: InspectAnswer = {
    violations: [],
    warnings: [],
    ...page,
    workflow: from === 0 ? metadata : nameOf(entry),
    nextCall: nextCallOf(entry, workflow, mode),
  };
  return ok(inspectReply(answer, entry.file));
}

/** What any workflow file may say: of none in particular, and found at each of them. */
function formatReply(entry: LibraryEntry, format: string): Reply {
  const nextCall = {
    tool: 'inspect_workflow',
    arguments: { workflowId: hole('the id of your file, once you have written it') },
  } as const;
  const answer: InspectAnswer = {
    workflow: nameOf(entry),
    format,
    violations: [],
    warnings: [],
    nextCall,
  };
  return inspectReply(answer, entry.file);
}

function where({ source, file, idStatus, suggestedId, hides }: LibraryEntry): JsonObject {
  return asJson({ source, file, idStatus, suggestedId, hides: hides.length > 0 ? hides : undefined });
}

type Page = Partial<Pick<InspectAnswer, 'steps' | 'source' | 'violations' | 'warnings' | 'nextCursor'>>;

/** On the pages after the first: which workflow this is about, no more. */
function nameOf({ id, title, file }: LibraryEntry): JsonObject {
  return { id, title, file };
}

/** What an answer says besides, the calls that it offers among it. */
const around = 512;
const workflowShown = 4096;

/** As many whole items as an answer holds beside the workflow's own description, and at least one; the rest is not even made. */
function fitting<T>(
  items: Iterable<T>,
  metadata: JsonObject,
  from: number,
  size: (item: T) => number,
): { readonly shown: readonly T[]; readonly next?: Pick<Page, 'nextCursor'> } {
  let left = limits.answer - around - (from === 0 ? Math.min(byteLength(JSON.stringify(metadata)), workflowShown) : 0);
  const shown: T[] = [];
  for (const item of items) {
    left -= size(item);
    if (left < 0 && shown.length > 0) return { shown, next: { nextCursor: String(from + shown.length) } };
    shown.push(item);
  }
  return { shown };
}

/** The steps, and on the first page a few warnings; all of them come with the metadata. */
function stepPage({ warnings }: LibraryEntry, workflow: CompiledWorkflow, metadata: JsonObject, from: number): Page {
  const { shown: steps, next } = fitting(previewFrom(workflow, from), metadata, from, previewBytes);
  return { steps, ...(from === 0 && { warnings: warnings.slice(0, 3).map(asJson) }), ...next };
}

function findingPage({ violations, warnings }: LibraryEntry, metadata: JsonObject, from: number): Page {
  const all = [...violations, ...warnings].slice(from).map(asJson);
  const { shown, next } = fitting(all, metadata, from, (finding) => byteLength(JSON.stringify(finding)));
  const errors = Math.max(0, violations.length - from);
  return { violations: shown.slice(0, errors), warnings: shown.slice(errors), ...next };
}

function sourcePage(source: string, from: number): Page {
  const rest = Buffer.from(source, 'utf8').toString('utf8', from);
  const shown = cutToBytes(rest, limits.answer);
  return { source: shown, ...(shown.length < rest.length && { nextCursor: String(from + byteLength(shown)) }) };
}

function nextCallOf(
  entry: LibraryEntry,
  workflow: CompiledWorkflow | undefined,
  mode: string,
): InspectAnswer['nextCall'] {
  if (workflow === undefined)
    return {
      tool: 'inspect_workflow',
      arguments: { workflowId: entry.id, mode: mode === 'source' ? 'metadata' : 'source' },
    };
  return startCall(entry, { session: hole('a ticket or a name to find it by, or leave session out') });
}
