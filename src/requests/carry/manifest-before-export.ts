import { command } from '../../base/sentence.js';
import { byteLength } from '../../base/byte-budget.js';
import type { OriginId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import {
  type BundlePart,
  bundleSchemaVersion,
  compareParts,
  expandedSize,
  type Manifest,
  manifestText,
} from '../../bundles/manifest.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from '../world/environment.js';
import { findingText } from '../world/log-rejections.js';
import { type LookedThrough, sizeOf } from './look-through.js';

/** What the bundle will be: the segments and the pins that their runs name. A pin that is gone comes back from the library where it can. */
export async function manifestBeforeExport(
  env: Environment,
  ref: SessionRef,
  { survey, gathered }: LookedThrough,
): Promise<Result<Manifest, Rejection>> {
  const pins: BundlePart[] = [];
  const log = env.store.open(ref);
  for (const hash of gathered.pins) {
    const name = `pins/${hash}.json`;
    const workflow = await env.pinned.of(log, hash);
    const pin = await log.pin(hash);
    if (!workflow.ok || !pin.ok) {
      const finding = workflow.ok ? (pin.ok ? undefined : pin.finding) : workflow.error;
      const missing = finding?.level === 'incomplete';
      return err({
        code: missing ? 'BUNDLE_MISSING_PIN' : 'SESSION_DAMAGED',
        message: `${ref.id} cannot be exported: ${finding === undefined ? name : findingText(finding)}`,
        action: finding?.remedy ?? ['list its problems: ', command('doctor', ref.id)],
        context: { sessionId: ref.id, part: name },
      });
    }
    pins.push({ name, size: byteLength(pin.text), sha256: hash });
  }
  const parts = [
    ...pins,
    ...survey.segments.map(({ name, size, sha256 }): BundlePart => ({ name, size, sha256 })),
  ].toSorted(compareParts);
  const { lines, runs, key, title } = gathered;
  const manifest: Manifest = {
    bundleSchemaVersion,
    product: 'workrail',
    producer: env.version,
    origin: survey.origin ?? (ref.id as string as OriginId),
    sessionId: ref.id,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    counts: {
      lines,
      runs,
      segments: survey.segments.length,
      pins: pins.length,
      bytes: sizeOf(parts),
    },
    parts,
  };
  const large = tooLarge(manifest);
  if (large === undefined) return ok(manifest);
  return err({
    code: 'LIMIT_EXCEEDED',
    message: `${ref.id} is too large for a bundle: ${large}`,
    action: 'copy its folder instead, or share it through git',
    context: { sessionId: ref.id },
  });
}

/** What is exported can be imported: both keep to the same limits. */
function tooLarge(manifest: Manifest): string | undefined {
  const { parts } = manifest;
  const large = parts.find(({ size }) => size > limits.bundlePart);
  if (large !== undefined) return `${large.name} has ${large.size} bytes, but the limit is ${limits.bundlePart}`;
  if (parts.length > limits.bundleParts) return `it has ${parts.length} files, but the limit is ${limits.bundleParts}`;
  const size = expandedSize(byteLength(manifestText(manifest)), parts);
  return size > limits.bundleExpanded ? `it has ${size} bytes, but the limit is ${limits.bundleExpanded}` : undefined;
}
