import { createGunzip } from 'node:zlib';
import { limits } from '../base/limits.js';
import { refused } from './bundle-problem.js';
import { gzipFlow } from './gzip-flow.js';

/** Expands gzip, and stops what expands to more than it may. */
export async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: limits.chunk });
  const { push, failure } = gzipFlow(gunzip);
  let [packedSize, size] = [0, 0];
  const expanded = async (chunk: Buffer | undefined): Promise<readonly Buffer[]> => {
    const out = await push(chunk);
    for (const { length } of out) size += length;
    if (size > limits.bundleExpanded) throw refused(`it expands to more than ${limits.bundleExpanded} bytes`);
    if (size > limits.bundleFreely && size > packedSize * limits.bundleExpansion)
      throw refused(`it expands to more than ${limits.bundleExpansion} times its size`);
    return out;
  };
  try {
    for await (const chunk of inSmallPieces(packed)) {
      packedSize += chunk.length;
      yield* await expanded(chunk);
      if (failure() !== undefined) break;
    }
    yield* await expanded(undefined);
    const failed = failure();
    if (failed !== undefined)
      throw refused(`the compressed data is damaged or truncated (${failed.message})`, 'BUNDLE_INTEGRITY_FAILED');
    if (gunzip.bytesWritten !== packedSize) throw refused('unexpected data after the compressed parts');
  } finally {
    gunzip.destroy();
  }
}

/**
 * Nothing comes out of the piece in which an error is met. The smaller the piece, the better it can be told what was
 * still whole; so a small bundle goes in small pieces, and the pieces of a large one grow.
 */
async function* inSmallPieces(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let before = 0;
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + Math.max(leastPiece, Math.trunc(before / leastPiece)));
      at += piece.length;
      before += piece.length;
      yield piece;
    }
  }
}

const leastPiece = 128;
