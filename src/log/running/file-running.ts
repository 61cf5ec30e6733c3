import { constants, renameSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256Hex } from '../../base/digest.js';
import { limits } from '../../base/limits.js';
import { errorCode } from '../../files/fault-reason.js';
import { isRealFolder, lookAt, makeFolderDurably, withOpen } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { hasEnded, isSeenHere, type ProcessName, thisProcess } from '../../files/this-process.js';
import { writeWholeFile } from '../../files/write-whole-file.js';
import { rootMode } from '../../machine/data-root.js';
import type { Place } from '../port/session-ref.js';
import type { ClaimedName, Holder, StoreRunning } from '../port/store-running.js';
import { namesIn } from '../segments/session-folder.js';
import { fileAgents } from './file-agents.js';
import { removeOldBlobs } from './remove-old-blobs.js';

/** How the name of a claim that was let go ends. */
const over = '.over';

const claimsFolder = ['local', 'running', 'claims'];

/**
 * Claims and blobs as files below `local/running`. A claim is a file that appears whole and that only one can make: the
 * greatest number holds it, and is never removed while that is so, so that at no moment it looks free to two.
 */
export function fileRunning(mark: () => string, now: () => Date): StoreRunning {
  const create = async (folder: string, name: string, bytes: Uint8Array): Promise<boolean> =>
    (await writeWholeFile(join(folder, name), [bytes], { replace: false, mark: mark() })) === 'written';
  const blob: StoreRunning['blob'] = async (place, digest) => {
    const bytes = bytesOf(join(folderOf(place, 'blobs'), digest));
    return bytes !== undefined && sha256Hex(bytes) === digest ? bytes : undefined;
  };
  /** Files of claims that this process has, or may have, and does nothing with: the disk refused to say that they are over. */
  const left = new Set<string>();
  const orLeft = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      left.add(file);
      throw cause;
    }
  };
  const standing = (folder: string): Standing => {
    const names = new Set(namesIn(folder));
    const last = greatest(names);
    if (last === 0 || names.has(`${last}${over}`)) return { last };
    const file = join(folder, String(last));
    const held = holderIn(file, left.has(file));
    return { last, ...(held !== undefined && { held }) };
  };
  return {
    ...fileAgents(),
    blob,
    take: async (place, name, of) => {
      const folder = folderOf(place, 'claims', name);
      const { last, held } = standing(folder);
      const isHeld = held !== undefined;
      if (isHeld) return undefined;
      const fence = last + 1;
      const own = Buffer.from(JSON.stringify({ ...thisProcess(), since: new Date().toISOString(), of }));
      const made = await orLeft(join(folder, String(fence)), () => create(folder, String(fence), own));
      if (!made) return undefined;
      const names = namesIn(folder);
      // Who looked long ago may make a number that was held and removed since.
      if (greatest(names) !== fence) return undefined;
      removeEarlier(folder, names, fence);
      return { name, fence };
    },
    check: async (place, { name, fence }) => {
      const names = new Set(namesIn(join(place.name, ...claimsFolder, name)));
      return greatest(names) === fence && !names.has(`${fence}${over}`);
    },
    letGo: async (place, { name, fence }) => {
      const file = join(place.name, ...claimsFolder, name, String(fence));
      await orLeft(file, async () => {
        const folder = folderOf(place, 'claims', name);
        // Of one that was forgotten meanwhile nothing is left behind: its number may be another's by now.
        if (namesIn(folder).includes(String(fence))) await create(folder, `${fence}${over}`, Buffer.alloc(0));
      });
    },
    holder: (place, name) => standing(join(place.name, ...claimsFolder, name)).held,
    letGoFor: async (place, name) => {
      const folder = folderOf(place, 'claims', name);
      const { last, held } = standing(folder);
      if (held?.isSeen === false) await create(folder, `${last}${over}`, Buffer.alloc(0));
    },
    claimed: (place) => {
      const folder = join(place.name, ...claimsFolder);
      return foldersIn(folder).flatMap((name): ClaimedName[] => {
        const at = join(folder, name);
        if (standing(at).held !== undefined) return [];
        const { of } = readHolder(textOf(join(at, String(greatest(namesIn(at))))) ?? '') ?? {};
        const noted = textOf(join(at, 'note'))?.trimEnd();
        return [{ name, noted, of: typeof of === 'string' ? of : undefined, at: lookAt(at)?.mtimeMs ?? 0 }];
      });
    },
    forget: (place, name) => {
      const folder = join(place.name, ...claimsFolder, name);
      if (isRealFolder(folder) && standing(folder).held === undefined) rmSync(folder, { recursive: true, force: true });
    },
    note: (place, name, text) => {
      const known = join(place.name, ...claimsFolder, name);
      // Whoever notes something has mostly claimed it before.
      const folder = isRealFolder(known) ? known : folderOf(place, 'claims', name);
      const bytes = Buffer.from(text.padEnd(noteLength));
      if (writtenOver(join(folder, 'note'), bytes)) return;
      const temporary = join(folder, `.note.${mark()}`);
      writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, join(folder, 'note'));
    },
    noted: (place, name) => textOf(join(place.name, ...claimsFolder, name, 'note'))?.trimEnd(),
    putBlob: async (place, bytes) => {
      const [folder, digest] = [folderOf(place, 'blobs'), sha256Hex(bytes)];
      // What stands there with other bytes was spoilt, and is replaced.
      if ((await blob(place, digest)) === undefined)
        await writeWholeFile(join(folder, digest), [bytes], { replace: true, mark: mark() });
      const at = now();
      // What is put again is as new as the rest.
      utimesSync(join(folder, digest), at, at);
      removeOldBlobs(folder, digest, at);
      return digest;
    },
  };
}

