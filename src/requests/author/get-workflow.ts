import { byteLength, cutToBytes } from '../../base/byte-budget.js';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { revisionOf } from '../../library/revision.js';
import type { FileTold, GetAnswer } from '../../contract/author-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { parseSource } from '../../definitions/source/source-document.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { getReply } from '../../respond/author/author-replies.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { workflowHere } from './asked-workflow.js';

/** The text of a workflow file, to be changed. */
export async function getWorkflow(
  env: Environment,
  request: RequestOf<'get_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const found = await workflowHere(env, request.workflowId);
  if (!found.ok) return found;
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('get_workflow', request.cursor ?? ''));
  const { entry, source } = found.value;
  const rest = Buffer.from(source, 'utf8').toString('utf8', from);
  const content = cutToBytes(rest, limits.answer);
  const isWhole = from === 0 && content.length === rest.length;
  const parsed = isWhole ? parsedWithin(source, entry.file, limits.answer - byteLength(content)) : undefined;
  const told = fileTold(entry);
  const answer: GetAnswer = {
    ...told,
    content,
    ...(parsed !== undefined && { parsed }),
    ...(content.length < rest.length && { nextCursor: String(from + byteLength(content)) }),
    nextCall: {
      tool: 'save_workflow',
      arguments: {
        workflowId: entry.id,
        patch: [{ op: 'replace', path: '/title', value: entry.title }],
        expectedRevision: told.revision,
      },
    },
  };
  return ok(getReply(answer));
}

function parsedWithin(source: string, file: string, bytes: number): GetAnswer['parsed'] {
  const parsed = parseSource(source, file);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) return undefined;
  return byteLength(JSON.stringify(parsed.value.value)) <= bytes ? parsed.value.value : undefined;
}

export const fileTold = ({ id, file, sourceDigest }: LibraryEntry): FileTold => ({
  workflowId: id,
  path: file,
  format: /\.json$/iu.test(file) ? 'json' : 'yaml',
  revision: revisionOf(sourceDigest),
});
