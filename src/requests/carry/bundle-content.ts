import type { Manifest } from '../../bundles/manifest.js';
import type { BundleContent } from '../../contract/bundle-answers.js';

export function bundleContent({ sessionId, key, title, producer, counts }: Manifest, bundleId: string): BundleContent {
  const { lines, runs, segments, pins, bytes } = counts;
  return {
    bundleId,
    exportedAs: sessionId,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    producer,
    lines,
    runs,
    segments,
    pins,
    bytes,
  };
}
