import { constants, lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import { limits } from '../../base/limits.js';
import { isAlive } from '../../files/is-alive.js';
import { errorCode } from '../../files/fault-reason.js';
import { refuseLink, withOpen } from '../../files/folders.js';

/** The place of one who waits for a lease. */
export interface QueuePlace {
  /** Whether nobody who lives has waited longer. */
  isFirst(): boolean;
  leave(): void;
}

const host = sha256Hex(hostname()).slice(0, 8);
let entered = 0;

/** Whether somebody waits, or did when it was killed. */
export const isQueueThere = (folder: string): boolean => timeOf(folder) !== undefined;

/**
 * Those who wait stand in line, so that each gets its turn: a folder with a file for each, named by when it came. It is a
 * courtesy as the lock is: where nothing can be left in the folder, everybody is first.
 */
export function enterQueue(folder: string): QueuePlace {
  entered += 1;
  const came = performance.now();
  const own = `${String(Math.round((performance.timeOrigin + came) * 1000)).padStart(17, '0')}-${host}-${process.pid}-${entered}`;
  let since = 0;
  const stand = (): void => {
    since = leaveWord(folder, own) - (performance.now() - came);
  };
  stand();
  return {
    isFirst() {
      const line = namesThere(folder);
      // Somebody took it for one that was left behind.
      if (!line.includes(own)) stand();
      const now = since + (performance.now() - came);
      return !line.some((name) => name < own && stillWaits(folder, name, now));
    },
    leave() {
      quietly(() => unlinkSync(join(folder, own)));
      // Which fails, as it should, where somebody else still waits.
      quietly(() => rmdirSync(folder));
    },
  };
}

/** Says by the clock of the file system when that was. */
function leaveWord(folder: string, name: string): number {
  const file = join(folder, name);
  // The last of those who waited may take the folder away at this very moment.
  for (let tries = 0; tries < 3; tries += 1) {
    quietly(() => mkdirSync(folder));
    if (quietly(() => leaveFile(folder, file)) !== 'ENOENT') break;
  }
  return timeOf(file) ?? Date.now();
}

function leaveFile(folder: string, file: string): void {
  refuseLink(folder);
  withOpen(file, constants.O_WRONLY | constants.O_CREAT, () => undefined);
}

/** Nobody waits for longer than is waited for a lock; of this machine's processes one knows at once. */
function stillWaits(folder: string, name: string, now: number): boolean {
  const [, of, pid] = name.split('-');
  const file = join(folder, name);
  const at = timeOf(file);
  if (at === undefined) return false;
  if (now - at < 2 * limits.lockWaitMs && (of !== host || isAlive(Number(pid)))) return true;
  quietly(() => unlinkSync(file));
  return false;
}

function timeOf(file: string): number | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

function namesThere(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function quietly(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (cause) {
    return errorCode(cause);
  }
}
