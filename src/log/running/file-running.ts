import { existsSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import { errorCode } from '../../files/fault-reason.js';
import { makeFolderDurably } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { hasEnded, type ProcessName, thisProcess } from '../../files/this-process.js';
import { writeWholeFile } from '../../files/write-whole-file.js';
import { rootMode } from '../../machine/data-root.js';
import type { Place } from '../port/session-ref.js';
import type { StoreRunning } from '../port/store-running.js';
import { namesIn } from '../segments/session-folder.js';
import { fileAgents } from './file-agents.js';
import { removeOldBlobs } from './remove-old-blobs.js';

/** How the name of a claim that was let go ends. */
const over = '.over';

const claimsFolder = ['local', 'running', 'claims'];

/**
 * Claims and blobs as files below `local/running`. A claim is a file that appears whole and that only one can make: the
 * greatest number holds it, and nothing is ever removed, so that at no moment it looks free to two.
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
  return {
    ...fileAgents(),
    blob,
    take: async (place, name) => {
      const folder = folderOf(place, 'claims', name);
      const names = new Set(namesIn(folder));
      const last = greatest(names);
      const file = join(folder, String(last));
      const isHeld = last > 0 && !names.has(`${last}${over}`) && !isLeft(file, left.has(file));
      if (isHeld) return undefined;
      const fence = last + 1;
      const own = Buffer.from(JSON.stringify(thisProcess()));
      const made = await orLeft(join(folder, String(fence)), () => create(folder, String(fence), own));
      return made ? { name, fence } : undefined;
    },
    check: async (place, { name, fence }) => {
      const names = new Set(namesIn(folderOf(place, 'claims', name)));
      return greatest(names) === fence && !names.has(`${fence}${over}`);
    },
    letGo: async (place, { name, fence }) => {
      const file = join(place.name, ...claimsFolder, name, String(fence));
      await orLeft(file, () => create(folderOf(place, 'claims', name), `${fence}${over}`, Buffer.alloc(0)));
    },
    isHeld: (place, name) => {
      const folder = join(place.name, 'local', 'running', 'claims', name);
      const names = new Set(existsSync(folder) ? namesIn(folder) : []);
      const last = greatest(names);
      return (
        last > 0 &&
        !names.has(`${last}${over}`) &&
        !isLeft(join(folder, String(last)), left.has(join(folder, String(last))))
      );
    },
    note: (place, name, text) => {
      const folder = folderOf(place, 'claims', name);
      const temporary = join(folder, `.note.${mark()}`);
      writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, join(folder, 'note'));
    },
    noted: (place, name) => bytesOf(join(place.name, 'local', 'running', 'claims', name, 'note'))?.toString('utf8'),
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

const greatest = (names: ReadonlySet<string>): number =>
  Math.max(0, ...[...names].filter((name) => /^\d+$/u.test(name)).map(Number));

/** Whether who holds it is gone for certain, or is this process and has no use for it. Of a holder that cannot be read nobody knows. */
function isLeft(file: string, mayBeOwn: boolean): boolean {
  try {
    const text = bytesOf(file)?.toString('utf8') ?? '';
    return (mayBeOwn && text === JSON.stringify(thisProcess())) || hasEnded(JSON.parse(text) as ProcessName);
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readPlainFile(file);
  } catch (cause) {
    if (['ENOENT', 'ELOOP', 'EFTYPE', 'ENXIO'].includes(errorCode(cause) ?? '')) return undefined;
    throw cause;
  }
}
