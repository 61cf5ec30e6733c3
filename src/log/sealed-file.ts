import { createHmac, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readFrom } from './session-folder.js';

const sealLength = 32;

/** A `purpose` keeps what was sealed as one thing from being taken for another. */
const seal = (key: Uint8Array, purpose: string, bytes: Uint8Array): Buffer => createHmac('sha256', key).update(`workrail ${purpose}\n`).update(bytes).digest();

/** Writes what can be made again, so that it appears whole or not at all. Whatever goes wrong costs time and nothing else. */
export function writeSealed(file: string, purpose: string, key: Uint8Array, bytes: Uint8Array): boolean {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, Buffer.concat([seal(key, purpose, bytes), bytes]), { flag: 'wx' });
    renameSync(temporary, file);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}

/** The bytes as this installation sealed them; bytes of anybody else are not looked into. */
export function readSealed(file: string, purpose: string, key: Uint8Array): Buffer | undefined {
  const read = readFrom(file, 0);
  if (read === undefined || read.bytes.length <= sealLength) return undefined;
  const bytes = read.bytes.subarray(sealLength);
  return timingSafeEqual(seal(key, purpose, bytes), read.bytes.subarray(0, sealLength)) ? bytes : undefined;
}
