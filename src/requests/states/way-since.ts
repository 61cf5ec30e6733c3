import { limits } from '../../base/limits.js';
import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import type { StateUpdated } from '../../contract/state-messages.js';
import type { EventPosition } from '../../events/event.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { apart, versionLabel } from '../../sessions/states/version-graph.js';

/** One version to be told, as it was when it was looked at. */
export interface VersionStep {
  readonly id: VersionId;
  readonly told: Omit<StateUpdated, 'operations'>;
  /** Where the log goes on behind the version before it. */
  readonly after: EventPosition;
  /** Undefined where memory has let go of them. */
  readonly ops: readonly JsonObject[] | undefined;
}

/** From a version to the one that is served. */
export type WaySince =
  /** Each version of the way in its order, or the first of them. */
  | { readonly kind: 'steps'; readonly steps: readonly VersionStep[]; readonly isAll: boolean }
  /** Another clone's version is served: it does not stand on the one that was told. */
  | { readonly kind: 'aside'; readonly from: VersionId; readonly step: VersionStep }
  | { readonly kind: 'unknown' };

export function waySince(session: FoldedSession, state: SharedState, etag: string, served: Version): WaySince {
  const { versions } = session;
  const told = versions.get(etag.slice(etag.indexOf('-') + 1) as VersionId);
  if (told?.state !== state.id || versionLabel(told) !== etag || !told.whole) return { kind: 'unknown' };
  const chain: Version[] = [];
  let at: Version | undefined = served;
  while (at !== undefined && at.depth > told.depth) {
    chain.push(at);
    at = at.from && versions.get(at.from);
  }
  if (at?.id !== told.id) {
    const step = stepOf(session, state, { version: served, before: told });
    return { kind: 'aside', from: told.id, step };
  }
  const first = chain.toReversed().slice(0, limits.missedVersions);
  const steps = first.map((version, index) =>
    stepOf(session, state, { version, before: index === 0 ? told : first[index - 1]! }),
  );
  return { kind: 'steps', steps, isAll: first.length === chain.length };
}

function stepOf(
  session: FoldedSession,
  state: SharedState,
  { version, before }: { readonly version: Version; readonly before: Version },
): VersionStep {
  const { schema, who, at: timestamp, mode } = version;
  const isAside = version.from !== before.id;
  const brought = isAside || version.merged.length > 0 ? broughtBy(session, version, before) : [];
  return {
    id: version.id,
    after: { ...before.position },
    ops: isAside ? undefined : state.recent.get(version.id)?.ops,
    told: {
      event_type: 'workflow_state_updated',
      state_id: state.id,
      version: version.depth,
      etag: versionLabel(version),
      from: versionLabel(before),
      made: mode,
      ...(brought.length > 0 && { includes: brought }),
      ...(schema.id !== before.schema.id && { schema_name: schema.name, schema_version: schema.version }),
      ...whoDid(session, who, state.id),
      timestamp,
    },
  };
}

/** What is in a version, besides itself, and was not in the one before. */
function broughtBy({ versions }: FoldedSession, version: Version, before: Version): readonly string[] {
  const between = apart(versions, [version, before])?.between ?? [];
  return between
    .filter(({ version: one, parts }) => parts.has(0) && !parts.has(1) && one.id !== version.id)
    .slice(-limits.versionsIncluded)
    .map(({ version: one }) => versionLabel(one));
}

/** An agent by its name, else the session that all of them work for. */
export const whoDid = (
  { key, title }: FoldedSession,
  who: Version['who'],
  fallback: StateId,
): Pick<StateUpdated, 'updated_by_session' | 'door'> => ({
  updated_by_session: who?.agent ?? key ?? title ?? fallback,
  ...(who !== undefined && { door: who.door }),
});
