import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { limits } from '../base/limits.js';
import { gzipFlow } from './gzip-flow.js';
import { type BundlePart, type Manifest, manifestName, manifestText } from './manifest.js';
import { gzipHeader, sealOf } from './seal.js';
import { tarHeader } from './tar-header.js';

export type OpenPart = (part: BundlePart) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A part is not what the manifest says: it changed since. */
export class PartChanged extends Error {
  readonly part: string;

  constructor(part: string) {
    super(`${part} changed while it was being exported`);
    this.part = part;
  }
}

const block = 512;

/**
 * The bytes of a bundle, part by part as `open` gives them. Nothing but the manifest and the parts goes in, so the same
 * session gives the same bytes.
 */
export async function* writeBundle(manifest: Manifest, open: OpenPart): AsyncGenerator<Buffer> {
  // On the text of sessions the next level up takes twice to four times as long, for a twentieth of the size at most.
  const gzip = createGzip({ level: 4, memLevel: 8, windowBits: 15, chunkSize: limits.chunk });
  const { push, failure } = gzipFlow(gzip);
  const hash = createHash('sha256');
  let begun = false;
  const packed = async (chunk: Uint8Array | undefined): Promise<readonly Buffer[]> => {
    const out = await push(chunk);
    const failed = failure();
    if (failed !== undefined) throw failed;
    // gzip's own header names the operating system; ours names none.
    if (!begun && out[0] !== undefined) begun = gzipHeader.copy(out[0]) > 0;
    for (const bytes of out) hash.update(bytes);
    return out;
  };
  try {
    for await (const chunk of archive(manifest, open)) yield* await packed(chunk);
    yield* await packed(undefined);
    yield sealOf(hash.digest());
  } finally {
    gzip.destroy();
  }
}

async function* archive(manifest: Manifest, open: OpenPart): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(manifestText(manifest), 'utf8');
  yield* entry(manifestName, text.length, [text]);
  for (const part of manifest.parts) yield* entry(part.name, part.size, unchanged(part, open(part)));
  yield Buffer.alloc(2 * block);
}

async function* entry(
  name: string,
  size: number,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield await tarHeader(name, size);
  yield* bytes;
  yield Buffer.alloc((block - (size % block)) % block);
}

async function* unchanged({ name, size, sha256 }: BundlePart, bytes: ReturnType<OpenPart>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > size) throw new PartChanged(name);
    hash.update(chunk);
    yield chunk;
  }
  if (seen !== size || hash.digest('hex') !== sha256) throw new PartChanged(name);
}
