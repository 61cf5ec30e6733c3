import { defined } from '../../base/defined.js';
import type { Manifest } from '../../bundles/manifest.js';
import type { BundleContent } from '../../contract/bundle-answers.js';

export function bundleContent({ sessionId, key, title, producer, counts }: Manifest, bundleId: string): BundleContent {
  const { lines, runs, segments, pins, bytes } = counts;
  const told = { bundleId, exportedAs: sessionId, key, title, producer, lines, runs, segments, pins, bytes };
  return defined<BundleContent>(told);
}
