import type { SessionId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Manifest } from '../../bundles/manifest.js';
import type { BundleRead } from '../../bundles/read-bundle.js';
import type { BundleImported } from '../../contract/bundle-answers.js';
import type { Staging } from '../../log/carry/import-staging.js';
import type { SessionRef } from '../../log/store.js';
import { bundleContent } from './bundle-content.js';
import type { VerifiedImport } from './verify-import.js';

/** A bundle that is verified and waits to be put in its place. */
export interface Incoming extends BundleRead {
  readonly verified: VerifiedImport;
  readonly staging: Staging;
}

export function importAnswer(
  outcome: BundleImported['outcome'],
  { id, root }: SessionRef,
  { manifest, id: bundleId, verified }: Incoming,
): BundleImported {
  return {
    outcome,
    sessionId: id,
    place: root.kind,
    bundle: bundleContent(manifest, bundleId),
    resume: resumeArguments(id, manifest),
    warnings: verified.warnings,
  };
}

/** Words, where they lead to this session and no other. */
function resumeArguments(id: SessionId, { sessionId, key, title }: Manifest): JsonObject {
  const words = title ?? key;
  return id === sessionId && words !== undefined ? { query: words } : { sessionId: id };
}
