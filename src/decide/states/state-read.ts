import { byteLength } from '../../base/byte-budget.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { plainCopy } from '../../base/plain-copy.js';
import type { StateSeen } from '../../base/state-seen.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { stateTold } from '../../definitions/expand/state-told.js';
import type { StatePath } from '../../definitions/expression/state-reads.js';
import type { Way } from '../../engine/way.js';
import type { EventData } from '../../events/event-data.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { stateOfSession } from '../../sessions/states/state-of-session.js';
import { servedVersion } from '../../sessions/states/version-graph.js';

/** The shared state of a session at one version, as a copy that nobody changes. */
export interface StateNow {
  readonly state: SharedState;
  readonly version: Pick<Version, 'id'>;
  readonly value: JsonValue;
}

/** The newest version, where the workflow has anything to do with it. */
export function stateNow(session: FoldedSession, workflow: CompiledWorkflow): StateNow | undefined {
  if (!stateTold(workflow).uses) return undefined;
  const state = stateOfSession(session);
  const version = state && servedVersion(state, session.versions);
  const document = version && documentOf(session, state, version);
  return document && { state, version, value: plainCopy(document.value) };
}

export const seenOf = (now: Pick<StateNow, 'value'> | undefined): { readonly state?: StateSeen } =>
  now === undefined ? {} : { state: { value: now.value } };

/**
 * What is recorded of the shared state with the step that comes next: its version, and the parts that the step's texts
 * read. Whoever is told of the step again, here or in another clone, is told the same, whatever was written since.
 */
export function stateReadBy(
  workflow: CompiledWorkflow,
  { next }: Pick<Way, 'next'>,
  now: StateNow | undefined,
): Pick<EventData<'step_acked'>, 'read'> {
  const { bySteps, atEnd } = stateTold(workflow);
  const paths = next === undefined ? atEnd : (bySteps.get(next.id) ?? []);
  if (now === undefined || paths.length === 0) return {};
  const value = partsOf(now.value, paths);
  const isKept = byteLength(JSON.stringify(value)) <= limits.stateRead;
  return { read: { state: now.state.id, version: now.version.id, ...(isKept && { value }) } };
}

/** A value with nothing in it but what lies on some ways, none of which lies on another. A list is taken as a whole. */
function partsOf(value: JsonValue, paths: readonly StatePath[]): JsonValue {
  if (paths.some(({ length }) => length === 0) || !isJsonObject(value)) return value;
  const inside = new Map<string, StatePath[]>();
  for (const [key = '', ...rest] of paths) inside.set(key, [...(inside.get(key) ?? []), rest]);
  const parts: [string, JsonValue][] = [...inside].flatMap(([key, rest]) => {
    const part = own(value, key);
    return part === undefined ? [] : [[key, partsOf(part, rest)]];
  });
  return Object.fromEntries(parts);
}
