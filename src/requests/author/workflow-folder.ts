import path from 'node:path';
import { command, either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { isRealFolder } from '../../files/folders.js';
import { pathIsTaken } from '../../files/path-is-taken.js';
import type { WorkflowSource } from '../../library/library-entry.js';
import type { FileInLibrary } from '../../library/workflow-library.js';
import type { Environment } from '../world/environment.js';
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
  if (found === undefined) return err(of === undefined ? noProject : notOurs(of));
  const why = found.refused?.();
  if (why !== undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: `nothing is written to ${found.label}: ${why}`,
      action: 'tell the user, or send "to": "user"',
      context: { path: found.label },
    });
  return ok({ folder: found.folder, source: found });
}

function folderFor(
  env: Environment,
  sources: readonly WorkflowFolder['source'][],
  to: 'project' | 'user' | undefined,
): WorkflowFolder['source'] | undefined {
  if (to === undefined && env.ownWorkflowFolder) return sources.at(-1);
  // A project has a folder of ours where somebody made one; nothing else ever does.
  const isNamed = (folder: string): boolean =>
    env.roots.known.some((root) => root.kind === 'given' && root.folder === folder);
  const isThere = (folder: string): boolean => isRealFolder(folder) || isNamed(folder);
  const project = sources.findLast(({ name, folder }) => name === 'project' && isThere(path.dirname(folder)));
  if (to === 'project') return project;
  return to === undefined && project !== undefined ? project : sources.find(({ name }) => name === 'user');
}

const noProject: Rejection = {
  code: 'PRECONDITION_FAILED',
  message: 'this project has no .workrail folder; nothing was written',
  action: [
    either('send "to": "user", or ask the user to run ', 'use --to user, or run '),
    command('init'),
    ' in the project',
  ],
  again: [{ at: '/to', to: 'user' }],
};

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
