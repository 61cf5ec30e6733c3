import { z } from 'zod';
import { canonicalJson } from '../base/canonical-json.js';
import { sha256Hex } from '../base/digest.js';
import { safeParse } from '../base/safe-parse.js';
import { idPatterns, type OriginId, type SessionId } from '../base/ids.js';
import { isJsonObject, nestingDepth } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import type { BundleProblem } from './bundle-problem.js';

/** Version of the bundle format this program writes. */
export const bundleSchemaVersion = 1;
export const manifestName = 'manifest.json';

const pinName = new RegExp(`^pins/${idPatterns.workflowHash.source.slice(1, -1)}\\.json$`, 'u');
const segmentName = new RegExp(`^segments/[0-9]{6,15}-${idPatterns.writer.source.slice(1, -1)}\\.ndjson$`, 'u');

export const isPartName = (name: string): boolean => pinName.test(name) || segmentName.test(name);

const count = z.number().int().min(0);
const part = z.strictObject({
  name: z.string().refine(isPartName, 'expected pins/<hash>.json or segments/<name>.ndjson'),
  size: count.min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});

const manifestSchema = z.strictObject({
  bundleSchemaVersion: z.literal(bundleSchemaVersion),
  product: z.literal('workrail'),
  producer: z.string().max(64),
  /** The id the session was made under: every segment names it. */
  origin: z.string().regex(idPatterns.session),
  /** The id it was exported under. */
  sessionId: z.string().regex(idPatterns.session),
  key: z.string().exactOptional(),
  title: z.string().exactOptional(),
  counts: z.strictObject({ lines: count.min(1), runs: count, segments: count.min(1), pins: count, bytes: count }),
  parts: z.array(part).min(1).max(limits.bundleParts),
});

export type BundlePart = Readonly<z.infer<typeof part>>;
/** What a bundle says of itself. No time, no path, no machine: the same session has the same manifest. */
export type Manifest = Readonly<Omit<z.infer<typeof manifestSchema>, 'origin' | 'sessionId'>> & {
  readonly origin: OriginId;
  readonly sessionId: SessionId;
};

export const isPinPart = (name: string): boolean => pinName.test(name);

/** Pins before segments, each by name. */
export function compareParts(a: Pick<BundlePart, 'name'>, b: Pick<BundlePart, 'name'>): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

export function manifestText(manifest: Manifest): string {
  return canonicalJson(manifest);
}

/** The digest of the manifest is the bundle's id, and with it that of everything in the bundle. */
export function bundleId(text: string): string {
  return sha256Hex(text);
}

/** Bytes of the tar stream that a manifest promises, to the last: anything more or less is not the bundle. */
export function expandedSize(manifestBytes: number, parts: readonly Pick<BundlePart, 'size'>[]): number {
  const entry = (size: number): number => 512 + Math.ceil(size / 512) * 512;
  return parts.reduce((sum, { size }) => sum + entry(size), entry(manifestBytes)) + 1024;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readManifest(
  bytes: Uint8Array,
): Result<{ readonly manifest: Manifest; readonly id: string }, BundleProblem> {
  const wrong = (message: string): Result<never, BundleProblem> =>
    err({ code: 'BUNDLE_INVALID_FORMAT', part: manifestName, message });
  let text: string;
  let value: unknown;
  try {
    text = strictUtf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return wrong('the manifest is not JSON');
  }
  if (!isJsonObject(value) || nestingDepth(value, manifestDepth) > manifestDepth)
    return wrong('the manifest is not a JSON object, or is nested too deeply');
  if (value['product'] !== 'workrail')
    return wrong('the file was made by another product, or its manifest does not name one');
  const version = value['bundleSchemaVersion'];
  if (typeof version === 'number' && version > bundleSchemaVersion) {
    return err({
      code: 'BUNDLE_UNSUPPORTED_VERSION',
      part: manifestName,
      message: `the bundle has format ${version}, from a newer WorkRail; this one reads format ${bundleSchemaVersion}`,
      expected: String(bundleSchemaVersion),
      actual: String(version),
    });
  }
  const parsed = safeParse(manifestSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return wrong(`the manifest is wrong at /${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`);
  }
  // One text for one manifest: no key twice, none hidden behind another.
  if (canonicalJson(value) !== text) return wrong('the manifest is not in its canonical form');
  const manifest = parsed.data as Manifest;
  const inconsistent = inconsistency(manifest, bytes.length);
  return inconsistent === undefined ? ok({ manifest, id: bundleId(text) }) : wrong(inconsistent);
}

const manifestDepth = 8;

/** What one manifest says in two ways must be one thing. */
function inconsistency({ parts, counts }: Manifest, manifestBytes: number): string | undefined {
  const disordered = parts.findIndex((one, index) => index > 0 && compareParts(parts[index - 1]!, one) >= 0);
  if (disordered >= 0) return `the parts are not sorted, or ${parts[disordered]!.name} is listed twice`;
  const pins = parts.filter(({ name }) => isPinPart(name)).length;
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  if (counts.pins !== pins || counts.segments !== parts.length - pins || counts.bytes !== bytes)
    return 'the counts do not match the parts';
  const large = parts.find(({ size }) => size > limits.bundlePart);
  if (large !== undefined) return `${large.name} has ${large.size} bytes, which is over the limit for a part`;
  if (expandedSize(manifestBytes, parts) > limits.bundleExpanded)
    return `the bundle would expand to more than ${limits.bundleExpanded} bytes`;
  return undefined;
}
