import { join } from 'node:path';
import { limits } from '../base/limits.js';
import { type GitFolders, smallText } from './git-folders.js';

export interface GitHead {
  readonly branch?: string;
  readonly commit?: string;
}

const commitPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

/** A longer name of a branch is none that git itself could have made. */
const line = (file: string): string | undefined => smallText(file, limits.gitRef)?.trim();

/** Branch and commit, from two small files; an unborn branch has no commit, a detached HEAD no branch. */
export function readGitHead(folders: GitFolders): GitHead | undefined {
  const head = line(join(folders.git, 'HEAD'));
  if (head === undefined) return undefined;
  if (commitPattern.test(head)) return { commit: head };
  const [, ref] = /^ref: (refs\/[^\0]+)$/u.exec(head) ?? [];
  // The table format for references keeps no such files; there is then nothing to observe.
  if (ref === undefined || ref === 'refs/heads/.invalid' || ref.split('/').includes('..')) return undefined;
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ref;
  const commit = line(join(folders.common, ref)) ?? packedCommit(folders, ref);
  return commit !== undefined && commitPattern.test(commit) ? { branch, commit } : { branch };
}

/** Says of two looks whether HEAD has moved between them. */
export const headKey = (head: GitHead | undefined): string =>
  head === undefined ? '' : `${head.branch ?? ''} ${head.commit ?? ''}`;

function packedCommit(folders: GitFolders, ref: string): string | undefined {
  const packed = smallText(join(folders.common, 'packed-refs'));
  const at = packed?.indexOf(` ${ref}\n`) ?? -1;
  return at < 0 ? undefined : packed!.slice(packed!.lastIndexOf('\n', at) + 1, at);
}
