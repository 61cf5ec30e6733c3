import type { JsonValue } from '../base/json-value.js';
import { maskedSecret } from './masked-secret.js';
import { secretsInValue } from './secrets-in-value.js';
import type { EventData, EventKind } from '../events/event-data.js';
import type { Event } from '../events/event.js';

export interface FoundSecret {
  /** What it seems to be, with its article: `an AWS access key`. */
  readonly name: string;
  /** JSON pointer into the event's data. */
  readonly pointer: string;
  /** Its beginning; never the whole of it. */
  readonly sample: string;
}

/** What looks like a credential in what callers wrote into an event. */
export function secretsIn(event: Event): readonly FoundSecret[] {
  return leaksIn(event).map(({ name, pointer, text }) => ({ name, pointer, sample: maskedSecret(text) }));
}

/** The same with the secrets themselves, for whoever takes them out. Nothing of it may be shown. */
export function leaksIn(
  event: Event,
): readonly { readonly name: string; readonly pointer: string; readonly text: string }[] {
  const data = event.data as { readonly [field: string]: unknown };
  return writtenByCallers[event.kind].flatMap((field) =>
    data[field] === undefined ? [] : secretsInValue(data[field] as JsonValue, `/${field}`),
  );
}

/** The fields of an event's data that hold what somebody wrote; the rest is the engine's own, or the workflow author's. */
const writtenByCallers: { readonly [K in EventKind]: readonly (keyof EventData<K> & string)[] } = {
  session_started: ['key', 'title', 'tags'],
  session_labelled: ['title', 'tags'],
  run_started: ['inputs', 'context', 'gaps'],
  step_acked: ['output', 'context', 'gaps', 'entered'],
  step_blocked: ['output', 'context', 'gaps'],
  checkpoint: ['output', 'gaps', 'late'],
  note_added: ['text'],
  observation: [],
  preferences_changed: [],
  lines_withdrawn: [],
};
