import { constants, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import { rootOf } from '../files/file-ref.js';
import type { Finding } from '../port/finding.js';
import type { SessionRef } from '../port/session-ref.js';
import { isLink, refuseLink, withOpen } from '../../files/folders.js';
import { readAt } from '../../files/read-at.js';
import { rememberedLook } from '../../files/remembered-look.js';
import { parseSegmentName, type SegmentName } from './segment-name.js';
import { errorCode } from '../../files/fault-reason.js';

export interface SessionFolder {
  readonly sessions: string;
  readonly folder: string;
  readonly segments: string;
  readonly pins: string;
  /** Throws where the session's own folder is a link. */
  readonly refuseLink: () => void;
  /** What is called as a segment, by first sequence number, then name. Throws where the folder of segments is a link. */
  readonly segmentNames: () => readonly SegmentName[];
  /** The plain files among its pins. Throws where their folder is a link. */
  readonly pinNames: () => ReadonlySet<string>;
}

export const sessionFolder = (root: DataRoot, id: SessionId): SessionFolder =>
  sessionFolderIn(join(root.folder, 'sessions'), id);

/** The same wherever a session lies. */
export function sessionFolderIn(sessions: string, name: string): SessionFolder {
  const folder = join(sessions, name);
  const [segments, pins] = [join(folder, 'segments'), join(folder, 'pins')];
  return {
    sessions,
    folder,
    segments,
    pins,
    refuseLink: rememberedLook([folder], () => refuseLink(folder)),
    segmentNames: rememberedLook([segments], () => segmentNamesIn(segments)),
    pinNames: rememberedLook([pins], () => new Set(plainFilesIn(pins))),
  };
}

export const folderOf = ({ place, id }: SessionRef): SessionFolder => sessionFolder(rootOf(place), id);

/** What tells whether a file is still the one that was read. */
export interface FileMark {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

export const sameMark = (a: FileMark, b: FileMark): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;

export interface NamedMark extends FileMark {
  readonly name: string;
}

/** What of a session's segments can be seen from outside. Two looks that are alike mean that nothing was written between them. */
export const marksOf = (at: SessionFolder): readonly NamedMark[] =>
  listSegments(at).segments.map(({ name, ino, size, mtimeMs }) => ({ name, ino, size, mtimeMs }));

export const sameMarks = (a: readonly NamedMark[], b: readonly NamedMark[]): boolean =>
  a.length === b.length && a.every((mark) => b.some((other) => other.name === mark.name && sameMark(mark, other)));

export interface ListedSegment extends SegmentName, FileMark {}

export interface Listing {
  /** By first sequence number, then name. */
  readonly segments: readonly ListedSegment[];
  readonly links: readonly string[];
}

/** A look at the folders and one at each segment: all that a request costs when nothing is new. */
export function listSegments(at: SessionFolder): Listing {
  at.refuseLink();
  const segments: ListedSegment[] = [];
  const links: string[] = [];
  for (const named of at.segmentNames()) {
    const stat = lstatSync(join(at.segments, named.name), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isFile()) segments.push({ ...named, ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs });
    else links.push(named.name);
  }
  return { segments, links };
}

const segmentNamesIn = (folder: string): readonly SegmentName[] =>
  namesIn(folder)
    .flatMap((name) => parseSegmentName(name) ?? [])
    .toSorted((a, b) => a.firstSeq - b.firstSeq || (a.name < b.name ? -1 : 1));

const plainFilesIn = (folder: string): readonly string[] =>
  namesIn(folder).filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true);

/** Whether segments have come or grown since they were listed. */
export function haveGrown(at: SessionFolder, listed: readonly ListedSegment[]): boolean {
  const now = listSegments(at).segments;
  return (
    now.length !== listed.length ||
    now.some(({ name, size }, index) => listed[index]!.name !== name || listed[index]!.size !== size)
  );
}

/** The names in a folder; none where the folder is not there. A link to one is refused. */
export function namesIn(folder: string): string[] {
  refuseLink(folder);
  try {
    return readdirSync(folder);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw cause;
  }
}

/** The bytes of a file from an offset on, with the mark of the file they came from. */
export function readFrom(
  file: string,
  offset: number,
): { readonly bytes: Buffer; readonly mark: FileMark } | undefined {
  try {
    return withOpen(file, constants.O_RDONLY, (fd) => {
      const { ino, size, mtimeMs } = fstatSync(fd);
      const bytes = readAt(fd, offset, Math.max(0, size - offset));
      return { bytes, mark: { ino, size: offset + bytes.length, mtimeMs } };
    });
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ELOOP') return undefined;
    throw cause;
  }
}

/** All of a segment; nothing where it is gone. */
export const segmentBytes = (at: SessionFolder, name: string): Buffer =>
  readFrom(join(at.segments, name), 0)?.bytes ?? Buffer.alloc(0);

/** Folders of a session that are links, which nothing may be read through. */
export function linkedFolders(at: SessionFolder): Finding[] {
  return [at.sessions, at.folder, at.segments, at.pins]
    .filter(isLink)
    .map((folder) => linkFinding(folder === at.segments ? 'segments' : folder === at.pins ? 'pins' : '.'));
}

export function linkFinding(file: string): Finding {
  return {
    level: 'damage',
    file,
    message: 'it is a symbolic link or not a regular file, which a data folder must not contain',
    remedy: 'replace it with the folder or file it points to',
  };
}
