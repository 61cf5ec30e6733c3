import type { JsonValue } from '../../base/json-value.js';
import type { JsonPatch } from '../../base/patch/json-patch.js';
import { type JsonPointer, parsePointer, pointersTouch } from '../../base/patch/json-pointer.js';
import { asPatch } from '../../sessions/states/state-document.js';
import { isChange, type SharedState, type Version } from '../../sessions/states/shared-state.js';

/** The first of some changes that gets in the way of operations: one is made around, or beside in one array, what the other is made at. */
export function touchingChange(
  { recent }: SharedState,
  value: JsonValue,
  ops: JsonPatch,
  others: readonly Version[],
): Version | undefined {
  const ours = placesChanged(ops);
  return others.find((other) => {
    if (!isChange(other)) return false;
    const made = recent.get(other.id);
    // What is not in memory any more may have changed anything.
    return made?.ops === undefined || touch(value, ours, placesChanged(asPatch(made.ops)));
  });
}

export const touch = (value: JsonValue, ours: readonly JsonPointer[], theirs: readonly JsonPointer[]): boolean =>
  ours.some((one) => theirs.some((other) => pointersTouch(value, one, other)));

/** Where operations change something, and what they rest on: a check, or what is copied. */
export function placesChanged(ops: JsonPatch): readonly JsonPointer[] {
  return ops.flatMap((operation) => {
    const at = 'from' in operation ? [operation.from, operation.path] : [operation.path];
    return at.flatMap((text) => {
      const pointer = parsePointer(text);
      return pointer.ok ? [pointer.value] : [];
    });
  });
}
