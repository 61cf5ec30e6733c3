import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs';
import { join } from 'node:path';
import { limits } from '../base/limits.js';
import { named } from '../files/fault-reason.js';

export interface WorkflowFile {
  /** Relative to its source's folder, with forward slashes. */
  readonly relative: string;
  readonly path: string;
  /** Why it cannot be a workflow file, where its place alone tells. */
  readonly problem?: string;
}

/** What a file held when it was read, and what its state was then: the same state later means the same bytes. Without a state it has to be read again. */
export type FileContent = { readonly state: string | undefined } & (
  | { readonly bytes: Uint8Array }
  | { readonly tooLarge: number }
  | { readonly unreadable: string }
);

const extensions = /\.(?:ya?ml|json)$/iu;

/**
 * Workflow files below a folder, in the order of their paths. A folder that is not there has none; what cannot be read is
 * among them with its reason, so that nothing is passed over in silence. Files are few and near: asking the system for one
 * after the other takes a fifth of what asking for several at once does.
 */
export function workflowFiles(folder: string): readonly WorkflowFile[] {
  const found: WorkflowFile[] = [];
  collect(folder, '', 1, found);
  return found.toSorted((a, b) => (a.relative < b.relative ? -1 : 1));
}

function collect(folder: string, prefix: string, depth: number, found: WorkflowFile[]): void {
  for (const entry of entriesOf(folder, prefix, found)) {
    if (entry.name.startsWith('.')) continue;
    const file = { relative: prefix + entry.name, path: join(folder, entry.name) };
    if (entry.isDirectory()) {
      if (depth < limits.folderDepth && entry.name !== 'node_modules')
        collect(file.path, `${file.relative}/`, depth + 1, found);
    } else if (entry.isSymbolicLink()) {
      // A link could lead out of the folder, or round in a circle.
      if (extensions.test(entry.name))
        found.push({
          ...file,
          problem:
            'it is a link, and links are not followed: put the file itself here, or name its folder under workflowFolders in config.json',
        });
      else if (!leadsToFile(file.path))
        found.push({
          ...file,
          problem:
            'it is a link to a folder or to nothing, and links are not followed: name the folder under workflowFolders in config.json',
        });
    } else if (extensions.test(entry.name))
      found.push(entry.isFile() ? file : { ...file, problem: 'it is not a regular file' });
  }
}

function entriesOf(folder: string, prefix: string, found: WorkflowFile[]): readonly Dirent[] {
  try {
    // Most folders that are looked for are not there, and an error costs several times the look.
    if (prefix === '' && statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder, { withFileTypes: true });
  } catch (fault) {
    const code = String((fault as { readonly code?: unknown }).code);
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code)) throw fault;
    if (code !== 'ENOENT')
      found.push({
        relative: prefix,
        path: folder,
        problem: code === 'ENOTDIR' ? 'it is not a folder' : `${code}: it may not be read`,
      });
    return [];
  }
}

function leadsToFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // It leads round in a circle, or to what may not be looked at.
    return false;
  }
}

/** A file that has just changed may change again within the same tick of the system's clock, and look as it does now. */
const clockTickMs = 50;

/** The bytes of a plain file. Size and state are those of the very file that is read. Undefined where it is gone. */
export function readWorkflowFile(path: string): FileContent | undefined {
  try {
    return readOpened(path);
  } catch (fault) {
    const code = String((fault as { readonly code?: unknown }).code);
    if (code === 'ENOENT') return undefined;
    // Nothing is wrong with the file, and the next call may have it: it must not be remembered as one that cannot be read.
    if (['EMFILE', 'ENFILE', 'ENOMEM'].includes(code)) throw fault;
    return {
      state: code === 'EIO' ? undefined : stateIfTold(path),
      unreadable: fault instanceof Error ? withoutPath(fault.message, path) : String(fault),
    };
  }
}

const readOpened = (path: string): FileContent => named(path, () => readPlain(path));

function readPlain(path: string): FileContent {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file, { bigint: true });
    const state = Math.abs(Date.now() - Number(stats.ctimeMs)) < clockTickMs ? undefined : stateOf(stats);
    if (!stats.isFile()) return { state, unreadable: 'it is not a regular file' };
    if (stats.size > BigInt(limits.workflowFile)) return { state, tooLarge: Number(stats.size) };
    const buffer = Buffer.alloc(Number(stats.size) + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < buffer.length; length += more)
      more = readSync(file, buffer, length, buffer.length - length, length);
    // It grew while it was read: whoever writes it is not done.
    if (length === buffer.length) return { state: undefined, unreadable: 'it is being written right now' };
    return { state, bytes: buffer.subarray(0, length) };
  } finally {
    closeSync(file);
  }
}

function stateIfTold(path: string): string | undefined {
  try {
    return fileState(path);
  } catch {
    return undefined;
  }
}

/** The state of a plain file as it would be read now, for one system call. Undefined where there is none. */
export function fileState(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? stateOf(stats) : undefined;
}

/** The time of the last change of anything, rights included, which nobody can set back as they can that of the last writing. */
function stateOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, dev].join(':');
}

function withoutPath(message: string, path: string): string {
  return message.replaceAll(path, 'the file');
}
