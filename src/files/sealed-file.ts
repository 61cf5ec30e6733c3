import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openPlain, withOpen } from './folders.js';
import { readAt } from './read-at.js';
import { SpoiltFile } from './spoilt-file.js';
import { errorCode, named } from './fault-reason.js';
import { writeAll } from './write-all.js';

const sealLength = 32;
/** At the end of a file: the seal, and how long what is sealed is, which stands before it. Before that are the parts that it names. */
const endLength = sealLength + 4;

/** A `purpose` keeps what was sealed as one thing from being taken for another. */
const seal = (key: Uint8Array, purpose: string, bytes: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`workrail ${purpose}\n`).update(bytes).digest();

/** Some bytes of a file, and their digest, which is sealed. */
export interface Part {
  readonly at: number;
  readonly length: number;
  readonly digest: string;
}

/** Puts a part into the file under way. A digest that is given says what the bytes should be. */
export type AddPart = (bytes: Buffer, digest?: string) => Part;

/**
 * Writes what can be made again, so that it appears whole or not at all. Whatever goes wrong costs time and nothing else.
 * `make` puts the parts in, where there are some, and gives back what is sealed.
 */
export function writeSealed(file: string, purpose: string, key: Uint8Array, make: (add: AddPart) => Buffer): boolean {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    rmSync(temporary, { force: true });
    withOpen(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) => {
      let at = 0;
      const sealed = make((bytes, digest = hash('sha256', bytes, 'base64')) => {
        const part = { at, length: bytes.length, digest };
        writeAll(fd, bytes);
        at += bytes.length;
        return part;
      });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(sealed.length);
      writeAll(fd, Buffer.concat([sealed, seal(key, purpose, sealed), length]));
    });
    renameSync(temporary, file);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
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
  /** A part as it was written; throws where it is not. It can be had for as long as this is held, whatever becomes of the file's name. */
  readonly part: (part: Part) => Buffer;
  /** A part to be written elsewhere under its digest, which tells there what it is: nothing is looked at. */
  readonly unread: (part: Part) => Buffer;
  readonly close: () => void;
}

/** Who holds parts of a file holds it open, and nobody can say for how long that is. */
const letGo = new FinalizationRegistry<number>((fd) => closeSync(fd));

export function openSealed(file: string, purpose: string, key: Uint8Array): SealedFile | undefined {
  const fd = openIfThere(file);
  if (fd === undefined) return undefined;
  try {
    const bytes = named(file, () => sealedBytes(fd, purpose, key));
    if (bytes !== undefined) return holding(fd, file, bytes);
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
  closeSync(fd);
  return undefined;
}

function sealedBytes(fd: number, purpose: string, key: Uint8Array): Buffer | undefined {
  const { size } = fstatSync(fd);
  const end = size > endLength ? readAt(fd, size - endLength, endLength) : Buffer.alloc(endLength);
  const length = end.readUInt32LE(sealLength);
  if (length === 0 || length + endLength > size) return undefined;
  const bytes = readAt(fd, size - endLength - length, length);
  return timingSafeEqual(seal(key, purpose, bytes), end.subarray(0, sealLength)) ? bytes : undefined;
}

function holding(fd: number, file: string, bytes: Buffer): SealedFile {
  const sealed: SealedFile = {
    bytes,
    part: ({ at, length, digest }) => {
      const part = named(file, () => readAt(fd, at, length));
      if (hash('sha256', part, 'base64') !== digest) throw new SpoiltFile(file);
      return part;
    },
    unread: ({ at, length }) => named(file, () => readAt(fd, at, length)),
    close: () => {
      letGo.unregister(sealed);
      closeSync(fd);
    },
  };
  letGo.register(sealed, fd, sealed);
  return sealed;
}

function openIfThere(file: string): number | undefined {
  try {
    return openPlain(file, constants.O_RDONLY);
  } catch (cause) {
    if (['ENOENT', 'ELOOP', 'EFTYPE', 'ENXIO'].includes(errorCode(cause) ?? '')) return undefined;
    throw cause;
  }
}
