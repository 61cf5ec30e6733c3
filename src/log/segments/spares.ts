import { constants, fdatasyncSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import { type EventSum, idPatterns, type SessionId, type WorkflowHash } from '../../base/ids.js';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { errorCode } from '../../files/fault-reason.js';
import { isRealFolder, modeWithin, syncFolder, withOpen } from '../../files/folders.js';
import { replaceFile } from '../../files/replace-file.js';
import { writeAll } from '../../files/write-all.js';
import type { DataRoot } from '../../machine/data-root.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { type GitHead, readGitHead } from '../../machine/git-head.js';
import { localFolder } from '../../machine/local-folder.js';
import { pinFile } from './pins.js';
import { parseSegmentName, type SegmentName } from './segment-name.js';
import {
  linkedFolders,
  listSegments,
  type NamedMark,
  namesIn,
  sessionFolder,
  type SessionFolder,
} from './session-folder.js';

/**
 * A second name of a segment, below `local/`, where git does not look. Git copies what it sets aside and takes it away
 * later: what is appended in between is in no copy, and every look at the file's own name finds it in its place. Under
 * this name it is still here, whoever wrote it and however that process ended, and a step costs nothing for it.
 */
export interface Spare extends SegmentName {
  readonly path: string;
  /** Stands for the branch on which its lines were written. */
  readonly branch: string;
  readonly ino: number;
  /** The file that it was made for, which is another where it is a copy. */
  readonly made: number;
  readonly mtimeMs: number;
}

/** Names of sessions stand beside each other, so that none of them is taken for something else. */
/** Relative to the data root, with forward slashes. */
export const spareFolders = 'local/running/spare';
export const spareFolder = (id: SessionId): string => `${spareFolders}/${id}`;
const folderFor = ({ folder }: DataRoot, id: SessionId): string => join(folder, spareFolders, id);
const takenFile = 'taken';
const noGit = 'none';

/** Stands for a branch in the name of a file; a HEAD on no branch is one of its own. */
export const branchMark = (head: GitHead | undefined): string =>
  head === undefined ? noGit : sha256Hex(head.branch ?? '').slice(0, 8);

export function branchMarkOf(root: DataRoot): string {
  const git = findGitFolders(root.folder);
  return branchMark(git && readGitHead(git));
}

/** Whether it has one now. Where files cannot have two names (some file systems, `local/` on a mount of its own), there is none. */
export function spareSegment(
  root: DataRoot,
  id: SessionId,
  at: Pick<SessionFolder, 'segments'>,
  { name, ino }: Pick<NamedMark, 'name' | 'ino'>,
  branch: string,
): boolean {
  return giveName(root, id, join(at.segments, name), `${name}.${branch}.${ino}`);
}

/** A pin is named by its content, so that it does not matter which of its files has the second name. */
export function sparePin(root: DataRoot, id: SessionId, at: Pick<SessionFolder, 'pins'>, hash: WorkflowHash): void {
  giveName(root, id, join(at.pins, pinFile(hash)), pinFile(hash));
}

export function sparedPin(root: DataRoot, id: SessionId, hash: WorkflowHash): string | undefined {
  try {
    const bytes = readFileSync(join(folderFor(root, id), pinFile(hash)));
    return sha256Hex(bytes) === hash ? bytes.toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}

function giveName(root: DataRoot, id: SessionId, path: string, name: string): boolean {
  const folder = folderFor(root, id);
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      linkSync(path, join(folder, name));
      return true;
    } catch (cause) {
      if (errorCode(cause) === 'EEXIST') return true;
      if (errorCode(cause) !== 'ENOENT' || tries > 0 || !makeFolder(root, id)) return false;
    }
  }
  return false;
}

function makeFolder(root: DataRoot, id: SessionId): boolean {
  const running = localFolder(root, 'running');
  if (running === undefined) return false;
  const folder = folderFor(root, id);
  try {
    mkdirSync(folder, { recursive: true, mode: modeWithin(running) });
  } catch {
    return false;
  }
  return isRealFolder(dirname(folder)) && isRealFolder(folder);
}

/** Every second name of a session's segments, by the names of those. */
export function sparesOf(root: DataRoot, id: SessionId): readonly Spare[] {
  const folder = folderFor(root, id);
  return namesIn(folder)
    .toSorted()
    .flatMap((name): readonly Spare[] => {
      const [, segment = '', branch = '', ino = ''] = /^(.+\.ndjson)\.([0-9a-z]+)\.(\d+)$/u.exec(name) ?? [];
      const parsed = parseSegmentName(segment);
      const path = join(folder, name);
      const stat = parsed && lstatSync(path, { throwIfNoEntry: false });
      return parsed === undefined || stat?.isFile() !== true
        ? []
        : [{ ...parsed, path, branch, ino: stat.ino, made: Number(ino), mtimeMs: stat.mtimeMs }];
    });
}

/**
 * Those whose file the session's own name does not lead to any more; it was looked for after they were, so that nothing
 * is acknowledged into them from then on. What has rested for long in its place needs no second name.
 */
export function astraySpares(root: DataRoot, id: SessionId, at: SessionFolder): readonly Spare[] {
  const all = sparesOf(root, id);
  // Behind a link nothing is looked for.
  if (all.length === 0 || linkedFolders(at).length > 0) return [];
  const isThere = standingIn(at);
  const astray: Spare[] = [];
  for (const spare of all) {
    if (!isThere(spare)) astray.push(spare);
    else if (Date.now() - spare.mtimeMs > limits.spareRestMs) rmSync(spare.path, { force: true });
  }
  return astray;
}

