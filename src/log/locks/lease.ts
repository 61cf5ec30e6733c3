import { hostname } from 'node:os';
import { join } from 'node:path';
import { constants, lstatSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { isLink, withOpen } from '../../files/folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { writeAll } from '../../files/write-all.js';
import { hasEnded, type ProcessName, thisProcess } from '../../files/this-process.js';
import { enterQueue, isQueueThere, type QueuePlace } from './lease-queue.js';
import type { LogRejection } from '../port/log-rejection.js';
import { errorCode } from '../../files/fault-reason.js';

/**
 * The lock between processes, kept for as long as a burst of appends lasts. It is a courtesy that saves duplicate work:
 * nothing that was acknowledged may ever depend on it, and where it cannot be had at all one goes on without.
 */
export class Lease {
  readonly #path: string;
  readonly #holder: string;
  readonly #queue: string;
  #release: (() => void) | undefined;
  #since = 0;
  /** When word of others was last looked for. */
  #looked = 0;
  #taking: Promise<LogRejection | undefined> | undefined;

  constructor(locksFolder: string, name: string) {
    this.#path = join(locksFolder, name);
    this.#holder = `${this.#path}.holder`;
    // No session is called so.
    this.#queue = join(locksFolder, `.${name}.queue`);
  }

  get held(): boolean {
    return this.#release !== undefined;
  }

  get awaited(): boolean {
    return this.#taking !== undefined;
  }

  /** By the process's own clock; undefined while it is not held. */
  get heldSince(): number | undefined {
    return this.#release === undefined ? undefined : this.#since;
  }

  /** Resolves once the lease is held, or says who holds it. `meanwhile` is called now and then for as long as others hold it. */
  take(meanwhile?: () => void): Promise<LogRejection | undefined> {
    this.#taking ??= this.#wait(meanwhile).finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #wait(meanwhile: (() => void) | undefined): Promise<LogRejection | undefined> {
    for (const path of [this.#path, this.#holder, this.#queue]) if (isLink(path)) return linkInTheWay(path);
    // Where others stand in line, one does not go past them.
    if (!isQueueThere(this.#queue) && this.#tryOnce()) return undefined;
    const place = enterQueue(this.#queue);
    try {
      return await this.#waitInLine(place, meanwhile);
    } finally {
      place.leave();
    }
  }

  async #waitInLine(place: QueuePlace, meanwhile: (() => void) | undefined): Promise<LogRejection | undefined> {
    const begun = performance.now();
    const { least, most } = limits.lockRetryMs;
    let [isFirst, lookedAt, freeSince, freeLooks] = [false, -Infinity, Infinity, 0];
    for (;;) {
      const now = performance.now();
      if (!isFirst || now - lookedAt >= most) {
        isFirst = place.isFirst();
        this.#breakIfDead();
        lookedAt = now;
        if (now > begun) meanwhile?.();
      }
      const isFree = this.#isFree();
      freeSince = isFree ? Math.min(freeSince, now) : Infinity;
      freeLooks = isFree ? freeLooks + 1 : 0;
      // Who is first and does not come is asleep or gone; unless it was we who slept, and the lease had come and gone meanwhile.
      const isLeft = now - freeSince >= limits.leaseLeftMs && freeLooks * most > limits.leaseLeftMs;
      if (isFree && (isFirst || isLeft) && this.#tryOnce()) return undefined;
      if (now - begun > limits.lockWaitMs) return this.#busy(now - begun);
      await pause(isFirst ? least : most);
    }
  }

  /** A look costs less than a try. */
  #isFree(): boolean {
    try {
      const lock = lstatSync(this.#path, { throwIfNoEntry: false });
      return lock === undefined || Date.now() - lock.mtimeMs > limits.lockStaleMs;
    } catch {
      return true;
    }
  }

  #tryOnce(): boolean {
    try {
      const release = lockfile.lockSync(this.#path, {
        realpath: false,
        lockfilePath: this.#path,
        stale: limits.lockStaleMs,
        // Never thrown: a lock that was lost costs a fork at worst, a thrown error the process.
        onCompromised: () => {
          this.#release = undefined;
        },
      });
      this.#release = release;
      this.#since = performance.now();
      withOpen(this.#holder, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, (fd) =>
        writeAll(fd, Buffer.from(JSON.stringify({ ...nameOfThis(), since: new Date().toISOString() }))),
      );
      return true;
    } catch (cause) {
      const code = errorCode(cause);
      if (code === 'ELOCKED') return false;
      if (code === undefined) throw cause;
      // The folder cannot be written to (read-only, full): whether an append can, the append itself will find out.
      return true;
    }
  }

  /** A holder that was killed would otherwise keep everybody out until its lock is stale. */
  #breakIfDead(): void {
    try {
      const holder = holderOf(this.#holder);
      const gone =
        holder === undefined
          ? Math.abs(Date.now() - lstatSync(this.#path).ctimeMs) > limits.lockNamelessMs
          : hasEnded(holder) || (!isKnownToLive(holder) && this.#isOfTheFuture());
      if (!gone) return;
      rmSync(this.#holder, { force: true });
      rmdirSync(this.#path);
    } catch {
      // Somebody else was first.
    }
  }

  /** Written before the clock was set back: it would be fresh until the clock has caught up. Whoever holds it notes its time anew. */
  #isOfTheFuture(): boolean {
    return lstatSync(this.#path).mtimeMs - Date.now() > limits.lockStaleMs;
  }

  #busy(waited: number): LogRejection {
    const holder = holderOf(this.#holder);
    const who =
      holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host} (since ${holder.since})`;
    return {
      code: 'SESSION_BUSY',
      message: `The session is being written by ${who}; waited ${Math.round(waited)} ms. Nothing was recorded`,
      retryAfterMs: 500,
    };
  }

  /** After an append: lets go where others wait and have waited long enough. One look at a file at most. */
  yieldIfAsked(): void {
    const now = performance.now();
    if (
      this.#release === undefined ||
      now - this.#since < limits.leaseSharedMs ||
      now - this.#looked < limits.lockRetryMs.least
    )
      return;
    this.#looked = now;
    if (isQueueThere(this.#queue)) this.release();
  }

  release(): void {
    const release = this.#release;
    if (release === undefined) return;
    this.#release = undefined;
    try {
      unlinkSync(this.#holder);
    } catch {
      // Somebody thought that we were dead.
    }
    try {
      release();
    } catch {
      // It was taken from us, or its folder is gone: either way it is not held any more.
    }
  }
}

const linkInTheWay = (path: string): LogRejection => ({
  code: 'STORAGE_FAULT',
  message: `${path} is a symbolic link, which a data folder must not be or contain: remove it`,
});

/** A lock is taken often, and a process keeps its name. */
let ownName: ProcessName | undefined;
const nameOfThis = (): ProcessName => (ownName ??= thisProcess());

/** The very process, and no other that got its number: where the system says when a process began. */
const isKnownToLive = ({ host, started }: ProcessName): boolean => host === hostname() && started !== undefined;

/** Who wrote its name beside a lock; undefined where that cannot be read. Older programs wrote host and number alone. */
export function holderOf(file: string): (ProcessName & { readonly since: string }) | undefined {
  try {
    const value: unknown = JSON.parse(readPlainFile(file).toString('utf8'));
    const { pid, host, since, started, boot } = isJsonObject(value) ? value : {};
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'string'
      ? {
          pid,
          host,
          since,
          ...(typeof started === 'string' && { started }),
          ...(typeof boot === 'string' && { boot }),
        }
      : undefined;
  } catch {
    return undefined;
  }
}
