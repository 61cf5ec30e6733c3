import { createGunzip } from 'node:zlib';
import { limits } from '../base/limits.js';
import { BundleRefused } from './bundle-problem.js';
import { gzipFlow } from './gzip-flow.js';

/** Expands gzip, and stops what expands to more than it may. */
export async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: limits.chunk });
  const { push, failure } = gzipFlow(gunzip);
  let [packedSize, size] = [0, 0];
  const expanded = async (chunk: Buffer | undefined): Promise<readonly Buffer[]> => {
    const out = await push(chunk);
    for (const { length } of out) size += length;
    if (size > limits.bundleExpanded) throw bomb(`it expands to more than ${limits.bundleExpanded} bytes`);
    if (size > limits.bundleFreely && size > packedSize * limits.bundleExpansion) throw bomb(`it expands to more than ${limits.bundleExpansion} times its size`);
    return out;
  };
  try {
    for await (const chunk of packed) {
      packedSize += chunk.length;
      yield* await expanded(chunk);
      if (failure() !== undefined) break;
    }
    yield* await expanded(undefined);
    const failed = failure();
    if (failed !== undefined) throw new BundleRefused({ code: 'BUNDLE_INTEGRITY_FAILED', message: `its compressed bytes are damaged or cut (${failed.message})` });
    if (gunzip.bytesWritten !== packedSize) throw new BundleRefused({ code: 'BUNDLE_INVALID_FORMAT', message: 'something follows the compressed parts' });
  } finally {
    gunzip.destroy();
  }
}

const bomb = (message: string): BundleRefused => new BundleRefused({ code: 'BUNDLE_INVALID_FORMAT', message });
