import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { JsonValue } from '../../src/base/json-value.js';
import type { Rejection } from '../../src/base/rejection.js';
import type { Result } from '../../src/base/result.js';
import { compareParts, type Manifest } from '../../src/bundles/manifest.js';
import { gzipHeader, sealOf } from '../../src/bundles/seal.js';
import type { BundleImported, SessionExported } from '../../src/contract/bundle-answers.js';
import type { Requests } from '../../src/requests/requests.js';

export async function exportOf(
  requests: Requests,
  session?: string,
  allowSecrets = true,
): Promise<Result<SessionExported & { readonly bytes: Buffer }, Rejection>> {
  const chunks: Uint8Array[] = [];
  const exported = await requests.people.exportSession({
    session,
    to: { write: (bytes) => Promise.resolve(void chunks.push(Buffer.from(bytes))) },
    replace: false,
    allowSecrets,
  });
  return exported.ok ? { ok: true, value: { ...exported.value, bytes: Buffer.concat(chunks) } } : exported;
}

export async function bundleOf(requests: Requests, session?: string): Promise<Buffer> {
  const exported = await exportOf(requests, session);
  if (!exported.ok) throw new Error(`${exported.error.code}: ${exported.error.message}`);
  return exported.value.bytes;
}

export function importOf(
  requests: Requests,
  bytes: Buffer,
  merge = false,
  pieces = 5000,
): Promise<Result<BundleImported, Rejection>> {
  return requests.people.importBundle({ bytes: inPieces(bytes, pieces), size: bytes.length, merge });
}

export async function importedOf(requests: Requests, bytes: Buffer, merge = false): Promise<BundleImported> {
  const imported = await importOf(requests, bytes, merge);
  if (!imported.ok) throw new Error(`${imported.error.code}: ${imported.error.message}`);
  return imported.value;
}

export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Everything below a folder: names, kinds and contents. */
export function treeOf(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return ['nothing'];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isFile()) return `${name} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
      return stat.isSymbolicLink() ? `${name} -> ${readlinkSync(path)}` : `${name}/`;
    });
}

export type Parts = Map<string, Buffer>;

/** What is in a bundle, as any tar would unpack it. */
export async function unpacked(bundle: Buffer): Promise<{ readonly manifest: Manifest; readonly parts: Parts }> {
  const parts: Parts = new Map();
  const archive = extract();
  archive.end(gunzipSync(bundle));
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    parts.set(entry.header.name, Buffer.concat(chunks));
  }
  const manifest = JSON.parse(parts.get('manifest.json')!.toString('utf8')) as Manifest;
  parts.delete('manifest.json');
  return { manifest, parts };
}

/** A bundle as somebody makes it who knows the format: every digest is right, whatever the parts are. */
export async function forged(manifest: Manifest, parts: Parts, over: Partial<Manifest> = {}): Promise<Buffer> {
  const listed = [...parts]
    .map(([name, bytes]) => ({ name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }))
    .toSorted(compareParts);
  const pins = listed.filter(({ name }) => name.startsWith('pins/')).length;
  const counts = {
    ...manifest.counts,
    pins,
    segments: listed.length - pins,
    bytes: listed.reduce((sum, { size }) => sum + size, 0),
  };
  const archive = pack();
  const entry = (name: string, bytes: Buffer): void =>
    void archive.entry({ name, mtime: new Date(0), mode: 0o644 }, bytes);
  entry(
    'manifest.json',
    Buffer.from(canonicalJson({ ...manifest, counts, parts: listed, ...over } as Manifest & JsonValue)),
  );
  for (const { name } of listed) entry(name, parts.get(name)!);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  const member = gzipSync(Buffer.concat(chunks), { level: 4 });
  gzipHeader.copy(member);
  return Buffer.concat([member, sealOf(createHash('sha256').update(member).digest())]);
}
