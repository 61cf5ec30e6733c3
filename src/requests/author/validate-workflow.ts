import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { hole } from '../../base/hole.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ValidateAnswer } from '../../contract/author-answers.js';
import type { Reply } from '../../contract/reply.js';
import { asJson } from '../../contract/reply-with.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { FileInLibrary } from '../../library/workflow-library.js';
import { validateReply } from '../../respond/author/author-replies.js';
import type { Environment } from '../world/environment.js';
import { judgedText, workflowHere } from './asked-workflow.js';

const mostTold = 20;

/** All that is wrong with a text, a file or a workflow that is here. To be wrong is an answer, not a mistake of the caller. */
export async function validateWorkflow(
  env: Environment,
  { workflowId, content, path: file }: RequestOf<'validate_workflow'>,
): Promise<Result<Reply, Rejection>> {
  if (content !== undefined) return ok(validateReply(told(judgedText(env, content), true)));
  if (file !== undefined) {
    const judged = judgedFile(env, file);
    return judged.ok ? ok(validateReply(told(judged.value, false))) : judged;
  }
  const found = await workflowHere(env, workflowId ?? '');
  return found.ok ? ok(validateReply(told(found.value, false))) : found;
}

/** A file of the workspace: what lies elsewhere is not read for whoever asks. */
function judgedFile(env: Environment, file: string): Result<FileInLibrary, Rejection> {
  const asked = path.resolve(env.workspace, file);
  const real = realPath(asked);
  const workspace = realPath(env.workspace) ?? env.workspace;
  if (real !== undefined && real !== workspace && !real.startsWith(workspace + path.sep))
    return err(notHere(file, `${file} is outside the workspace`));
  const [judged] = real === undefined ? [] : env.judgeFiles([{ path: real, label: path.relative(workspace, real) }]);
  return judged === undefined ? err(notHere(file, `no such file: ${file}`)) : ok(judged);
}

const notHere = (file: string, message: string): Rejection => ({
  code: 'NOT_FOUND',
  message,
  action: 'name a file in the workspace, or send its text as content',
  context: { path: file },
});

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function told({ entry }: Pick<FileInLibrary, 'entry'>, isText: boolean): ValidateAnswer {
  const { id, title, file, idStatus, violations, warnings } = entry;
  const valid = violations.length === 0;
  return {
    valid,
    file,
    ...(idStatus !== 'unknown' && { workflowId: id, title }),
    violations: violations.slice(0, mostTold).map(asJson),
    ...(violations.length > mostTold && { violationsOmitted: violations.length - mostTold }),
    warnings: warnings.slice(0, mostTold).map(asJson),
    ...(valid && isText && { nextCall: { tool: 'preview_rendered', arguments: { content: hole('the same text') } } }),
    ...(valid && !isText && { nextCall: { tool: 'preview_rendered', arguments: { workflowId: id } } }),
  };
}
