import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { limits } from '../base/limits.js';

/** Where git keeps what it knows of one work tree. Read as files; no process is started and no lock taken. */
export interface GitFolders {
  /** The work tree's root. */
  readonly root: string;
  /** This work tree's own folder (HEAD). */
  readonly git: string;
  /** What all work trees of a repository share (branches, configuration). */
  readonly common: string;
}

export function smallText(file: string, most: number = limits.smallFile): string | undefined {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= most ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
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
    const [, named] = /^gitdir: (.+)$/mu.exec(smallText(entry) ?? '') ?? [];
    if (named === undefined) return undefined;
    git = resolve(root, named.trim());
  }
  if (statSync(join(git, 'HEAD'), { throwIfNoEntry: false }) === undefined) return undefined;
  const shared = smallText(join(git, 'commondir'))?.trim();
  return { root, git, common: shared === undefined || shared === '' ? git : resolve(git, shared) };
}

/** The folder of the main work tree, by which people know the repository; a submodule and a bare one go by their own. */
export function mainFolder(folders: GitFolders): string {
  return folders.common !== folders.git && basename(folders.common) === '.git' ? dirname(folders.common) : folders.root;
}
