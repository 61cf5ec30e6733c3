import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { safeParse } from '../base/safe-parse.js';
import { own } from '../base/own.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { type Mode, modeNames, type Preferences } from '../base/preferences.js';
import { preferencesSchema } from '../base/preferences-schema.js';
import { err, ok, type Result } from '../base/result.js';
import { makeFolderDurably, syncNamedFolder } from '../files/folders.js';
import { errorCode } from '../files/fault-reason.js';
import { readThroughLink } from '../files/read-plain-file.js';
import { removeUnfinished } from '../files/remove-unfinished.js';
import { writeNewFile } from '../files/replace-file.js';

export interface GlobalPreferences {
  readonly mode?: Mode;
  readonly preferences?: Partial<Preferences>;
  readonly workflowFolders?: readonly string[];
  /** Data folders of other users that may be used all the same; `*` is all. */
  readonly trustedFolders?: readonly string[];
  /** What catalogs of projects may call beyond public addresses, by the project's data folder and the catalog. */
  readonly allowedAddresses?: AllowedAddresses;
  /** How old a session's last work must be for `workrail prune`, where the call does not say. */
  readonly pruneAfterDays?: number;
  /** Servers take finished sessions of that age to the trash by themselves. */
  readonly pruneByItself?: boolean;
  /** Why the file could not be read, so that nobody knows what it says. */
  readonly fault?: string;
}

type AllowedAddresses = { readonly [project: string]: { readonly [catalog: string]: readonly string[] } };

export const globalPreferencesFile = (configFolder: string): string => join(configFolder, 'config.json');

