import type { JsonObject } from '../base/json-value.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { NextCall } from '../base/rejection.js';
import type { schemaTold, stateTold } from './states-told.js';

/** A shared state, under the names that clients of states share. */
export interface StateAnswer extends Omit<ReadonlyOutput<typeof stateTold>, 'nextCall' | 'overwrote'> {
  readonly nextCall?: NextCall;
}

/** What came of a write. */
export interface StateWrittenAnswer extends Omit<StateAnswer, 'current_data' | 'path'> {
  /** Versions of others that it was written over, or beside. */
  readonly since?: readonly string[];
  /** It was written before, or changes nothing. */
  readonly unchanged?: 'already written' | 'no difference';
}

export interface SchemaAnswer extends Omit<ReadonlyOutput<typeof schemaTold>, 'json_schema' | 'isNew' | 'path'> {
  readonly json_schema: JsonObject | boolean;
}
