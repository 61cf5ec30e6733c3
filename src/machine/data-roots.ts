import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { DataRoot } from './data-root.js';

export interface DataRoots {
  readonly newSessions: DataRoot;
  /** Where sessions are looked for, the nearest first; `newSessions` is among them. A folder named outright stands alone. */
  readonly reading: readonly DataRoot[];
  /** Every root there is, also where only one is read: a session may be moved to any. */
  readonly known: readonly DataRoot[];
  /** The user's configuration folder: keys and global preferences. */
  readonly config: string;
  readonly workspace: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where sessions live: the folder that was named, else the project's, else the user's. All of them are read, but for a
 * folder named on the command line: whoever names one means that one and no other.
 */
export function findDataRoots(from: {
  readonly workspace: string;
  readonly dataDir?: string | undefined;
  readonly env: Env;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
}): DataRoots {
  const workspace = resolve(from.workspace);
  const named = from.dataDir ?? nonEmpty(from.env['WORKRAIL_DATA_DIR']);
  const user = userFolders(from.env, from.home, from.platform ?? process.platform);
  const project = projectFolder(workspace);
  const roots: DataRoot[] = [];
  const add = (kind: DataRoot['kind'], folder: string | undefined): void => {
    if (folder !== undefined && roots.every((root) => root.folder !== folder)) roots.push({ kind, folder });
  };
  add('given', absolute(workspace, named));
  add('project', project);
  add('user', user.data);
  // Only looked at: the first three say where new sessions go.
  add('given', absolute(workspace, from.env['WORKRAIL_ALSO_READ']));
  return {
    newSessions: roots[0]!,
    reading: from.dataDir === undefined ? roots : roots.slice(0, 1),
    known: roots,
    config: user.config,
    workspace,
  };
}

/** The nearest `.workrail/` at or above the workspace. Somebody made it there on purpose: nothing else ever does. */
function projectFolder(workspace: string): string | undefined {
  for (let folder = workspace; ; folder = dirname(folder)) {
    const candidate = join(folder, '.workrail');
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory() === true) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** macOS goes by the same rules as Linux, as command line tools do there; Windows has folders of its own. */
function userFolders(
  env: Env,
  home: string,
  platform: NodeJS.Platform,
): { readonly data: string; readonly config: string } {
  const windows = platform === 'win32';
  const base = (name: string, windowsName: string, otherwise: readonly string[]): string => {
    // The XDG rules say that a relative path is to be ignored.
    const set = [env[name], windows ? env[windowsName] : undefined].find(
      (value) => value !== undefined && isAbsolute(value),
    );
    return join(set ?? join(home, ...otherwise), 'workrail');
  };
  return {
    data: base('XDG_DATA_HOME', 'LOCALAPPDATA', windows ? ['AppData', 'Local'] : ['.local', 'share']),
    config: base('XDG_CONFIG_HOME', 'APPDATA', windows ? ['AppData', 'Roaming'] : ['.config']),
  };
}

const absolute = (workspace: string, folder: string | undefined): string | undefined =>
  folder === undefined || folder === '' ? undefined : resolve(workspace, folder);

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
