import { createHash } from 'node:crypto';
import type { Header } from 'tar-stream';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { type BundleProblem, BundleRefused, refused } from './bundle-problem.js';
import { inflated } from './inflated.js';
import { type BundlePart, isPinPart, type Manifest, manifestName, readManifest } from './manifest.js';
import { type ByteReader, byteReader } from './byte-reader.js';
import { unsealed } from './seal.js';
import { readTarHeader } from './tar-header.js';

/** Who takes what is read. Nothing of it is verified before `readBundle` has said so. */
export interface BundleTaker {
  readonly begin: (manifest: Manifest) => Promise<void>;
  /** Reads `bytes` to their end; they throw there when they are not those of the part. */
  readonly part: (part: BundlePart, bytes: AsyncIterable<Buffer>) => Promise<void>;
}

export interface BundleRead {
  readonly manifest: Manifest;
  readonly id: string;
}

const block = 512;

/**
 * Reads a bundle from its first byte to its last and hands on its parts as they come; memory holds one piece at a time.
 * The archive must be what its manifest promises, entry by entry. Faults of the taker and of the file are thrown.
 */
export async function readBundle(
  file: AsyncIterable<Uint8Array>,
  taker: BundleTaker,
): Promise<Result<BundleRead, BundleProblem>> {
  let at = '';
  async function* member(): AsyncGenerator<Buffer> {
    const chunks = unsealed(file);
    const first = await chunks.next();
    if (first.done === true) return;
    // It begins as a bundle does: from here on something of it can be named.
    at = manifestName;
    yield first.value;
    yield* chunks;
  }
  const expanded = inflated(member());
  const archive = byteReader(expanded);
  try {
    const read = await takeManifest(archive);
    await taker.begin(read.manifest);
    for (const [place, part] of read.manifest.parts.entries()) {
      at = part.name;
      await checkHeader(archive, read.manifest, place);
      await taker.part(part, checked(part, archive));
      await takePadding(archive, part.size);
    }
    at = '';
    await takeEnd(archive, read.manifest);
    return ok(read);
  } catch (cause) {
    if (!(cause instanceof BundleRefused)) throw cause;
    return err({ ...(at !== '' && { part: at }), ...cause.problem });
  } finally {
    await expanded.return(undefined);
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, limits.echo));

async function takeManifest(archive: ByteReader): Promise<BundleRead> {
  const header = await nextHeader(archive);
  if (header?.name !== manifestName)
    throw refused(
      `a bundle starts with ${manifestName}, but this file ${header === undefined ? 'is empty' : `starts with ${shown(header.name)}`}`,
    );
  const size = header.size;
  if (size > limits.bundleManifest)
    throw refused(`the manifest has ${size} bytes, but the limit is ${limits.bundleManifest}`);
  const bytes = await archive.take(size);
  if (bytes.length < size) throw cut();
  const parsed = readManifest(bytes);
  if (!parsed.ok) throw new BundleRefused(parsed.error);
  await takePadding(archive, size);
  return parsed.value;
}

/** The next entry; undefined at the end of the archive. Plain files only: what else tar can carry could reach out of a folder. */
async function nextHeader(archive: ByteReader): Promise<Header | undefined> {
  const bytes = await archive.take(block);
  if (bytes.length < block) throw cut();
  if (bytes.every((byte) => byte === 0)) return undefined;
  const header = await readTarHeader(bytes);
  if (header === undefined) throw refused('its content is not an archive of regular files');
  const { name, type, linkname } = header;
  if (type === 'symlink' || type === 'link')
    throw refused(`${shown(name)} is a link; a bundle contains only regular files`);
  if (type !== 'file' || linkname) throw refused(`${shown(name)} is not a regular file; a bundle contains only those`);
  if (/^[\\/]|^[A-Za-z]:/u.test(name)) throw refused(`${shown(name)} is an absolute path`);
  if (name.split(/[\\/]/u).includes('..')) throw refused(`${shown(name)} points outside the bundle`);
  return header;
}

const cut = (): BundleRefused => refused('the bundle is truncated', 'BUNDLE_INTEGRITY_FAILED');

/** The entry that comes must be the part that is due. */
async function checkHeader(archive: ByteReader, { parts }: Manifest, place: number): Promise<void> {
  const due = parts[place]!;
  const header = await nextHeader(archive);
  const missing = (): BundleRefused =>
    refused(`${due.name} is missing from the bundle`, 'BUNDLE_INTEGRITY_FAILED', { part: due.name });
  if (header === undefined) throw missing();
  if (header.name !== due.name) {
    const found = parts.findIndex(({ name }) => name === header.name);
    throw found > place ? missing() : unpromised(header.name, found >= 0);
  }
  if (header.size === due.size) return;
  throw refused(`the size of ${due.name} differs from the manifest`, 'BUNDLE_INTEGRITY_FAILED', {
    expected: `${due.size} bytes`,
    actual: `${header.size} bytes`,
  });
}

function unpromised(name: string, known: boolean): BundleRefused {
  return known || name === manifestName
    ? refused(`${name} is in the bundle twice`, 'BUNDLE_INVALID_FORMAT', { part: name })
    : refused(`${shown(name)} is in the bundle but not in its manifest`);
}

async function* checked({ name, size, sha256 }: BundlePart, archive: ByteReader): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let left = size;
  for await (const piece of archive.pieces(size)) {
    hash.update(piece);
    left -= piece.length;
    yield piece;
  }
  if (left > 0) throw cut();
  const actual = hash.digest('hex');
  if (actual === sha256) return;
  const what = isPinPart(name) ? 'a compiled workflow' : 'a segment of the log';
  const message = `${name}, ${what}, has changed since the bundle was made`;
  throw refused(message, 'BUNDLE_INTEGRITY_FAILED', { expected: sha256, actual });
}

async function takePadding(archive: ByteReader, size: number): Promise<void> {
  const wanted = (block - (size % block)) % block;
  await takeZeros(archive, wanted);
}

async function takeEnd(archive: ByteReader, { parts }: Manifest): Promise<void> {
  const header = await nextHeader(archive);
  if (header !== undefined)
    throw unpromised(
      header.name,
      parts.some(({ name }) => name === header.name),
    );
  await takeZeros(archive, block);
  // Past the last byte stand the check sums of gzip and the seal, which are looked at only when somebody asks for more.
  if ((await archive.take(1)).length > 0) throw refused('unexpected data after the last part');
}

async function takeZeros(archive: ByteReader, wanted: number): Promise<void> {
  const bytes = await archive.take(wanted);
  if (bytes.length < wanted) throw cut();
  if (bytes.some((byte) => byte !== 0)) throw refused('unexpected data between the parts');
}
