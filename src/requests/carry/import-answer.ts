import type { SessionId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Manifest } from '../../bundles/manifest.js';
import type { BundleRead } from '../../bundles/read-bundle.js';
import type { BundleImported } from '../../contract/bundle-answers.js';
import type { Staging } from '../../log/port/store-carry.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { bundleContent } from './bundle-content.js';
import type { VerifiedImport } from './verify-import.js';

/** A bundle that is verified and waits to be put in its place. */
export interface Incoming extends BundleRead {
  readonly verified: VerifiedImport;
  readonly staging: Staging;
}

export function importAnswer(
  outcome: BundleImported['outcome'],
  { id, place }: SessionRef,
  { manifest, id: bundleId, verified }: Incoming,
): BundleImported {
  return {
    outcome,
    sessionId: id,
    place: place.kind,
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