/** Whether the session's own name leads to the same file. */
function standingIn(at: SessionFolder): (spare: Spare) => boolean {
  const inos = new Map(listSegments(at).segments.map(({ name, ino }) => [name, ino]));
  return ({ name, ino }) => inos.get(name) === ino;
}

/** Sessions of which a segment has a second name here. */
export function sparedSessions(root: DataRoot): readonly SessionId[] {
  return namesIn(join(root.folder, spareFolders)).filter(
    (name): name is SessionId => idPatterns.session.test(name) && sparesOf(root, name as SessionId).length > 0,
  );
}

/**
 * For a file that has lost its name and whose holder still has it open: its bytes, where no second name leads to them.
 * What was taken away on purpose is not kept.
 */
export function keepBytes(
  root: DataRoot,
  id: SessionId,
  held: Pick<NamedMark, 'name' | 'ino' | 'mtimeMs'> & { readonly bytes: () => Buffer },
  branch: string,
): void {
  const { name, ino, mtimeMs } = held;
  const path = join(folderFor(root, id), `${name}.${branch}.${ino}`);
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino || wasTaken(root, id, { name, ino, mtimeMs })) return;
  const bytes = held.bytes();
  if (bytes.length === 0 || !makeFolder(root, id)) return;
  replaceFile(path, dirname(path), bytes);
  // It may have been taken away while this was written: whoever takes notes that first and removes names after.
  if (wasTaken(root, id, { name, ino, mtimeMs })) rmSync(path, { force: true });
}

const takenKey = ({ name, ino }: Pick<NamedMark, 'name' | 'ino'>): string => `${name} ${ino}`;

/**
 * Files by their keys; under `all`, when the session was taken away whole: what was written until then was of it. Each
 * note is a line of its own, so that processes that note at one moment lose none of each other's.
 */
function takenOf(root: DataRoot, id: SessionId): ReadonlyMap<string, unknown> {
  return new Map(linesOf(join(folderFor(root, id), takenFile)).flatMap(notedIn));
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** A note whose writer was killed in the middle of it says nothing. */
function notedIn(line: string): readonly (readonly [string, unknown])[] {
  try {
    const noted: unknown = JSON.parse(line);
    return isJsonObject(noted) ? Object.entries(noted) : [];
  } catch {
    return [];
  }
}

function wasTaken(root: DataRoot, id: SessionId, file: Pick<NamedMark, 'name' | 'ino' | 'mtimeMs'>): boolean {
  const noted = takenOf(root, id);
  return noted.has(takenKey(file)) || Math.floor(file.mtimeMs) <= Number(noted.get('all') ?? -Infinity);
}

/** Files that were taken away or replaced on purpose. Whoever still has one of them open keeps nothing of it. */
export const noteTaken = (root: DataRoot, id: SessionId, files: readonly Pick<NamedMark, 'name' | 'ino'>[]): void =>
  note(root, id, taken(files));

const taken = (files: readonly Pick<NamedMark, 'name' | 'ino'>[]): Readonly<Record<string, number>> =>
  Object.fromEntries(files.map((file) => [takenKey(file), 1]));

const refusedKey = (sum: string): string => `line ${sum}`;

/** Lines of which whoever asked for them was told that they are not recorded. */
export const noteRefused = (root: DataRoot, id: SessionId, sums: readonly EventSum[]): void =>
  note(root, id, Object.fromEntries(sums.map((sum) => [refusedKey(sum), 1])));

export function wasRefused(root: DataRoot, id: SessionId): (sum: EventSum) => boolean {
  const noted = takenOf(root, id);
  return (sum) => noted.has(refusedKey(sum));
}

function note(root: DataRoot, id: SessionId, noted: { readonly [file: string]: number }): void {
  if (Object.keys(noted).length === 0 || !makeFolder(root, id)) return;
  const folder = folderFor(root, id);
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  withOpen(join(folder, takenFile), O_WRONLY | O_APPEND | O_CREAT, (fd) => {
    // One that was cut short before it has no end of its own.
    writeAll(fd, Buffer.from(`\n${JSON.stringify(noted)}\n`));
    fdatasyncSync(fd);
  });
  syncFolder(folder);
}

const filesOf = ({ name, made }: Spare): Pick<NamedMark, 'name' | 'ino'> => ({ name, ino: made });

/** Second names that nobody needs. Whoever holds one of these files open makes no other. */
export function dropSpares(root: DataRoot, id: SessionId, spares: readonly Spare[]): void {
  noteTaken(root, id, spares.map(filesOf));
  for (const { path } of spares) rmSync(path, { force: true });
}

/**
 * Of a session that was taken away on purpose: nothing of it is kept, and nothing of it is kept later. What stands under
 * its name is another one by now, that was begun meanwhile.
 */
export function forgetSpares(root: DataRoot, id: SessionId): void {
  const at = sessionFolder(root, id);
  const isBegun = linkedFolders(at).length === 0;
  const [isThere, pins] = isBegun ? [standingIn(at), namesIn(at.pins)] : [() => false, []];
  const all = sparesOf(root, id);
  const others = new Set([takenFile, ...pins, ...all.filter(isThere).map(({ path }) => basename(path))]);
  // Those that have a name are known by it, whatever the clock said when they were written.
  note(root, id, { ...taken(all.filter((spare) => !isThere(spare)).map(filesOf)), all: Date.now() });
  const folder = folderFor(root, id);
  for (const name of namesIn(folder)) if (!others.has(name)) rmSync(join(folder, name), { force: true });
}
