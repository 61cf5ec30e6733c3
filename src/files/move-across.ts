import { mkdirSync, readdirSync, readlinkSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './fault-reason.js';
import { syncFolder } from './folders.js';
import { readPlainFile } from './read-plain-file.js';
import { writeNewFile } from './replace-file.js';

/**
 * A rename, also from one mount to another: there a copy is made in `copyIn`, on the mount of the goal, is on disk before
 * the name leads to it, and appears in one step. Until the original is gone it is there twice, never not at all.
 */
export function moveAcross(from: string, to: string, copyIn: () => string = () => dirname(to)): void {
  try {
    renameSync(from, to);
    return;
  } catch (cause) {
    if (errorCode(cause) !== 'EXDEV') throw cause;
  }
  const copy = copyBeside(from, copyIn(), basename(to));
  try {
    renameSync(copy, to);
  } catch (cause) {
    rmSync(copy, { recursive: true, force: true });
    throw cause;
  }
  syncFolder(dirname(to));
  rmSync(from, { recursive: true, force: true });
}

/** A durable copy under a name of its own in that folder. */
export function copyBeside(from: string, folder: string, name: string): string {
  const copy = join(folder, `.${name}.${process.pid}`);
  rmSync(copy, { recursive: true, force: true });
  try {
    copyWhole(from, copy);
    return copy;
  } catch (cause) {
    rmSync(copy, { recursive: true, force: true });
    throw cause;
  }
}

function copyWhole(from: string, to: string): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (!stat.isDirectory()) writeNewFile(to, readPlainFile(from), stat.mode & 0o777);
  else {
    mkdirSync(to, stat.mode & 0o777);
    for (const name of readdirSync(from)) copyWhole(join(from, name), join(to, name));
    syncFolder(to);
  }
}
