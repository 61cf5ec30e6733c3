import path from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import type { WorkflowSource } from '../../library/library-entry.js';
import type { FileInLibrary } from '../../library/workflow-library.js';
import type { Environment } from '../world/environment.js';
import { sourceForNew, writableSource } from '../world/writable-source.js';
import { nameOfText } from './asked-workflow.js';

/** A folder in which workflow files may be written. */
export interface WorkflowFolder {
  readonly folder: string;
  readonly source: WorkflowSource & { readonly name: 'user' | 'project' | 'configured' };
}

const isWritable = (source: WorkflowSource): source is WorkflowFolder['source'] => source.name !== 'bundled';

/** Where a workflow goes: a file that is here stays in its folder; a new one goes where the user said, to the project, or to the user. */
export function writableFolder(
  env: Environment,
  to: 'project' | 'user' | undefined,
  of?: FileInLibrary,
): Result<WorkflowFolder, Rejection> {
  const sources = env.workflowSources.filter(isWritable);
  const found =
    of === undefined
      ? folderFor(env, sources, to)
      : sources.findLast(({ folder }) => of.path.startsWith(folder + path.sep));
  if (found === undefined && of !== undefined) return err(notOurs(of));
  const writable = writableSource(found);
  return writable.ok ? ok({ folder: writable.value.folder, source: writable.value }) : writable;
}

function folderFor(
  env: Environment,
  sources: readonly WorkflowFolder['source'][],
  to: 'project' | 'user' | undefined,
): WorkflowFolder['source'] | undefined {
  return to === undefined && env.ownWorkflowFolder ? sources.at(-1) : sourceForNew(env, sources, to);
}

const notOurs = ({ entry }: Pick<FileInLibrary, 'entry'>): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `${entry.id} is built in and cannot be changed`,
  action: 'get its text and save it under your own id, in a namespace other than wr',
  nextCall: { tool: 'get_workflow', arguments: { workflowId: entry.id } },
  context: { workflowId: entry.id },
});

export function changedMeanwhile(workflowId: string, revision: string | undefined): Rejection {
  return {
    code: 'REVISION_CONFLICT',
    message:
      revision === undefined
        ? `${workflowId} has changed: its file is gone or was replaced; nothing was written`
        : `${workflowId} has the revision ${revision} now; nothing was written`,
    action: 'look at it as it is now, then make your change to that',
    nextCall: { tool: 'get_workflow', arguments: { workflowId } },
    context: { workflowId, ...(revision !== undefined && { revision }) },
  };
}

const nameChars = 100;

/** A file name for an id that leads nowhere else, and that no other file has. */
export function freeName(folder: string, id: string, text: string): string {
  const stem = fileStem(id);
  const extension = path.extname(nameOfText(text));
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}${extension}`;
    if (!pathIsTaken(path.join(folder, name))) return name;
  }
}

export const fileStem = (id: string): string =>
  id
    .replaceAll(/[^A-Za-z0-9._-]+/gu, '-')
    .replaceAll(/\.{2,}/gu, '.')
    .replace(/^[.-]+/u, '')
    .slice(0, nameChars) || 'workflow';
