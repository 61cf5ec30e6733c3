import path from 'node:path';
import { hole } from '../../base/hole.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { revisionOf } from '../../library/revision.js';
import type { WarningTold } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { editedText } from '../../definitions/source/edited-text.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { renameWorkflow as renameFile } from '../../library/write-workflow.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import { writtenReply } from '../../respond/author/author-replies.js';
import type { Environment } from '../world/environment.js';
import { workflowHere } from './asked-workflow.js';
import { fileTold } from './get-workflow.js';
import { invalidWorkflow } from './invalid-workflow.js';
import { changedMeanwhile, fileStem, writableFolder } from './workflow-folder.js';

/** Gives a workflow another id. Its runs go on: they follow their pins. */
export async function renameWorkflow(
  env: Environment,
  { workflowId, newId, expectedRevision }: RequestOf<'rename_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const found = await workflowHere(env, workflowId);
  if (!found.ok) return found;
  const { entry, source: text, path: from } = found.value;
  const standing = { path: from, text, entry };
  const folder = writableFolder(env, undefined, standing);
  if (!folder.ok) return folder;
  const revision = revisionOf(entry.sourceDigest);
  if (expectedRevision !== undefined && expectedRevision !== revision) return err(changedMeanwhile(entry.id, revision));
  const other = await env.library.find(newId);
  if (newId !== entry.id && other !== undefined && other.entry.source !== 'bundled') return err(taken(other.entry));
  const pointer = ['/workflow', '/id'].find(
    (at) => editedText(text, entry.file, [{ op: 'test', path: at, value: entry.id }]).ok,
  );
  const edited =
    pointer === undefined ? undefined : editedText(text, entry.file, [{ op: 'replace', path: pointer, value: newId }]);
  if (edited?.ok !== true)
    return err({
      code: 'PRECONDITION_FAILED',
      message: `the id of ${entry.id} could not be found in ${entry.file} as one value; nothing was changed`,
      action: 'get the file and save it with the new id, then delete this one',
      nextCall: { tool: 'get_workflow', arguments: { workflowId: entry.id } },
    });
  const to = newName(from, entry.id, newId);
  const label = `${folder.value.source.label}/${path.relative(folder.value.folder, to).split(path.sep).join('/')}`;
  const [judged] = env.judgeFiles([{ path: from, label, text: edited.value, source: folder.value.source.name }]);
  if (judged === undefined || judged.entry.violations.some(({ rule }) => !wasThere(entry, rule)))
    return err(invalidWorkflow(judged ?? standing, 'save_workflow'));
  const callers = await env.library.callersOf(from);
  const written = await renameFile(folder.value.folder, { from, to, text: edited.value, revision });
  if (!written.ok)
    return err(changedMeanwhile(entry.id, written.error.kind === 'changed' ? written.error.revision : revision));
  return ok(
    writtenReply({
      ...fileTold(judged.entry),
      revision: written.value,
      happened: 'renamed',
      warnings: callers.map((caller) => calls(caller, entry.id, newId)),
      nextCall: { tool: 'inspect_workflow', arguments: { workflowId: newId } },
    }),
  );
}

/** A workflow that is broken can be renamed; no new violation may come of it. */
const wasThere = ({ violations }: LibraryEntry, rule: string): boolean =>
  violations.some((known) => known.rule === rule);

const calls = ({ id, file }: LibraryEntry, before: string, after: string): WarningTold => ({
  code: 'CALLED',
  message: `${id} (${file}) calls ${before} by its old id: change that to ${after}`,
});

const taken = ({ id, file }: LibraryEntry): Rejection => ({
  code: 'ALREADY_EXISTS',
  message: `${id} is here already, in ${file}; nothing was changed`,
  action: 'choose another id',
  again: [{ at: '/newId', to: hole('another id') }],
  context: { workflowId: id, file },
});

/** A file that was named for its id is named for the new one. */
function newName(from: string, before: string, after: string): string {
  const { dir, name, ext } = path.parse(from);
  const isNamedFor = [fileStem(before), before.slice(before.lastIndexOf('.') + 1)].includes(name);
  if (!isNamedFor) return from;
  const to = path.join(
    dir,
    `${name === fileStem(before) ? fileStem(after) : fileStem(after.slice(after.lastIndexOf('.') + 1))}${ext}`,
  );
  return pathIsTaken(to) ? from : to;
}