/** What the user set for all sessions. A file that cannot be understood is a warning, never a crash. */
export function readGlobalPreferences(configFolder: string, warn: (line: string) => void): GlobalPreferences {
  const file = globalPreferencesFile(configFolder);
  let text: string;
  try {
    text = readThroughLink(file).toString('utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return {};
    const fault = `${file} could not be read and is ignored: ${String(cause)}`;
    warn(fault);
    return { fault };
  }
  try {
    return parse(JSON.parse(text));
  } catch (cause) {
    warn(`${file} is ignored until it is fixed: ${cause instanceof Error ? cause.message : String(cause)}`);
    return {};
  }
}

interface Asked extends Partial<{ readonly [K in keyof Preferences]: Preferences[K] | undefined }> {
  readonly mode?: Mode | undefined;
}

/**
 * Sets what new sessions begin with and leaves the rest of the file as it was: a mode replaces all that was set, a single
 * value only itself. A file that cannot be understood is not written over; the error says what is wrong with it.
 */
export function changeGlobalPreferences(
  configFolder: string,
  { mode, ...asked }: Asked,
  unique: string,
): Result<GlobalPreferences, string> {
  return amend(configFolder, unique, ({ mode: oldMode, preferences: oldPreferences }) => {
    const named = withoutGaps(asked);
    const preferences = mode === undefined ? { ...oldPreferences, ...named } : named;
    return { mode: mode ?? oldMode, preferences: Object.keys(preferences).length > 0 ? preferences : undefined };
  });
}

/** Lets a data folder of another user be used from now on. */
export const trustFolder = (configFolder: string, folder: string, unique: string): Result<GlobalPreferences, string> =>
  amend(configFolder, unique, ({ trustedFolders = [] }) => ({
    trustedFolders: [...new Set([...trustedFolders, folder])],
  }));

/** Lets the catalog of a project call these addresses from now on, and no others. */
export const allowAddresses = (
  configFolder: string,
  {
    project,
    catalog,
    addresses,
  }: { readonly project: string; readonly catalog: string; readonly addresses: readonly string[] },
  unique: string,
): Result<GlobalPreferences, string> =>
  amend(configFolder, unique, ({ allowedAddresses = {} }) => {
    const here = withEntry(own(allowedAddresses, project) ?? {}, catalog, addresses.length > 0 ? addresses : undefined);
    return { allowedAddresses: withEntry(allowedAddresses, project, here) };
  });

/** One entry more, or less; undefined where none is left. */
function withEntry<T>(
  all: { readonly [name: string]: T },
  name: string,
  value: T | undefined,
): { readonly [name: string]: T } | undefined {
  const others = Object.entries(all).filter(([key]) => key !== name);
  const entries = value === undefined ? others : [...others, [name, value] as const];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export type Retention = Pick<GlobalPreferences, 'pruneAfterDays' | 'pruneByItself'>;

/** How long sessions stay, and whether servers see to it; what is not named stays as it is. */
export const changeRetention = (
  configFolder: string,
  asked: Retention,
  unique: string,
): Result<GlobalPreferences, string> => amend(configFolder, unique, () => ({ ...asked }));

/** Changes some entries of the file, one that becomes undefined goes; the rest stays as it was. */
function amend(
  configFolder: string,
  unique: string,
  change: (before: GlobalPreferences) => { readonly [key: string]: JsonValue | undefined },
): Result<GlobalPreferences, string> {
  const file = globalPreferencesFile(configFolder);
  const before = standing(file);
  if (!before.ok) return before;
  const changed = { ...before.value.whole, ...change(before.value.meaning) };
  const whole = Object.fromEntries(
    Object.entries(changed).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
  replace(configFolder, file, `${JSON.stringify(whole, undefined, 2)}\n`, unique);
  return ok(parse(whole));
}

function standing(file: string): Result<{ readonly whole: JsonObject; readonly meaning: GlobalPreferences }, string> {
  try {
    const whole: unknown = JSON.parse(readThroughLink(file).toString('utf8'));
    return ok({ meaning: parse(whole), whole: isJsonObject(whole) ? whole : {} });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT') return ok({ whole: {}, meaning: {} });
    if (code !== undefined) throw cause;
    return err(`${file} is not valid: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** It appears whole or not at all. Where the file is a link, as with kept dotfiles, what it leads to is replaced. */
function replace(configFolder: string, file: string, text: string, unique: string): void {
  // A link there is the user's own.
  if (!existsSync(configFolder)) makeFolderDurably(configFolder, 0o700);
  const target = realOf(file);
  const temporary = join(dirname(target), `.config-${unique}.${process.pid}.tmp`);
  removeUnfinished(dirname(target), (name) => name.startsWith('config-'));
  try {
    writeNewFile(temporary, Buffer.from(text), 0o600);
    renameSync(temporary, target);
    syncNamedFolder(dirname(target));
  } finally {
    rmSync(temporary, { force: true });
  }
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return file;
    throw cause;
  }
}

const somePreferences = preferencesSchema.partial().optional();

function parse(value: unknown): GlobalPreferences {
  if (!isJsonObject(value)) throw new Error('the file should contain one object');
  const mode = modeNames.find((name) => name === value['mode']);
  if (value['mode'] !== undefined && mode === undefined)
    throw new Error(`mode should be one of ${modeNames.join(', ')}`);
  const preferences = safeParse(somePreferences, value['preferences']);
  if (!preferences.success)
    throw new Error(
      preferences.error.issues.map((issue) => `preferences.${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  const folders = value['workflowFolders'];
  if (folders !== undefined && !isStringList(folders)) throw new Error('workflowFolders should be a list of folders');
  const trusted = value['trustedFolders'];
  if (trusted !== undefined && !isStringList(trusted)) throw new Error('trustedFolders should be a list of folders');
  const addresses = value['allowedAddresses'];
  if (addresses !== undefined && !isAddresses(addresses))
    throw new Error('allowedAddresses should have a list of addresses for each catalog of each project');
  return {
    ...retentionIn(value),
    ...(mode !== undefined && { mode }),
    ...(preferences.data !== undefined && { preferences: withoutGaps(preferences.data) }),
    ...(folders !== undefined && { workflowFolders: folders }),
    ...(trusted !== undefined && { trustedFolders: trusted }),
    ...(addresses !== undefined && { allowedAddresses: addresses }),
  };
}

function retentionIn(value: JsonObject): Retention {
  const days = value['pruneAfterDays'];
  if (days !== undefined && !(typeof days === 'number' && Number.isInteger(days) && days >= 1))
    throw new Error('pruneAfterDays should be a whole number of days, 1 or more');
  const byItself = value['pruneByItself'];
  if (byItself !== undefined && typeof byItself !== 'boolean') throw new Error('pruneByItself should be true or false');
  return {
    ...(days !== undefined && { pruneAfterDays: days }),
    ...(byItself !== undefined && { pruneByItself: byItself }),
  };
}

const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');

const isAddresses = (value: unknown): value is AllowedAddresses =>
  isJsonObject(value) &&
  Object.values(value).every((catalogs) => isJsonObject(catalogs) && Object.values(catalogs).every(isStringList));

const withoutGaps = (values: {
  readonly [K in keyof Preferences]?: Preferences[K] | undefined;
}): Partial<Preferences> => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
