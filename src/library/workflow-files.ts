import { constants, lstatSync, type BigIntStats } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../base/limits.js';

export interface WorkflowFile {
  /** Relative to its source's folder, with forward slashes. */
  readonly relative: string;
  readonly path: string;
}

/** What a file held when it was read, and what its state was then: the same state later means the same bytes. */
export type FileContent = { readonly state: string } & ({ readonly bytes: Uint8Array } | { readonly tooLarge: number } | { readonly unreadable: string });

const extensions = /\.(?:ya?ml|json)$/iu;

/** Workflow files below a folder, in the order of their paths. A folder that is not there has none. */
export async function workflowFiles(folder: string): Promise<readonly WorkflowFile[]> {
  const found: WorkflowFile[] = [];
  await collect(folder, '', 1, found);
  return found.toSorted((a, b) => (a.relative < b.relative ? -1 : 1));
}

async function collect(folder: string, prefix: string, depth: number, found: WorkflowFile[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((fault: unknown) => {
    if (isExpected(fault)) return [];
    throw fault;
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    // A link could lead out of the folder, or round in a circle: neither kind of entry below is one.
    if (entry.isFile() && extensions.test(entry.name)) found.push({ relative: prefix + entry.name, path: join(folder, entry.name) });
    else if (entry.isDirectory() && depth < limits.folderDepth && !entry.name.startsWith('.'))
      await collect(join(folder, entry.name), `${prefix}${entry.name}/`, depth + 1, found);
  }
}

function isExpected(fault: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(String((fault as { readonly code?: unknown }).code));
}

/** The file's bytes, unless its state is the known one. Size and state are those of the very file that is read. */
export async function readWorkflowFile(path: string, knownState: string | undefined): Promise<FileContent | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (fault) {
    return { state: '', unreadable: fault instanceof Error ? withoutPath(fault.message, path) : String(fault) };
  }
  try {
    const stats = await file.stat({ bigint: true });
    const state = stateOf(stats);
    if (state === knownState) return undefined;
    if (!stats.isFile()) return { state, unreadable: 'it is not a plain file' };
    if (stats.size > BigInt(limits.workflowFile)) return { state, tooLarge: Number(stats.size) };
    const buffer = Buffer.alloc(Number(stats.size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    // It grew while it was read; whoever writes it is not done, and the state we noted will not be that of the next look.
    if (length === buffer.length) return { state, unreadable: 'it is being written just now' };
    return { state, bytes: buffer.subarray(0, length) };
  } finally {
    await file.close();
  }
}

/** The state of a file as it would be read now, for one system call. Undefined where there is none. */
export function fileState(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? stateOf(stats) : undefined;
}

function stateOf({ size, mtimeNs, ino, dev }: BigIntStats): string {
  return [size, mtimeNs, ino, dev].join(':');
}

function withoutPath(message: string, path: string): string {
  return message.replaceAll(path, 'the file');
}
