import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { noFollow } from './folders.js';
import { errorCode } from './storage-fault.js';
import { writeAll } from './write-all.js';

const sealLength = 32;
/** The seal, then how long what is sealed is, then that, then the parts that it names. */
const startLength = sealLength + 4;

/** A `purpose` keeps what was sealed as one thing from being taken for another. */
const seal = (key: Uint8Array, purpose: string, bytes: Uint8Array): Buffer => createHmac('sha256', key).update(`workrail ${purpose}\n`).update(bytes).digest();

/** Some bytes behind what is sealed, and their digest, which is sealed. */
export interface Part {
  readonly at: number;
  readonly length: number;
  readonly digest: string;
}

/** Parts for a file under way, one behind the other. */
export class PartsToWrite {
  readonly bytes: Buffer[] = [];
  length = 0;

  add(bytes: Buffer, digest = hash('sha256', bytes, 'base64')): Part {
    const part = { at: this.length, length: bytes.length, digest };
    this.bytes.push(bytes);
    this.length += bytes.length;
    return part;
  }
}

/** Writes what can be made again, so that it appears whole or not at all. Whatever goes wrong costs time and nothing else. */
export function writeSealed(file: string, purpose: string, key: Uint8Array, bytes: Uint8Array, parts = new PartsToWrite()): boolean {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  try {
    rmSync(temporary, { force: true });
    writeNew(temporary, [Buffer.concat([seal(key, purpose, bytes), length, bytes]), ...parts.bytes]);
    renameSync(temporary, file);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}

function writeNew(file: string, all: readonly Buffer[]): void {
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666);
  try {
    for (const bytes of all) writeAll(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

/** The bytes as this installation sealed them; bytes of anybody else are not looked into. */
export function readSealed(file: string, purpose: string, key: Uint8Array): Buffer | undefined {
  const sealed = openSealed(file, purpose, key);
  sealed?.close();
  return sealed?.bytes;
}

export interface SealedFile {
  readonly bytes: Buffer;
  /** How many bytes lie behind. */
  readonly behind: number;
  /** A part as it was written; throws where it is not. It can be had for as long as this is held, whatever becomes of the file's name. */
  readonly part: (part: Part) => Buffer;
  /** A part to be written elsewhere under its digest, which tells there what it is: nothing is looked at. */
  readonly unread: (part: Part) => Buffer;
  readonly close: () => void;
}

/** Who holds parts of a file holds it open, and nobody can say for how long that is. */
const letGo = new FinalizationRegistry<number>((fd) => closeSync(fd));

export function openSealed(file: string, purpose: string, key: Uint8Array): SealedFile | undefined {
  const fd = openPlain(file);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    const start = size > startLength ? readPart(fd, 0, startLength) : Buffer.alloc(startLength);
    const length = start.readUInt32LE(sealLength);
    const bytes = length > 0 && startLength + length <= size ? readPart(fd, startLength, length) : undefined;
    if (bytes !== undefined && timingSafeEqual(seal(key, purpose, bytes), start.subarray(0, sealLength))) return holding(fd, file, bytes, size);
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
  closeSync(fd);
  return undefined;
}

function holding(fd: number, file: string, bytes: Buffer, size: number): SealedFile {
  const first = startLength + bytes.length;
  const sealed: SealedFile = {
    bytes,
    behind: size - first,
    part: ({ at, length, digest }) => {
      const part = readPart(fd, first + at, length);
      // Answered as what it is: bytes that the disk gave back otherwise than it got them.
      if (hash('sha256', part, 'base64') !== digest) throw Object.assign(new Error(`${file} is not as it was written`), { code: 'EIO' });
      return part;
    },
    unread: ({ at, length }) => readPart(fd, first + at, length),
    close: () => {
      letGo.unregister(sealed);
      closeSync(fd);
    },
  };
  letGo.register(sealed, fd, sealed);
  return sealed;
}

function openPlain(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | noFollow);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ELOOP') return undefined;
    throw cause;
  }
}

function readPart(fd: number, at: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, part, filled, length - filled, at + filled);
    if (count === 0) break;
    filled += count;
  }
  return part.subarray(0, filled);
}
