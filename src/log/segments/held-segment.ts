import { closeSync, constants, fdatasyncSync, fstatSync, lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { WriterId } from '../../base/ids.js';
import { named } from '../../files/fault-reason.js';
import { openPlain } from '../../files/folders.js';
import { readAt } from '../../files/read-at.js';
import type { FileMark } from './session-folder.js';
import { writeAll } from '../../files/write-all.js';

/** The one segment of a session that this process appends to, and nobody else does. */
export class HeldSegment {
  readonly name: string;
  readonly writer: WriterId;
  readonly ino: number;
  readonly #path: string;
  readonly #fd: number;
  #size: number;
  #mtimeMs: number;

  private constructor(path: string, name: string, writer: WriterId, fd: number) {
    const stat = fstatSync(fd);
    this.name = name;
    this.writer = writer;
    this.ino = stat.ino;
    this.#size = stat.size;
    this.#mtimeMs = stat.mtimeMs;
    this.#path = path;
    this.#fd = fd;
  }

  /**
   * One that is new, or that its holder ended cleanly and this process has claimed. A new one is an exclusive create: were
   * the name ever drawn twice, the second would fail and nothing would interleave.
   */
  static open(segmentsFolder: string, name: string, writer: WriterId, as: 'new' | 'claimed'): HeldSegment {
    const path = join(segmentsFolder, name);
    const how = as === 'new' ? constants.O_CREAT | constants.O_EXCL : 0;
    const fd = openPlain(path, constants.O_RDWR | constants.O_APPEND | how);
    try {
      return named(path, () => new HeldSegment(path, name, writer, fd));
    } catch (cause) {
      closeSync(fd);
      throw cause;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** One write, one sync. After a throw the handle must never be synced again: a second sync may claim what is lost. */
  write(bytes: Buffer): void {
    named(this.#path, () => {
      writeAll(this.#fd, bytes);
      fdatasyncSync(this.#fd);
    });
    this.#size += bytes.length;
  }

  /** The file's mark, if the name still leads to the file that was written, with exactly the bytes that were written. */
  mark(): FileMark | undefined {
    const stat = lstatSync(this.#path, { throwIfNoEntry: false });
    if (stat === undefined || stat.ino !== this.ino || stat.nlink === 0 || stat.size !== this.#size) return undefined;
    this.#mtimeMs = stat.mtimeMs;
    return { ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs };
  }

  /** Whether the name still leads to the file that is held, whatever has become of its bytes. */
  get isNamed(): boolean {
    return lstatSync(this.#path, { throwIfNoEntry: false })?.ino === this.ino;
  }

  /** When what is acknowledged of it was written. */
  get mtimeMs(): number {
    return this.#mtimeMs;
  }

  /** All that was written, whether or not a name still leads to it. */
  bytes(): Buffer {
    return named(this.#path, () => readAt(this.#fd, 0, this.#size));
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** After a failed write. A file that took no byte at all is no part of anything and goes again. */
  abandon(): void {
    try {
      if (fstatSync(this.#fd).size === 0 && lstatSync(this.#path, { throwIfNoEntry: false })?.ino === this.ino)
        unlinkSync(this.#path);
    } catch {
      // The file system that refused the write may refuse this too; an empty segment does no harm.
    }
    try {
      closeSync(this.#fd);
    } catch {
      // The number is free again whatever close reports; what it would say about the bytes is known already.
    }
  }
}
