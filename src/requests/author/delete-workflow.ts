import path from 'node:path';
import { hole } from '../../base/hole.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { revisionOf } from '../../library/revision.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { removeWorkflow } from '../../library/write-workflow.js';
import { writtenReply } from '../../respond/author/author-replies.js';
import type { Environment } from '../world/environment.js';
import { trashFor } from '../world/trash-for.js';
import { workflowHere } from './asked-workflow.js';
import { fileTold } from './get-workflow.js';
import { changedMeanwhile, writableFolder } from './workflow-folder.js';

/** Moves a workflow file to the trash, once the user has agreed to lose that very text. */
export async function deleteWorkflow(
  env: Environment,
  { workflowId, confirm }: RequestOf<'delete_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const found = await workflowHere(env, workflowId);
  if (!found.ok) return found;
  const { entry, source: text, path: file } = found.value;
  const folder = writableFolder(env, undefined, { path: file, text, entry });
  if (!folder.ok) return folder;
  const revision = revisionOf(entry.sourceDigest);
  const callers = await env.library.callersOf(file);
  if (confirm === undefined) return err(unconfirmed(entry, callers));
  if (confirm !== revision) return err(changedMeanwhile(entry.id, revision));
  const trash = trashFor(env, folder.value);
  if (trash === undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: 'the trash cannot be written to; nothing was deleted',
      action: 'tell the user, who can remove the file themselves',
      context: { workflowId: entry.id, file: entry.file },
    });
  const name = `${path.basename(file)}~${env.now().getTime().toString(36)}~${env.randomId()}`;
  const removed = await removeWorkflow(folder.value.folder, { file, to: path.join(trash.folder, name), revision });
  if (!removed.ok)
    return err(changedMeanwhile(entry.id, removed.error.kind === 'changed' ? removed.error.revision : undefined));
  return ok(
    writtenReply({
      ...fileTold(entry),
      path: `${trash.label}/${name}`,
      happened: 'deleted',
      warnings: callers.map(({ id, file: at }) => ({
        code: 'CALLED',
        message: `${id} (${at}) calls it and can no longer be started`,
      })),
      nextCall: { tool: 'list_workflows', arguments: {} },
    }),
  );
}

function unconfirmed(entry: LibraryEntry, callers: readonly LibraryEntry[]): Rejection {
  const also =
    callers.length === 0 ? '' : `; ${callers.map(({ id }) => id).join(', ')} call${callers.length === 1 ? 's' : ''} it`;
  return {
    code: 'CONFIRMATION_REQUIRED',
    message: `${entry.id} (${entry.file}, “${entry.title}”) would go to the trash${also}; nothing was deleted`,
    action: `ask the user whether to delete it, and only once they agree send "confirm": "${revisionOf(entry.sourceDigest)}"`,
    again: [{ at: '/confirm', to: hole(`${revisionOf(entry.sourceDigest)}, once the user agrees`) }],
    context: { workflowId: entry.id, file: entry.file, revision: revisionOf(entry.sourceDigest) },
  };
}
