import type { NodeId, StateId, VersionId } from '../../base/ids.js';
import type { InPlace } from '../../base/in-place.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import type { EventData } from '../../events/event-data.js';
import type { Event, EventPosition, Who } from '../../events/event.js';
import type { StateSchema } from '../../events/state-events.js';

/** One document that the agents of a session share, as its events leave it. Its values are made from it when they are asked for. */
export interface SharedState extends InPlace {
  readonly id: StateId;
  readonly created: Event<'state_created'>;
  /** Versions that no other is made from. More than one where clones wrote at the same time, until they are merged. */
  leaves: Set<VersionId>;
  /** What values near the leaves are made of; older ones are read from the log. */
  readonly recent: Map<VersionId, Made>;
  /** Bytes of all that in memory. */
  recentBytes: number;
  /** Changes that a merge could not apply, and nobody has settled. */
  readonly conflicts: Map<VersionId, VersionId>;
  readonly settled: Event<'state_settled'>[];
  readonly refused: Event<'state_refused'>[];
  readonly waived: Event<'state_waived'>[];
  closed?: Event<'state_closed'>;
  lastAt: string;
}

/** What a value is made of: operations on the value of the version before it, and now and then the value as it stands. */
export interface Made {
  readonly ops?: readonly JsonObject[];
  readonly value?: JsonValue;
  /** In memory: a whole value counts twice, as it was kept and as it is made of it in place. */
  readonly bytes: number;
}

export interface Version extends InPlace {
  readonly id: VersionId;
  readonly state: StateId;
  readonly from: VersionId | undefined;
  readonly merged: readonly VersionId[];
  /** How many changes are in it: the number that people know it by. */
  readonly depth: number;
  readonly mode: 'create' | EventData<'state_changed'>['mode'];
  /** False when a version before it is not on disk. */
  readonly whole: boolean;
  readonly at: string;
  readonly position: EventPosition;
  readonly who: Who | undefined;
  /** Where the step stood that put it there. */
  readonly node?: NodeId;
  /** Of the whole value, as JSON. */
  readonly bytes: number;
  /** Of all operations since the whole value that was kept last. */
  since: number;
  readonly schema: StateSchema;
  readonly conflicts: readonly VersionId[];
}

/** A change of its own: a merge only brings changes together that others made. */
export const isChange = ({ mode }: Pick<Version, 'mode'>): boolean => mode !== 'merge';

export type Versions = Map<VersionId, Version>;

/** Of a session: the documents that its agents share. */
export interface WithStates {
  states: Map<StateId, SharedState>;
  versions: Versions;
}