/** Most notes are as long as the one before: then a new file would take many times as long. */
const noteLength = 256;

/** In one write, where as many bytes stand: whoever is killed leaves the one or the other. */
function writtenOver(file: string, bytes: Uint8Array): boolean {
  if (lookAt(file)?.size !== bytes.length) return false;
  return withOpen(file, constants.O_RDWR, (fd) => writeSync(fd, bytes, 0, bytes.length, 0) === bytes.length);
}

/** Made where it is missing. A link in its place is refused: what is behind it is not ours. */
function folderOf({ kind, name: root }: Place, part: 'claims' | 'blobs', claim?: string): string {
  if (claim !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(claim))
    throw new Error(`${JSON.stringify(claim)} cannot name a claim`);
  makeFolderDurably(root, rootMode(kind));
  return ['local', 'running', part, ...(claim === undefined ? [] : [claim])].reduce((above, name) => {
    const folder = join(above, name);
    makeFolderDurably(folder);
    return folder;
  }, root);
}

/** The last number of a claim, and who holds it. */
interface Standing {
  readonly last: number;
  readonly held?: Holder;
}

const foldersIn = (folder: string): readonly string[] =>
  namesIn(folder).filter((name) => isRealFolder(join(folder, name)));

const greatest = (names: Iterable<string>): number =>
  Math.max(0, ...[...names].filter((name) => /^\d+$/u.test(name)).map(Number));

/** What went before is of no use to anybody but people: a few numbers are kept, and the greatest always. */
function removeEarlier(folder: string, names: readonly string[], last: number): void {
  for (const name of names) {
    const number = Number(/^(\d+)(?:\.over)?$/u.exec(name)?.[1]);
    if (number <= last - limits.claimsKept) rmSync(join(folder, name), { force: true });
  }
}

/** Undefined where who holds it is gone for certain, or is this process and has no use for it. Of a holder that cannot be read nobody knows. */
function holderIn(file: string, mayBeOwn: boolean): Holder | undefined {
  const holder = readHolder(textOf(file) ?? '');
  if (holder === undefined) return { isSeen: false };
  const isOwn = isDeepStrictEqual({ ...holder, ...unnamed }, { ...thisProcess(), ...unnamed });
  if ((mayBeOwn && isOwn) || hasEnded(holder)) return undefined;
  const { host, since } = holder;
  return {
    isSeen: isSeenHere(holder),
    ...(typeof host === 'string' && { host }),
    ...(typeof since === 'string' && { since }),
  };
}

/** What a claim says besides who took it. */
const unnamed = { since: undefined, of: undefined };

function readHolder(text: string): (Partial<ProcessName> & { since?: unknown; of?: unknown }) | undefined {
  try {
    const read = JSON.parse(text) as unknown;
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (file: string): string | undefined => bytesOf(file)?.toString('utf8');

function bytesOf(file: string): Buffer | undefined {
  try {
    return readPlainFile(file);
  } catch (cause) {
    if (['ENOENT', 'ELOOP', 'EFTYPE', 'ENXIO'].includes(errorCode(cause) ?? '')) return undefined;
    throw cause;
  }
}
