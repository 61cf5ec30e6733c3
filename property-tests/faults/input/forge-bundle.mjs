import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const block = 512;

/** Name and bytes of each file of a tar archive of plain files. */
function entriesOf(tar) {
  const entries = [];
  for (let at = 0; at + block <= tar.length && tar[at] !== 0;) {
    const field = (from, size) => tar.toString('latin1', at + from, at + from + size).replace(/\0.*$/su, '');
    const size = Number.parseInt(field(124, 12).trim(), 8);
    const front = field(345, 155);
    entries.push({
      name: front === '' ? field(0, 100) : `${front}/${field(0, 100)}`,
      bytes: tar.subarray(at + block, at + block + size),
    });
    at += block + Math.ceil(size / block) * block;
  }
  return entries;
}

/**
 * A bundle in which one part is something else, and everything that can be made right around it is: digests, sizes,
 * the pin's name, the seal. `part` is manifest, pins or segments.
 */
export async function forgeBundle(build, good, part, odd) {
  const load = (file) => import(pathToFileURL(join(build.folder, 'dist', 'bundles', file)).href);
  const [{ tarHeader }, { gzipHeader, sealOf }, { manifestText }] = await Promise.all(
    ['tar-header.js', 'seal.js', 'manifest.js'].map(load),
  );
  const [first, ...parts] = entriesOf(gunzipSync(good));
  const manifest = JSON.parse(first.bytes.toString('utf8'));
  const hit = parts.find(({ name }) => name.startsWith(`${part}/`));
  if (hit !== undefined) {
    hit.bytes = odd;
    if (part === 'pins') hit.name = `pins/${sha256(odd)}.json`;
    parts.sort((a, b) => (a.name < b.name ? -1 : 1));
    manifest.parts = parts.map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256(bytes) }));
    manifest.counts.bytes = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
  const files = [
    { name: first.name, bytes: part === 'manifest' ? odd : Buffer.from(manifestText(manifest)) },
    ...parts,
  ];
  const pieces = [];
  for (const { name, bytes } of files)
    pieces.push(await tarHeader(name, bytes.length), bytes, Buffer.alloc((block - (bytes.length % block)) % block));
  const tar = Buffer.concat([...pieces, Buffer.alloc(2 * block)]);
  const packed = gzipSync(tar);
  gzipHeader.copy(packed);
  return Buffer.concat([packed, sealOf(createHash('sha256').update(packed).digest())]);
}
