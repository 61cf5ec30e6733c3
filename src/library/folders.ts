import { sha256Hex } from '../base/digest.js';
import { limits } from '../base/limits.js';
import type { ReadFile } from './compile-files.js';
import type { WorkflowSource } from './library-entry.js';
import { fileState, readWorkflowFile, workflowFiles, type FileContent, type WorkflowFile } from './workflow-files.js';

/** The files of a library's folders as they were when they were last read. */
export class Folders {
  /** By source, each in the order of their paths. */
  files: readonly (readonly WorkflowFile[])[] = [];
  readonly contents = new Map<string, ReadFile>();

  constructor(private readonly sources: readonly WorkflowSource[]) {}

  /** Reads what may have changed; says whether anything did. */
  async read(changes: ReadonlySet<string> | 'anything'): Promise<boolean> {
    if (changes !== 'anything' && changes.size === 0) return false;
    const before = new Map(this.contents);
    // A file that came or went is one that no folder knows yet, or only a folder.
    const only = changes !== 'anything' && [...changes].every((path) => this.contents.has(path) && fileState(path) !== undefined) ? changes : undefined;
    if (!only) this.files = await Promise.all(this.sources.map(({ folder }) => workflowFiles(folder)));
    const toRead = this.files.flatMap((files, at) => files.filter(({ path }) => only?.has(path) ?? true).map(({ path, relative }) => ({ path, label: `${this.sources[at]!.label}/${relative}` })));
    await eachOf(toRead, async ({ path, label }) => {
      const state = this.contents.get(path)?.state;
      if (state !== undefined && state === fileState(path)) return;
      const content = await readWorkflowFile(path, state);
      if (content) this.contents.set(path, readFrom(content, label));
    });
    const there = new Set(this.files.flat().map(({ path }) => path));
    for (const path of this.contents.keys()) if (!there.has(path)) this.contents.delete(path);
    return this.contents.size !== before.size || [...this.contents].some(([path, read]) => before.get(path) !== read);
  }
}

/** Some at once: one after the other they would wait for the disk, all together they would need too many open files. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const open = [...items].reverse();
  const worker = async (): Promise<void> => {
    for (let item = open.pop(); item !== undefined; item = open.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: limits.filesAtOnce }, worker));
}

function readFrom(content: FileContent, label: string): ReadFile {
  const broken = (rule: string, message: string, digest = ''): ReadFile => ({ state: content.state, digest, text: '', broken: { severity: 'error', rule, pointer: '', line: 1, column: 1, message } });
  if ('unreadable' in content) return broken('file', `${label} cannot be read: ${content.unreadable}`);
  if ('tooLarge' in content) return broken('file_size', `${label} has ${content.tooLarge} bytes; at most ${limits.workflowFile} are allowed: move parts of it into routines that it calls`);
  const digest = sha256Hex(content.bytes);
  try {
    return { state: content.state, digest, text: new TextDecoder('utf-8', { fatal: true }).decode(content.bytes) };
  } catch (cause) {
    if (cause instanceof TypeError) return broken('encoding', `${label} is not UTF-8 text: save it as such`, digest);
    throw cause;
  }
}
