import { canonicalJson } from '../canonical-json.js';
import { isJsonObject, type JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { own } from '../own.js';
import { sameJson } from './same-json.js';

/** The same element in two arrays, by its indexes. */
export interface AlignedPair {
  readonly before: number;
  readonly after: number;
  /** It is known to be equal; else it has the same `id`. */
  readonly isEqual: boolean;
}

/** Which elements of an array are still there in another, in their order: as many as can be, within a bound. */
export function alignArrays(before: readonly JsonValue[], after: readonly JsonValue[]): readonly AlignedPair[] {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && sameJson(before[head]!, after[head]!)) head += 1;
  let tail = 0;
  while (tail < least - head && sameJson(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail += 1;
  const pairs: AlignedPair[] = [];
  for (let at = 0; at < head; at += 1) pairs.push({ before: at, after: at, isEqual: true });
  const middle = alignMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  for (const pair of middle) pairs.push({ ...pair, before: pair.before + head, after: pair.after + head });
  for (let at = tail; at > 0; at -= 1)
    pairs.push({ before: before.length - at, after: after.length - at, isEqual: true });
  return pairs;
}

/** The longest common subsequence, as Hunt and Szymanski find it: the longest rising one among all pairs of equals. */
function alignMiddle(before: readonly JsonValue[], after: readonly JsonValue[]): readonly AlignedPair[] {
  if (before.length === 0 || after.length === 0) return [];
  const places = placesOf(after.map(identity));
  const names = before.map(identity);
  const counts = placesOf(names);
  const pairs = [...counts].reduce((sum, [name, at]) => sum + at.length * (places.get(name)?.length ?? 0), 0);
  /** The last pair of the best chain of each length. */
  const ends: Link[] = [];
  for (const [at, name] of names.entries()) {
    const theirs = places.get(name) ?? [];
    // Where too many are alike, those that are one of a kind have to do.
    if (pairs > limits.pairedElements && theirs.length * counts.get(name)!.length > 1) continue;
    for (const index of theirs.toReversed()) {
      const length = chainBefore(ends, index);
      ends[length] = { before: at, after: index, isEqual: !name.startsWith(byId), previous: ends[length - 1] };
    }
  }
  const aligned: AlignedPair[] = [];
  for (let link = ends.at(-1); link !== undefined; link = link.previous)
    aligned.push({ before: link.before, after: link.after, isEqual: link.isEqual });
  return aligned.toReversed();
}

interface Link extends AlignedPair {
  readonly previous: Link | undefined;
}

/** How long the longest chain is that ends before an index. */
function chainBefore(ends: readonly Link[], index: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]!.after < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placesOf(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, name] of names.entries()) {
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  }
  return places;
}

const byId = 'id ';

/** What makes an element the one that it is. */
function identity(value: JsonValue): string {
  const id = idOf(value);
  return id === undefined ? canonicalJson(value) : `${byId}${canonicalJson(id)}`;
}

export function idOf(value: JsonValue): string | number | undefined {
  const id = isJsonObject(value) ? own(value, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
