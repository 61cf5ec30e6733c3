import { byteLength } from '../../base/byte-budget.js';
import type { StateId, VersionId } from '../../base/ids.js';
import type { Event } from '../../events/event.js';
import type { Made, SharedState, Version, Versions, WithStates } from './shared-state.js';

export function foldStateCreated({ states, versions }: WithStates, event: Event<'state_created'>): void {
  const { state: id, version, schema, bytes } = event.data;
  if (states.has(id) || versions.has(version)) return;
  const { at, who } = event;
  states.set(id, {
    id,
    created: event,
    leaves: new Set([version]),
    recent: new Map(),
    recentBytes: 0,
    conflicts: new Map(),
    settled: [],
    refused: [],
    waived: [],
    lastAt: at,
  });
  const first = { from: undefined, merged: [], depth: 1, mode: 'create', whole: true, conflicts: [] } as const;
  versions.set(version, {
    id: version,
    state: id,
    ...first,
    at,
    position: positionOf(event),
    who,
    bytes,
    since: 0,
    schema,
  });
}

export function foldStateChanged(session: WithStates, event: Event<'state_changed'>): void {
  const { versions } = session;
  const { state: id, version, from, merged = [], mode, ops, bytes, conflicts = [], schema } = event.data;
  const state = session.states.get(id);
  if (state === undefined || versions.has(version)) return;
  const parents = [from, ...merged].map((one) => versions.get(one)).filter((one) => one?.state === id);
  const before = parents[0]?.id === from ? parents[0] : undefined;
  const opsBytes = byteLength(JSON.stringify(ops));
  const whole = parents.length === merged.length + 1 && parents.every((one) => one?.whole === true);
  versions.set(version, {
    id: version,
    state: id,
    from,
    merged,
    // Whatever a line says: a version stands above those that it is made from, so that every walk ends.
    depth: Math.max(event.data.depth, 1 + Math.max(0, ...parents.map((one) => one?.depth ?? 0))),
    mode,
    whole,
    at: event.at,
    position: positionOf(event),
    who: event.who,
    ...(event.node !== undefined && { node: event.node }),
    bytes,
    since: (before?.since ?? 0) + opsBytes,
    schema: schema ?? before?.schema ?? state.created.data.schema,
    conflicts,
  });
  touched(state, event);
  if (!whole) return;
  for (const one of parents) if (one !== undefined) state.leaves.delete(one.id);
  state.leaves.add(version);
  remember(state, version, { ops, bytes: opsBytes });
  for (const one of conflicts) state.conflicts.set(one, version);
}

/** From here on nobody needs what came before, to know what comes after. */
export function foldStateKept(session: WithStates, event: Event<'state_kept'>): void {
  const { state: id, version: of, value } = event.data;
  const state = session.states.get(id);
  const version = session.versions.get(of);
  if (state === undefined || version?.state !== id || !version.whole) return;
  version.since = 0;
  const made = state.recent.get(of);
  // Two clones that merge the same keep the same value: by the second line nobody may need it any more.
  if (made?.value !== undefined || (made === undefined && version.mode !== 'create')) return;
  remember(state, of, { ...made, value, bytes: (made?.bytes ?? 0) + 2 * version.bytes });
  forget(state, session.versions, version.from);
}

/** What is only needed for versions that are no leaves: another leaf may stand on some of it. */
function forget(state: SharedState, versions: Versions, from: VersionId | undefined): void {
  const needed = new Set<VersionId>();
  for (const leaf of state.leaves) {
    let at: VersionId | undefined = leaf;
    while (at !== undefined && !needed.has(at)) {
      needed.add(at);
      const made = state.recent.get(at);
      if (made?.value !== undefined || made === undefined) break;
      at = versions.get(at)?.from;
    }
  }
  for (let at = from; at !== undefined && state.recent.has(at) && !needed.has(at); at = versions.get(at)?.from)
    drop(state, at);
}

function remember(state: SharedState, version: VersionId, made: Made): void {
  drop(state, version);
  state.recent.set(version, made);
  state.recentBytes += made.bytes;
}

function drop(state: SharedState, version: VersionId): void {
  state.recentBytes -= state.recent.get(version)?.bytes ?? 0;
  state.recent.delete(version);
}

export const foldStateSettled = (session: WithStates, event: Event<'state_settled'>): void =>
  onState(session, event, (state) => {
    state.conflicts.delete(event.data.conflict);
    state.settled.push(event);
  });

export const foldStateRefused = (session: WithStates, event: Event<'state_refused'>): void =>
  onState(session, event, ({ refused }) => refused.push(event));

export const foldStateWaived = (session: WithStates, event: Event<'state_waived'>): void =>
  onState(session, event, ({ waived }) => waived.push(event));

export const foldStateClosed = (session: WithStates, event: Event<'state_closed'>): void =>
  onState(session, event, (state) => {
    state.closed ??= event;
  });

function onState(
  { states }: WithStates,
  event: Event & { readonly data: { readonly state: StateId } },
  record: (state: SharedState) => unknown,
): void {
  const state = states.get(event.data.state);
  if (state === undefined) return;
  record(state);
  touched(state, event);
}

function touched(state: SharedState, { at }: Event): void {
  if (at > state.lastAt) state.lastAt = at;
}

const positionOf = ({ seq, by, sum }: Event): Version['position'] => ({ seq, by, sum });
