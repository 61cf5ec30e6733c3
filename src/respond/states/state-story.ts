import type { JsonValue } from '../../base/json-value.js';
import { plainCopy } from '../../base/plain-copy.js';
import { limits } from '../../base/limits.js';
import type { StateStory } from '../../contract/state-story.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { headsOf, versionLabel, versionsOf } from '../../sessions/states/version-graph.js';
import { tellVersion } from './tell-version.js';

/** The shared states of a session, in the order they were created. */
export const statesStory = (session: FoldedSession): readonly StateStory[] =>
  [...session.states.values()].flatMap((state) => storyOf(session, state) ?? []);

function storyOf(session: FoldedSession, state: SharedState): StateStory | undefined {
  const [served, ...unmerged] = headsOf(state, session.versions);
  if (served === undefined) return undefined;
  const all = versionsOf(session.versions, state.id);
  const shown = all.slice(0, limits.versionsReported);
  const document = served.bytes > limits.stateReported ? undefined : documentOf(session, state, served);
  const labelOf = (id: typeof served.id): string => {
    const one = session.versions.get(id);
    return one === undefined ? id : versionLabel(one);
  };
  const { from } = state.created.data;
  return {
    id: state.id,
    ...(from !== undefined && { forkedFrom: `${from.state} ${labelOf(from.version)}` }),
    schema: `${served.schema.name} ${served.schema.version}`,
    version: served.depth,
    etag: versionLabel(served),
    at: served.at,
    createdAt: state.created.at,
    bytes: served.bytes,
    ...(state.closed !== undefined && { closed: state.closed.data.reason }),
    conflicts: [...state.conflicts.keys()].map(labelOf),
    unmerged: unmerged.map(versionLabel),
    ...(document !== undefined && { document: plainCopy({ value: document.value }) as { readonly value: JsonValue } }),
    versions: shown.map((version) => tellVersion(session, state, version)),
    earlier: all.length - shown.length,
  };
}
