import { byteLength } from '../byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { own } from '../own.js';
import { alignArrays, idOf } from './align-arrays.js';
import type { JsonPatch, PatchOperation } from './json-patch.js';
import { isArray, pointerTo } from './json-pointer.js';

/**
 * Operations that make one document of another, and speak only of what differs. Elements of arrays are followed by their
 * `id`, or by being equal. A part of which nothing stays is told as a whole where that is shorter, and one that would
 * take more operations than a patch may have. The values are those of `after`, and not copied.
 */
export function jsonDifference(before: JsonValue, after: JsonValue): JsonPatch {
  return differenceAt([], before, after);
}

type Path = readonly (string | number)[];

interface Inside {
  readonly operations: readonly PatchOperation[];
  /** Something in it stays what it was, or becomes something else bit by bit. */
  readonly keeps: boolean;
}

function differenceAt(path: Path, before: JsonValue, after: JsonValue): readonly PatchOperation[] {
  if (before === after) return [];
  const whole: PatchOperation = { op: 'replace', path: pointerTo(path), value: after };
  const inside = differenceInside(path, before, after);
  if (inside === undefined) return [whole];
  const { operations, keeps } = inside;
  if (operations.length < 2) return operations;
  const isTooLong = operations.length > limits.patchOperations || (!keeps && bytesOf(operations) > bytesOf([whole]));
  return isTooLong ? [whole] : operations;
}

const bytesOf = (operations: readonly PatchOperation[]): number => byteLength(JSON.stringify(operations));

/** Of two of a kind that have something inside. */
function differenceInside(path: Path, before: JsonValue, after: JsonValue): Inside | undefined {
  if (isArray(before)) return isArray(after) ? betweenArrays(path, before, after) : undefined;
  return isJsonObject(before) && isJsonObject(after) ? betweenObjects(path, before, after) : undefined;
}

/** What goes comes first, so that a document near its bound does not pass it on the way. */
function betweenObjects(path: Path, before: JsonObject, after: JsonObject): Inside {
  const operations: PatchOperation[] = [];
  let keeps = false;
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: pointerTo([...path, name]) });
  for (const [name, value] of Object.entries(after)) {
    const old = own(before, name);
    const inner: Path = [...path, name];
    if (old === undefined) {
      operations.push({ op: 'add', path: pointerTo(inner), value });
      continue;
    }
    const difference = differenceAt(inner, old, value);
    keeps ||= difference.length !== 1 || difference[0]!.path !== pointerTo(inner);
    for (const one of difference) operations.push(one);
  }
  return { operations, keeps };
}

/** From the first element to the last: what stands before `at` is as it shall be. */
function betweenArrays(path: Path, before: readonly JsonValue[], after: readonly JsonValue[]): Inside {
  const operations: PatchOperation[] = [];
  let [from, at] = [0, 0];
  const aligned = alignArrays(before, after);
  for (const kept of [...aligned, undefined]) {
    const [untilFrom, untilAt] = kept === undefined ? [before.length, after.length] : [kept.before, kept.after];
    // Between two elements that stay, those that were there become those that come, as far as there are as many.
    for (; from < untilFrom && at < untilAt; [from, at] = [from + 1, at + 1])
      for (const one of differenceOf([...path, at], before[from]!, after[at]!)) operations.push(one);
    for (; from < untilFrom; from += 1) operations.push({ op: 'remove', path: pointerTo([...path, at]) });
    for (; at < untilAt; at += 1) operations.push({ op: 'add', path: pointerTo([...path, at]), value: after[at]! });
    if (kept?.isEqual === false)
      for (const one of differenceAt([...path, at], before[from]!, after[at]!)) operations.push(one);
    [from, at] = [from + 1, at + 1];
  }
  return { operations, keeps: aligned.length > 0 };
}

/** An element with another `id` is another element. */
function differenceOf(path: Path, before: JsonValue, after: JsonValue): readonly PatchOperation[] {
  return idOf(before) === idOf(after)
    ? differenceAt(path, before, after)
    : [{ op: 'replace', path: pointerTo(path), value: after }];
}
