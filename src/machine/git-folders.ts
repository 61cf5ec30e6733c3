import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { limits } from '../base/limits.js';
import { readThroughLink } from '../files/read-plain-file.js';

/** Where git keeps what it knows of one work tree. Read as files; no process is started and no lock taken. */
export interface GitFolders {
  /** The work tree's root. */
  readonly root: string;
  /** This work tree's own folder (HEAD). */
  readonly git: string;
  /** What all work trees of a repository share (branches, configuration). */
  readonly common: string;
}

/** A small file, where it is there and can be read: what it holds is a fact more, and no call fails for want of it. */
export function smallText(file: string, most: number = limits.smallFile): string | undefined {
  try {
    return smallTextOrFault(file, most);
  } catch {
    return undefined;
  }
}

/** The same for what sessions are named by: a file that is there and cannot be read is a fault. */
function smallTextOrFault(file: string, most: number = limits.smallFile): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= most ? readThroughLink(file).toString('utf8') : undefined;
}

/** The work tree that a folder lies in: `.git` is a folder, or in linked work trees and submodules a file that names one. */
export function findGitFolders(from: string): GitFolders | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = gitFoldersAt(folder);
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

function gitFoldersAt(root: string): GitFolders | undefined {
  const entry = join(root, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  let git = entry;
  if (!stat.isDirectory()) {
    const [, named] = /^gitdir: (.+)$/mu.exec(smallTextOrFault(entry) ?? '') ?? [];
    if (named === undefined) return undefined;
    git = resolve(root, named.trim());
  }
  if (statSync(join(git, 'HEAD'), { throwIfNoEntry: false }) === undefined) return undefined;
  const shared = smallTextOrFault(join(git, 'commondir'))?.trim();
  return { root, git, common: shared === undefined || shared === '' ? git : resolve(git, shared) };
}

/** The folder of the main work tree, by which people know the repository; a submodule and a bare one go by their own. */
export function mainFolder(folders: GitFolders): string {
  return folders.common !== folders.git && basename(folders.common) === '.git' ? dirname(folders.common) : folders.root;
}
