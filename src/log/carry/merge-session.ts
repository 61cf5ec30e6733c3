import { lstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../base/result.js';
import { errorCode } from '../../files/fault-reason.js';
import { makeFolderDurably, refuseLink, syncFolder } from '../../files/folders.js';
import { copyBeside } from '../../files/move-across.js';
import { readChunks } from '../../files/read-chunks.js';
import { namesIn, type SessionFolder } from '../segments/session-folder.js';
import type { Merged } from '../port/store-carry.js';
import { nameIfFree } from '../../files/write-whole-file.js';

/** What a file that comes is to the one of its name that is here. */
type Relation = 'new' | 'longer' | 'known' | 'other';

/**
 * Takes the files of a verified session into one that is here: the union. A segment of which one side has more becomes
 * the longer one; the others are left alone. Where two of one name went different ways nothing is done, and it is named.
 * Run again after it was cut short, it ends at the same.
 */
export function mergeSession(at: SessionFolder, staged: SessionFolder): Result<Merged, { readonly diverged: string }> {
  for (const folder of [at.folder, at.pins, at.segments]) refuseLink(folder);
  const pins = plan(staged.pins, at.pins);
  const segments = plan(staged.segments, at.segments);
  const diverged = segments.find(({ relation }) => relation === 'other');
  if (diverged !== undefined) return err({ diverged: `segments/${diverged.name}` });
  // A pin is on disk before a line that names it is.
  moveAll(
    pins.filter(({ relation }) => relation === 'new'),
    staged.pins,
    at.pins,
  );
  const coming = segments.filter(({ relation }) => relation === 'new' || relation === 'longer');
  moveAll(coming, staged.segments, at.segments);
  const grown = coming.filter(({ relation }) => relation === 'longer').length;
  return ok({ added: coming.length - grown, grown });
}

interface Planned {
  readonly name: string;
  readonly relation: Relation;
}

function plan(from: string, to: string): readonly Planned[] {
  return namesIn(from)
    .toSorted()
    .map((name) => ({ name, relation: relationOf(join(from, name), join(to, name)) }));
}

function relationOf(coming: string, here: string): Relation {
  const stat = lstatSync(here, { throwIfNoEntry: false });
  if (stat === undefined) return 'new';
  if (!stat.isFile()) return 'other';
  const size = lstatSync(coming).size;
  const common = Math.min(size, stat.size);
  const ours = readChunks(here, common);
  for (const chunk of readChunks(coming, common)) {
    const { value } = ours.next();
    if (value === undefined || !chunk.equals(value)) {
      ours.return();
      return 'other';
    }
  }
  ours.return();
  return size > stat.size ? 'longer' : 'known';
}

function moveAll(files: readonly Planned[], from: string, to: string): void {
  if (files.length === 0) return;
  makeFolderDurably(to);
  for (const { name, relation } of files) {
    const source = join(from, name);
    try {
      place(source, join(to, name), relation);
    } catch (cause) {
      if (errorCode(cause) !== 'EXDEV') throw cause;
      const copy = copyBeside(source, to, name);
      try {
        place(copy, join(to, name), relation);
      } finally {
        rmSync(copy, { force: true });
      }
    }
  }
  syncFolder(to);
}

function place(source: string, goal: string, relation: Relation): void {
  if (relation === 'longer') renameSync(source, goal);
  // A name that was free must not be taken from somebody who was faster.
  else if (!nameIfFree(source, goal))
    throw Object.assign(new Error(`${goal} already exists`), { code: 'EEXIST', path: goal });
}
