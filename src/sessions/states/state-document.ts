import type { VersionId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { type LiveDocument, openDocument } from '../../base/patch/live-document.js';
import type { Made, SharedState, Version, WithStates } from './shared-state.js';

interface Standing {
  readonly version: VersionId;
  readonly document: LiveDocument;
}

/** The newest value of each state that was asked for: a later one is made of it in place. */
const standing = new WeakMap<SharedState, Standing>();

/**
 * The value of a version, good until the next wait; whoever changes it undoes that before. Undefined where it is older
 * than what is kept in memory: the log has it.
 */
export function documentOf(
  { versions }: Pick<WithStates, 'versions'>,
  state: SharedState,
  version: Version,
): LiveDocument | undefined {
  const known = standing.get(state);
  const way: Made[] = [];
  for (let at: Version | undefined = version; at !== undefined; at = at.from && versions.get(at.from)) {
    if (known?.version === at.id) return stand(state, version, replayed(known.document, way));
    const made = state.recent.get(at.id);
    if (made === undefined) return undefined;
    if (made.value !== undefined) {
      const opened = openDocument(made.value);
      if (!opened.ok) return undefined;
      const document = replayed(opened.value, way);
      // Who looks back does not take away what those at the head go on with.
      return known === undefined || isNewer(versions.get(known.version), version)
        ? stand(state, version, document)
        : document;
    }
    way.unshift(made);
  }
  return undefined;
}

function stand(state: SharedState, { id }: Version, document: LiveDocument): LiveDocument {
  standing.set(state, { version: id, document });
  return document;
}

const isNewer = (known: Version | undefined, { depth }: Version): boolean =>
  known === undefined || known.depth <= depth;

/** What was recorded, done again. Something may have been taken out of it since: what does not fit any more is passed over. */
export function replayed(document: LiveDocument, way: readonly Pick<Made, 'ops'>[]): LiveDocument {
  for (const { ops = [] } of way) {
    if (applyPatch(document, asPatch(ops), { replay: true }).ok) continue;
    for (const operation of asPatch(ops)) applyPatch(document, [operation], { replay: true });
  }
  return document;
}

/** Operations as a line has them: they were read as such before they were written. */
export const asPatch = (ops: readonly JsonObject[]): JsonPatch => ops as readonly object[] as JsonPatch;
