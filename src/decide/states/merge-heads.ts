import { digestOf } from '../../base/digest.js';
import type { VersionId } from '../../base/ids.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import type { JsonPointer } from '../../base/patch/json-pointer.js';
import type { LiveDocument } from '../../base/patch/live-document.js';
import { assert } from '../../base/assert.js';
import type { EventDraft } from '../../events/event.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { isChange, type SharedState, type Version } from '../../sessions/states/shared-state.js';
import { ancestryOf, apart, headsOf } from '../../sessions/states/version-graph.js';
import { type JudgedBy, newVersion } from './state-write.js';
import { placesChanged, touch } from './touching-change.js';

/** What a merge needs to know of versions that are not in memory any more. */
export interface MergeRead {
  /** The value of the greatest head, to be changed and put back. */
  readonly head: LiveDocument;
  /** What a change did, as operations on the version before it. */
  readonly opsOf: (change: Version) => JsonPatch;
}

export interface ToMerge {
  /** The greatest first. */
  readonly heads: readonly Version[];
  /** Changes that the greatest head lacks, in their order. */
  readonly missing: readonly Version[];
  /** Those that it has since the version that all heads stand on. */
  readonly theirs: readonly Version[];
  /** How many changes are in all of them together. */
  readonly depth: number;
  readonly wasThere: (one: Version, other: Version) => boolean;
}

/** Which changes the greatest head lacks, and nobody has set aside before. Nothing where there is one head. */
export function changesToMerge({ versions }: FoldedSession, state: SharedState): ToMerge | undefined {
  const heads = headsOf(state, versions);
  const ways = heads.length > 1 ? apart(versions, heads) : undefined;
  if (ways === undefined) return undefined;
  const aside = new Set(ways.between.flatMap(({ version }) => version.conflicts));
  const changes = ways.between.filter(({ version }) => isChange(version));
  const pick = (isTheirs: boolean): readonly Version[] =>
    changes.flatMap(({ version, parts }) => (parts.has(0) === isTheirs ? [version] : []));
  return {
    heads,
    missing: pick(false).filter(({ id }) => !aside.has(id)),
    theirs: pick(true),
    depth: ways.base.depth + changes.length,
    wasThere: ancestryOf(ways.between.map(({ version }) => version)),
  };
}

/**
 * Several heads become one. The greatest stands as it is, and what the others have changed is done to it in order, but for
 * what touches something that was changed otherwise meanwhile: that waits for somebody to settle it.
 */
export function mergeHeads(
  session: FoldedSession,
  state: SharedState,
  { head: document, opsOf }: MergeRead,
  { judge, who }: JudgedBy,
): readonly EventDraft[] {
  const found = changesToMerge(session, state);
  const [greatest, ...others] = found?.heads ?? [];
  assert(found !== undefined && greatest !== undefined, 'there are several heads');
  const all = taken(document, opsOf, found);
  const isRight = judge(greatest.schema, document.value).length === 0;
  // A document that its schema refuses is never served: then none of them is done, and each waits to be settled.
  if (!isRight) for (const { undo } of all.done.toReversed()) undo();
  const done = isRight ? all.done : [];
  const conflicts = isRight ? all.conflicts : found.missing.map(({ id }) => id);
  const ops = done.flatMap((one) => one.ops);
  // Two clones that merge the same make the same version of it.
  const version = digestOf({
    heads: found.heads.map(({ id }) => id).toSorted(),
    ops,
    conflicts,
  }).slice(0, 12) as VersionId;
  const events = newVersion(state, document, {
    version,
    from: greatest,
    mode: 'merge',
    ops,
    depth: found.depth,
    merged: others.map(({ id }) => id),
    conflicts,
    covers: [...state.leaves].filter((leaf) => found.heads.every(({ id }) => id !== leaf)),
    ...(who !== undefined && { who }),
  });
  for (const { undo } of done.toReversed()) undo();
  return events;
}

interface Taken {
  readonly done: readonly { readonly ops: JsonPatch; readonly undo: () => void }[];
  readonly conflicts: readonly VersionId[];
}

function taken(document: LiveDocument, opsOf: MergeRead['opsOf'], { missing, theirs, wasThere }: ToMerge): Taken {
  interface Placed {
    readonly version: Version;
    readonly places: readonly JsonPointer[];
  }
  const standing: Placed[] = theirs.map((version) => ({ version, places: placesChanged(opsOf(version)) }));
  const aside: Placed[] = [];
  const done: { readonly ops: JsonPatch; readonly undo: () => void }[] = [];
  for (const change of missing) {
    const ops = opsOf(change);
    const one = { version: change, places: placesChanged(ops) };
    const meets = (other: Placed): boolean => touch(document.value, one.places, other.places);
    // What a change was made on top of does not stand against it; what was set aside does.
    const against = [...standing.filter(({ version }) => !wasThere(version, change)), ...aside].some(meets);
    const applied = applyPatch(document, ops, { replay: true });
    if (!applied.ok) {
      aside.push(one);
    } else if (!applied.value.changed) {
      standing.push(one);
    } else if (against) {
      applied.value.undo();
      aside.push(one);
    } else {
      standing.push(one);
      done.push({ ops, undo: applied.value.undo });
    }
  }
  return { done, conflicts: aside.map(({ version }) => version.id) };
}
