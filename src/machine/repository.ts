import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256Hex } from '../base/digest.js';
import { findGitFolders, mainFolder, smallText } from './git-folders.js';
import { type GitHead, readGitHead } from './git-head.js';
import { remoteAddress } from './remote-address.js';

/** Where a folder stands in git, by names and digests only: no path of this machine, no credentials. */
export interface RepositoryObservation {
  readonly branch?: string;
  readonly commit?: string;
  readonly repository?: string;
  readonly remote?: string;
  readonly root?: string;
}

export function observeRepository(folder: string): RepositoryObservation | undefined {
  const folders = findGitFolders(folder);
  if (folders === undefined) return undefined;
  const main = mainFolder(folders);
  const url = originUrl(smallText(join(folders.common, 'config')) ?? '');
  const remote = url === undefined ? undefined : remoteAddress(url);
  return {
    ...readGitHead(folders),
    repository: basename(main),
    ...(remote !== undefined && { remote }),
    root: sha256Hex(realPath(main)).slice(0, 16),
  };
}

export function headOf(folder: string): GitHead | undefined {
  const folders = findGitFolders(folder);
  return folders && readGitHead(folders);
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** The url of the remote `origin` in git's own configuration format. */
function originUrl(config: string): string | undefined {
  let inOrigin = false;
  for (const raw of config.split(/\r?\n/u)) {
    const line = raw.trim();
    if (line.startsWith('[')) inOrigin = line.startsWith('[remote "origin"]');
    const [, value] = (inOrigin && /^url\s*=\s*(.*)$/u.exec(line)) || [];
    if (value !== undefined) return value.replace(/^"(.*)"$/u, '$1');
  }
  return undefined;
}
