import { unreachable } from '../base/assert.js';
import type { JsonValue } from '../base/json-value.js';
import { maskedSecret } from './masked-secret.js';
import { secretsInValue } from './secrets-in-value.js';
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
  return Object.entries(writtenByCallers(event)).flatMap(([field, value]) =>
    value === undefined ? [] : secretsInValue(value, `/${field}`),
  );
}

/** The fields of an event's data that hold what somebody wrote; the rest is the engine's own, or the workflow author's. */
function writtenByCallers(event: Event): { readonly [field: string]: JsonValue | undefined } {
  switch (event.kind) {
    case 'session_started': {
      const { key, title, tags } = event.data;
      return { key, title, tags };
    }
    case 'session_labelled': {
      const { title, tags } = event.data;
      return { title, tags };
    }
    case 'run_started': {
      const { inputs, context, gaps } = event.data;
      return plain({ inputs, context, gaps });
    }
    case 'step_acked':
    case 'step_blocked': {
      const { output, context, gaps } = event.data;
      return plain({ output, context, gaps, ...('entered' in event.data && { entered: event.data.entered }) });
    }
    case 'checkpoint': {
      const { output, gaps, late } = event.data;
      return plain({ output, gaps, late });
    }
    case 'note_added':
      return { text: event.data.text };
    case 'observation':
    case 'preferences_changed':
    case 'lines_withdrawn':
      return {};
    default:
      return unreachable(event);
  }
}

/** Events are JSON; their types say more about them than a value's does. */
const plain = (fields: object): { readonly [field: string]: JsonValue | undefined } =>
  fields as { readonly [field: string]: JsonValue | undefined };
