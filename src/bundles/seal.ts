import { createHash } from 'node:crypto';
import { refused } from './bundle-problem.js';

/**
 * A bundle is two gzip members. The first is the tar stream. The second expands to nothing and carries, in a field that
 * gzip leaves to its users, the SHA-256 of all bytes before it: gzip's own check sum passes over bits that the format
 * does not use, and a file that was cut between two members would look whole.
 */
export const gzipHeader: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const sealHead = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 36, 0, 0x57, 0x52, 32, 0]);
const sealFoot = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const sealLength = sealHead.length + 32 + sealFoot.length;

/** What follows the first member. */
export function sealOf(digest: Uint8Array): Buffer {
  return Buffer.concat([sealHead, digest, sealFoot]);
}

/** Passes on the first member of a sealed file, and throws at its end where the seal is not there or not its own. */
export async function* unsealed(file: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer = Buffer.alloc(0);
  let begun = false;
  for await (const chunk of file) {
    held = Buffer.concat([held, chunk]);
    if (!begun && held.length >= gzipHeader.length) {
      checkBeginning(held);
      begun = true;
    }
    if (!begun || held.length <= sealLength) continue;
    const passed = held.subarray(0, held.length - sealLength);
    held = held.subarray(passed.length);
    hash.update(passed);
    yield passed;
  }
  if (!begun) checkBeginning(held);
  const digest = held.subarray(sealHead.length, sealHead.length + 32);
  const isSeal =
    held.length === sealLength &&
    held.subarray(0, sealHead.length).equals(sealHead) &&
    held.subarray(sealHead.length + 32).equals(sealFoot);
  if (!isSeal)
    throw refused(
      'the seal at the end is missing: the bundle was truncated, or something was appended',
      'BUNDLE_INTEGRITY_FAILED',
    );
  const [expected, actual] = [digest.toString('hex'), hash.digest('hex')];
  const message = 'the bundle has changed since it was made';
  if (expected !== actual) throw refused(message, 'BUNDLE_INTEGRITY_FAILED', { expected, actual });
}

function checkBeginning(held: Buffer): void {
  if (held.subarray(0, gzipHeader.length).equals(gzipHeader)) return;
  throw refused(held.length === 0 ? 'the file is empty' : 'not a WorkRail bundle');
}
