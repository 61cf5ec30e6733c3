import { constants, lstatSync, readdirSync, readSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import { isRealFolder, refuseLink, withOpen } from '../../files/folders.js';
import { type LocalPart, localPlace } from '../../machine/local-folder.js';
import { replaceFile } from '../../files/replace-file.js';
import { namesIn, readFrom } from '../segments/session-folder.js';
import { trashEntries } from '../carry/trash.js';

/** The bytes that a text may be on disk: as it is, as JSON escapes it, and as a snapshot keeps it. */
export function needlesOf(texts: readonly string[]): readonly Buffer[] {
  const needles = texts.flatMap((text) => [
    Buffer.from(text, 'utf8'),
    Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8'),
    Buffer.from(text, 'utf16le'),
  ]);
  return needles.filter(
    (needle, index) => needle.length > 0 && needles.findIndex((other) => other.equals(needle)) === index,
  );
}

export const holdAny = (bytes: Buffer, needles: readonly Buffer[]): boolean =>
  needles.some((needle) => bytes.includes(needle));

const blockSize = 1024 * 1024;

/** The files under a folder that hold one of the needles, relative to it. Memory does not grow with a file. */
export function filesHolding(folder: string, needles: readonly Buffer[]): readonly string[] {
  if (needles.length === 0 || !isRealFolder(folder)) return [];
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && fileHolds(path, needles)) found.push(relative(folder, path).split(sep).join('/'));
    }
  }
  return found.toSorted();
}

function fileHolds(path: string, needles: readonly Buffer[]): boolean {
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1;
  const block = Buffer.allocUnsafe(blockSize + overlap);
  return withOpen(path, constants.O_RDONLY, (fd) => {
    for (let kept = 0; ;) {
      const count = readSync(fd, block, kept, blockSize, null);
      if (count === 0) return false;
      const filled = block.subarray(0, kept + count);
      if (holdAny(filled, needles)) return true;
      kept = Math.min(overlap, filled.length);
      filled.copy(block, 0, filled.length - kept);
    }
  });
}

/**
 * Takes a text out of what lies beside a session: what can be made again goes whole, and in what repairs set aside its
 * bytes are written over. Returns what was changed, relative to the data root.
 */
export function scrubBeside(root: DataRoot, id: SessionId, needles: readonly Buffer[]): readonly string[] {
  const { folder } = root;
  const scrubbed: string[] = [];
  const namesOf = (part: LocalPart): readonly string[] => {
    const place = localPlace(root, part);
    return place === undefined ? [] : namesIn(place);
  };
  const snapshots = namesOf('snapshots').filter((name) => name === `${id}.fold` || name.startsWith(`.${id}.`));
  const tmp = join(folder, 'local', 'tmp');
  const temporary = namesOf('tmp').filter(
    (name) =>
      lstatSync(join(tmp, name), { throwIfNoEntry: false })?.isFile() === true && fileHolds(join(tmp, name), needles),
  );
  for (const file of [
    ...snapshots.map((name) => `local/snapshots/${name}`),
    ...temporary.map((name) => `local/tmp/${name}`),
  ]) {
    rmSync(join(folder, file), { force: true });
    scrubbed.push(file);
  }
  // The index keeps single words, folded: none of the needles would find them.
  const index = localPlace(root, 'index');
  if (index !== undefined) rmSync(index, { recursive: true, force: true });
  refuseLink(join(folder, 'quarantine'));
  const quarantine = `quarantine/${id}`;
  for (const name of filesHolding(join(folder, quarantine), needles)) {
    const path = join(folder, quarantine, name);
    const bytes = readFrom(path, 0)?.bytes;
    if (bytes === undefined) continue;
    replaceFile(path, dirname(path), masked(bytes, needles));
    scrubbed.push(`${quarantine}/${name}`);
  }
  return scrubbed;
}

/** Deletes from the trash each copy of a session that holds one of the needles. Returns which, relative to the data root. */
export function scrubTrash(root: DataRoot, session: SessionId, needles: readonly Buffer[]): readonly string[] {
  const holding = trashEntries(root).filter(
    ({ id, at }) => id === session && filesHolding(at.folder, needles).length > 0,
  );
  for (const { at } of holding) rmSync(at.folder, { recursive: true, force: true });
  return holding.map(({ place }) => place);
}

function masked(bytes: Buffer, needles: readonly Buffer[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const needle of needles)
    for (let at = copy.indexOf(needle); at >= 0; at = copy.indexOf(needle, at)) copy.fill('*', at, at + needle.length);
  return copy;
}
