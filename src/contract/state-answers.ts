import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';

/** A shared state, under the names that clients of states share. */
export interface StateAnswer {
  readonly kind: 'state';
  readonly state_id: string;
  readonly schema_id: string;
  readonly schema_name: string;
  readonly schema_version: number;
  readonly root_session_id: string;
  readonly root_session_name: string;
  readonly version: number;
  readonly etag: string;
  readonly status: 'open' | 'closed';
  readonly path?: string;
  readonly current_data: JsonValue;
  /** Of the whole document, as JSON. */
  readonly bytes: number;
  /** Changes that a merge could not apply, by the label of their version. */
  readonly conflicts: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly writeToken?: string;
  readonly warnings: readonly string[];
  readonly nextCall?: NextCall;
}

/** What came of a write. */
export interface StateWrittenAnswer extends Omit<StateAnswer, 'current_data' | 'path'> {
  /** Versions of others that it was written over, or beside. */
  readonly since?: readonly string[];
  /** It was written before, or changes nothing. */
  readonly unchanged?: 'already written' | 'no difference';
}

export interface SchemaAnswer {
  readonly schema_id: string;
  readonly name: string;
  readonly version: number;
  readonly description?: string;
  readonly json_schema: JsonObject | boolean;
  readonly created_at?: string;
  readonly updated_at?: string;
}
