import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../base/digest.js';
import type { KeyId } from '../base/ids.js';
import { isJsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { syncNamedFolder } from '../files/folders.js';
import { errorCode } from '../files/fault-reason.js';
import { readThroughLink } from '../files/read-plain-file.js';
import { writeNewFile } from '../files/replace-file.js';
import { nameIfFree } from '../files/write-whole-file.js';

export interface Key {
  readonly id: KeyId;
  readonly secret: Uint8Array;
}

export interface Keys {
  /** False where the key could only be kept in memory. */
  readonly saved: boolean;
  current(): Key;
  /** The key in use first, then the ones before it. */
  all(): readonly Key[];
  rotate(): Key;
  /** Why the last key made here ends with this process, where it does. */
  readonly notKept: string | undefined;
  /** Why the keys that are saved could not be read, where they are there: tokens of theirs cannot be told from foreign ones. */
  readonly unread: string | undefined;
}

const secretLength = 32;
export const keysFile = 'keys.json';

/**
 * The installation's sealing keys, in the user's configuration folder and nowhere else. Made when first needed. Another
 * process may make or rotate them at any time, so each use looks whether the file is still the one that was read.
 */
export function openKeys(
  configFolder: string,
  randomBytes: (count: number) => Uint8Array,
  warn: (line: string) => void,
): Keys {
  const file = join(configFolder, keysFile);
  let keys: readonly Key[] = [];
  let mark: string | undefined;
  let inMemory = false;
  let notKept: string | undefined;
  let unread: string | undefined;

  const newKey = (): Key => keyOf(randomBytes(secretLength));

  const keepInMemory = (why: string): readonly Key[] => {
    if (!inMemory) warn(`The sealing key is kept in memory only, so tokens end with this process: ${why}`);
    inMemory = true;
    notKept = why;
    mark = undefined;
    if (keys.length === 0) keys = [newKey()];
    return keys;
  };

  const all = (): readonly Key[] => {
    // A file that may not even be looked at may well be there.
    let now: string | undefined = 'unknown';
    try {
      now = markOf(file);
      if (now !== undefined && now === mark) return keys;
      // What came and went while it was kept in memory is found again; a file that vanished is made anew.
      if (now === undefined && inMemory) return keys;
      if (now === undefined)
        makeKeyFile(configFolder, file, keys.length > 0 ? keys : [newKey()], uniqueName(randomBytes));
      keys = readKeyFile(file);
      mark = markOf(file);
      inMemory = false;
      unread = undefined;
      return keys;
    } catch (cause) {
      const fault = passingFault(cause);
      const refused = systemFault(cause)?.message;
      if (now !== undefined && refused !== undefined) unread = refused.includes(file) ? refused : `${refused} ${file}`;
      if (now === undefined || fault === undefined)
        return keepInMemory(cause instanceof Error ? cause.message : String(cause));
      // The keys are there: with another in their place every token of this installation would be called foreign.
      if (keys.length > 0) return keys;
      throw fault;
    }
  };

  return {
    get saved(): boolean {
      all();
      return !inMemory;
    },
    get notKept(): string | undefined {
      return notKept;
    },
    get unread(): string | undefined {
      return unread;
    },
    current: () => all()[0]!,
    all,
    rotate: () => {
      const key = newKey();
      keys = [key, ...all()].slice(0, limits.keysKept);
      if (inMemory) return key;
      try {
        const temporary = writeTemporary(configFolder, keys, uniqueName(randomBytes));
        renameSync(temporary, file);
        syncNamedFolder(configFolder);
        mark = markOf(file);
        notKept = undefined;
      } catch (cause) {
        keepInMemory(cause instanceof Error ? cause.message : String(cause));
      }
      return key;
    },
  };
}

/** What the system says of a file that it may well give a moment later. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EAGAIN', 'EINTR']);

function passingFault(cause: unknown): Error | undefined {
  const fault = systemFault(cause);
  return fault !== undefined && passing.has(errorCode(fault) ?? '') ? fault : undefined;
}

function systemFault(cause: unknown): Error | undefined {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error && errorCode(inner) !== undefined ? inner : undefined;
}

function keyOf(secret: Uint8Array): Key {
  return { id: `k_${sha256Hex(secret).slice(0, 8)}` as KeyId, secret };
}

const uniqueName = (randomBytes: (count: number) => Uint8Array): string => Buffer.from(randomBytes(6)).toString('hex');

function markOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

/** The file appears whole or not at all. Whoever comes first makes the key of this installation; another was never used. */
function makeKeyFile(folder: string, file: string, keys: readonly Key[], unique: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = writeTemporary(folder, keys, unique);
  try {
    if (nameIfFree(temporary, file)) syncNamedFolder(folder);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeTemporary(folder: string, keys: readonly Key[], unique: string): string {
  const temporary = join(folder, `.keys-${unique}`);
  const secrets = keys.map((key) => Buffer.from(key.secret).toString('hex'));
  try {
    writeNewFile(temporary, Buffer.from(`${JSON.stringify({ keys: secrets })}\n`), 0o600);
    return temporary;
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

/** Throws where there is no key to be had from it. */
export function readKeyFile(file: string): readonly Key[] {
  let value: unknown;
  try {
    value = JSON.parse(readThroughLink(file).toString('utf8'));
  } catch (cause) {
    throw new Error(`${file} could not be read`, { cause });
  }
  const secrets = isJsonObject(value) ? value['keys'] : undefined;
  const valid = Array.isArray(secrets)
    ? secrets.filter((secret) => typeof secret === 'string' && /^[0-9a-f]{64}$/u.test(secret))
    : [];
  if (valid.length === 0) throw new Error(`${file} holds no key; remove it to have a new one made`);
  return valid.slice(0, limits.keysKept).map((secret: string) => keyOf(Buffer.from(secret, 'hex')));
}
