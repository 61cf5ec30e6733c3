import { grown } from '../base/grown-list.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { patched } from '../base/patched.js';
import type { Collected } from '../engine/collected-lists.js';
import type { ContextChange } from '../engine/taken-keys.js';
import type { EventData } from '../events/event-data.js';
import { contextBytes, grownBytes } from '../sessions/context-bytes.js';

export function changed(context: JsonObject, { set, added }: ContextChange): JsonObject {
  const lists = Object.entries(added).map(([key, more]): [string, JsonValue] => [key, grown(own(context, key), more)]);
  return patched(context, { ...set, ...Object.fromEntries(lists) });
}

export const changedBytes = (before: number, context: JsonObject, { set, added }: ContextChange): number =>
  grownBytes(contextBytes(before, context, set), context, added);

export const withCollected = ({ set, added }: ContextChange, collected: Collected): ContextChange => ({
  set: { ...set, ...collected.anew },
  added: { ...added, ...collected.added },
});

/** As an event keeps it: what is empty is not said. */
export function recordedChange({ set, added }: ContextChange): Pick<EventData<'step_acked'>, 'context' | 'added'> {
  return {
    ...(Object.keys(set).length > 0 && { context: set }),
    ...(Object.keys(added).length > 0 && { added }),
  };
}
