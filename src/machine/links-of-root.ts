import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../files/fault-reason.js';
import { isLink } from '../files/folders.js';
import { rememberedLook } from '../files/remembered-look.js';
import { besideName } from './local-folder.js';

/** What a data folder is made of. What is within a session is looked at by whoever reads the session. */
const parts = [
  '.',
  'sessions',
  `sessions/${besideName}`,
  'workflows',
  'quarantine',
  '.gitignore',
  '.gitattributes',
  'local',
  ...['locks', 'snapshots', 'ended', 'tmp', 'trash', 'index', 'running'].map((part) => `local/${part}`),
];

/** Every part of a data folder that is a link, as its path: what it leads to is neither read nor written. */
function linksOf(folder: string): readonly string[] {
  const links: string[] = [];
  for (const part of parts) {
    const path = join(folder, part);
    // Behind a link that was met nothing is looked at.
    if (!links.some((link) => path.startsWith(link)) && isLink(path)) links.push(path);
  }
  return links;
}

/**
 * And every link in what is of this machine alone, however deep; sessions and workflow files are told of by their readers.
 * A folder that cannot be listed hides no other.
 */
export function linksWithin(folder: string, unread: (fault: unknown) => void): readonly string[] {
  const links = [...linksOf(folder)];
  const open = ['local', 'quarantine', join('sessions', besideName)].map((part) => join(folder, part));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const at = next;
    if (links.some((link) => at.startsWith(link))) continue;
    for (const entry of entriesOf(at, unread)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isSymbolicLink() && !links.includes(path)) links.push(path);
    }
  }
  return links;
}

function entriesOf(folder: string, unread: (fault: unknown) => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (fault) {
    if (errorCode(fault) !== 'ENOENT' && errorCode(fault) !== 'ENOTDIR') unread(fault);
    return [];
  }
}

/** The same, for who asks with every call: as long as no name has come or gone, nothing has become a link. */
export function openLinkWatch(folder: string): () => string | undefined {
  const firstLink = rememberedLook([folder, join(folder, 'local')], () => linksOf(folder)[0]);
  return () => {
    try {
      return firstLink();
    } catch (cause) {
      // A folder that may not be looked at is told of by whoever reads it.
      if (errorCode(cause) === undefined) throw cause;
      return undefined;
    }
  };
}
