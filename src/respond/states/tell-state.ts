import type { JsonValue } from '../../base/json-value.js';
import type { StateAnswer, StateWrittenAnswer } from '../../contract/state-answers.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { headsOf, versionLabel } from '../../sessions/states/version-graph.js';

/** What is told of a state besides its value. */
export function tellState(
  session: FoldedSession,
  state: SharedState,
  version: Version,
  {
    sessionId,
    writeToken,
    warnings = [],
    most = Infinity,
  }: {
    readonly sessionId: string;
    readonly writeToken?: string;
    readonly warnings?: readonly string[];
    /** The most bytes that the document may have. */
    readonly most?: number;
  },
): Omit<StateWrittenAnswer, 'nextCall'> {
  const { schema, bytes } = version;
  const isNear = bytes > most / 2 && state.closed === undefined;
  const label = (id: string): string => {
    const one = session.versions.get(id as Version['id']);
    return one === undefined ? id : versionLabel(one);
  };
  return {
    kind: 'state',
    state_id: state.id,
    schema_id: schema.id,
    schema_name: schema.name,
    schema_version: schema.version,
    root_session_id: sessionId,
    root_session_name: session.key ?? session.title ?? sessionId,
    version: version.depth,
    etag: versionLabel(version),
    status: state.closed === undefined ? 'open' : 'closed',
    bytes: version.bytes,
    conflicts: [...state.conflicts.keys()].map(label),
    created_at: state.created.at,
    updated_at: version.at,
    ...(writeToken !== undefined && { writeToken }),
    warnings: [
      ...warnings,
      ...(isNear ? [`it has ${bytes.toLocaleString('en')} of at most ${most.toLocaleString('en')} bytes`] : []),
      ...besides(session, state),
    ],
  };
}

/** What clones have made beside it, which nobody sees who is shown one of them. */
function besides({ states, versions }: FoldedSession, state: SharedState): readonly string[] {
  if (state.closed !== undefined) return [];
  const others = headsOf(state, versions).slice(1).map(versionLabel);
  const twins = [...states.values()].filter(
    ({ id, closed, created }) => id !== state.id && closed === undefined && created.data.from === undefined,
  );
  const isFork = state.created.data.from !== undefined;
  return [
    ...(others.length === 0 ? [] : [`written at the same time: ${others.join(', ')}; the next write merges it`]),
    ...(isFork || twins.length === 0
      ? []
      : [`another state of this session is open: ${twins.map(({ id }) => id).join(', ')}; close one of them`]),
  ];
}

export const withValue = (
  told: ReturnType<typeof tellState>,
  value: JsonValue,
  path: string | undefined,
): StateAnswer => ({
  ...told,
  ...(path !== undefined && path !== '' && { path }),
  current_data: value,
});
