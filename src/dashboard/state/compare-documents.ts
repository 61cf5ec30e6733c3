import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { alignArrays, idOf } from '../../base/patch/align-arrays.js';
import { isArray, pointerTo } from '../../base/patch/json-pointer.js';
import { sameJson } from '../../base/patch/same-json.js';

/** What became of a part from one document to the other; `within` where something inside of it differs. */
export type PartChange = 'same' | 'within' | 'added' | 'removed' | 'changed';

type Way = readonly (string | number)[];

/** A part of two documents at once. */
export interface Part {
  /** Its name, or its index: in the second document, and of what was removed in the first. */
  readonly key: string | number | undefined;
  readonly pointer: string;
  readonly change: PartChange;
  readonly value: JsonValue;
  /** What it was, where it is something else now. */
  readonly before?: JsonValue;
  /** Only of `within`: those of the second document, and each that was removed behind the one that it stood behind. */
  readonly parts?: readonly Part[];
}

/** Two documents as one; without a first one nothing differs. */
export function compareDocuments(before: JsonValue | undefined, after: JsonValue): Part {
  return before === undefined ? part([], 'same', after) : compareAt([], before, after);
}

function part(way: Way, change: PartChange, value: JsonValue): Part {
  return { key: way.at(-1), pointer: pointerTo(way), change, value };
}

function compareAt(way: Way, before: JsonValue, after: JsonValue): Part {
  if (sameJson(before, after)) return part(way, 'same', after);
  const parts = partsBetween(way, before, after);
  return parts === undefined ? { ...part(way, 'changed', after), before } : { ...part(way, 'within', after), parts };
}

function partsBetween(way: Way, before: JsonValue, after: JsonValue): readonly Part[] | undefined {
  if (isArray(before)) return isArray(after) ? betweenArrays(way, before, after) : undefined;
  return isJsonObject(before) && isJsonObject(after) ? betweenObjects(way, before, after) : undefined;
}

function betweenObjects(way: Way, before: JsonObject, after: JsonObject): readonly Part[] {
  const removedBehind = new Map<string | undefined, Part[]>();
  let last: string | undefined;
  for (const [name, value] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) last = name;
    else removedBehind.set(last, [...(removedBehind.get(last) ?? []), part([...way, name], 'removed', value)]);
  }
  const parts = [...(removedBehind.get(undefined) ?? [])];
  for (const [name, value] of Object.entries(after)) {
    const old = own(before, name);
    parts.push(old === undefined ? part([...way, name], 'added', value) : compareAt([...way, name], old, value));
    parts.push(...(removedBehind.get(name) ?? []));
  }
  return parts;
}

function betweenArrays(way: Way, before: readonly JsonValue[], after: readonly JsonValue[]): readonly Part[] {
  const parts: Part[] = [];
  let [from, at] = [0, 0];
  for (const kept of [...alignArrays(before, after), undefined]) {
    const [untilFrom, untilAt] = kept === undefined ? [before.length, after.length] : [kept.before, kept.after];
    for (; from < untilFrom && at < untilAt; [from, at] = [from + 1, at + 1]) {
      const [one, other] = [before[from]!, after[at]!];
      // An element with another `id` is another element.
      if (idOf(one) === idOf(other)) parts.push(compareAt([...way, at], one, other));
      else parts.push(part([...way, from], 'removed', one), part([...way, at], 'added', other));
    }
    for (; from < untilFrom; from += 1) parts.push(part([...way, from], 'removed', before[from]!));
    for (; at < untilAt; at += 1) parts.push(part([...way, at], 'added', after[at]!));
    if (kept !== undefined) parts.push(compareAt([...way, at], before[from]!, after[at]!));
    [from, at] = [from + 1, at + 1];
  }
  return parts;
}

/** How many parts were added, changed and removed; what lies inside of one is not counted again. */
export function countChanges(whole: Part): {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
} {
  const counts = { added: 0, changed: 0, removed: 0 };
  const open = [whole];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.change === 'within') open.push(...(next.parts ?? []));
    else if (next.change !== 'same') counts[next.change] += 1;
  }
  return counts;
}
