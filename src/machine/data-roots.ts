import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { DataRoot } from './data-root.js';
import { foreignOwner } from './owner.js';

export interface DataRoots {
  readonly newSessions: DataRoot;
  /** Where sessions are looked for, the nearest first; `newSessions` is among them. A folder named outright stands alone. */
  readonly reading: readonly DataRoot[];
  /** Every root there is, also where only one is read: a session may be moved to any. */
  readonly known: readonly DataRoot[];
  /** A project's folder above the workspace that is somebody else's, and is not used before it is trusted. */
  readonly foreign?: ForeignFolder;
  /** The user's configuration folder: keys and global preferences. */
  readonly config: string;
  readonly workspace: string;
}

export interface ForeignFolder {
  readonly folder: string;
  readonly owner: number;
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
  /** Folders of others that the user has said may be used; `*` is all. */
  readonly trusted?: readonly string[];
}): DataRoots {
  const workspace = resolve(from.workspace);
  const named = from.dataDir ?? nonEmpty(from.env['WORKRAIL_DATA_DIR']);
  const user = userFolders(from.env, from.home, from.platform ?? process.platform);
  const nearest = projectFolder(workspace);
  const foreign = nearest === undefined ? undefined : foreignFolder(nearest, from);
  const roots: DataRoot[] = [];
  const add = (kind: DataRoot['kind'], folder: string | undefined): void => {
    if (folder !== undefined && roots.every((root) => root.folder !== folder)) roots.push({ kind, folder });
  };
  add('given', absolute(workspace, named));
  add('project', foreign === undefined ? nearest : undefined);
  add('user', user.data);
  // Only looked at: the first three say where new sessions go.
  add('given', absolute(workspace, from.env['WORKRAIL_ALSO_READ']));
  return {
    newSessions: roots[0]!,
    reading: from.dataDir === undefined ? roots : roots.slice(0, 1),
    known: roots,
    ...(foreign !== undefined && foreign.folder !== absolute(workspace, named) && { foreign }),
    config: user.config,
    workspace,
  };
}

/** What lies in a project's folder tells agents what to do: that of another user is not believed unasked. */
function foreignFolder(
  folder: string,
  { env, trusted = [] }: { readonly env: Env; readonly trusted?: readonly string[] },
): ForeignFolder | undefined {
  const owner = foreignOwner(folder, env);
  return owner === undefined || trusted.some((one) => one === '*' || resolve(one) === folder)
    ? undefined
    : { folder, owner };
}

/** The nearest `.workrail/` at or above the workspace. Somebody made it there on purpose: nothing else ever does. A link counts, so that it is told of. */
function projectFolder(workspace: string): string | undefined {
  for (let folder = workspace; ; folder = dirname(folder)) {
    const candidate = join(folder, '.workrail');
    const stat = lstatSync(candidate, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true || stat?.isSymbolicLink() === true) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Where the user's configuration lies. */
export const configFolder = (from: Pick<Parameters<typeof findDataRoots>[0], 'env' | 'home' | 'platform'>): string =>
  userFolders(from.env, from.home, from.platform ?? process.platform).config;

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
