import type { StateId, VersionId } from '../../base/ids.js';
import { compareEvents } from '../../events/event.js';
import { isChange, type SharedState, type Version, type Versions } from './shared-state.js';

/** Of some versions: the newest that all of them and all that lies between stand on, and what lies between. */
export interface Apart {
  readonly base: Version;
  /** In the total order, with the versions that each is part of, by their places in what was asked. */
  readonly between: readonly { readonly version: Version; readonly parts: ReadonlySet<number> }[];
}

/** Walks down from several versions of a state until they stand on one and the same. */
export function apart(versions: Versions, of: readonly Version[]): Apart | undefined {
  const open = new Map<VersionId, { readonly version: Version; readonly parts: Set<number> }>();
  const meet = (id: VersionId, parts: Iterable<number>): boolean => {
    const version = versions.get(id);
    if (version === undefined) return false;
    const known = open.get(id) ?? { version, parts: new Set<number>() };
    for (const part of parts) known.parts.add(part);
    open.set(id, known);
    return true;
  };
  for (const [index, { id }] of of.entries()) meet(id, [index]);
  const between: { readonly version: Version; readonly parts: ReadonlySet<number> }[] = [];
  while (open.size > 1 || [...open.values()].some(({ parts }) => parts.size < of.length)) {
    // A version stands higher than all that it is made from: the highest has been met on every way to it.
    const highest = [...open.values()].reduce((one, other) => (other.version.depth > one.version.depth ? other : one));
    open.delete(highest.version.id);
    between.push(highest);
    const { from, merged } = highest.version;
    if (from === undefined || ![from, ...merged].every((id) => meet(id, highest.parts))) return undefined;
  }
  const [base] = open.values();
  return base && { base: base.version, between: between.toSorted((a, b) => inOrder(a.version, b.version)) };
}

/** The versions of which none has all the changes of another, the greatest first: that one is served. */
export function headsOf({ leaves }: SharedState, versions: Versions): readonly Version[] {
  const found = [...leaves].flatMap((id) => versions.get(id) ?? []).toSorted((a, b) => inOrder(b, a));
  const [only] = found;
  if (only === undefined || found.length === 1) return found;
  const ways = apart(versions, found);
  if (ways === undefined) return [only];
  const changes = ways.between.filter(({ version }) => isChange(version));
  const isWithin = (one: number, other: number): boolean =>
    changes.every(({ parts }) => !parts.has(one) || parts.has(other));
  // Of two with the same changes the greater one counts.
  return found.filter(
    (_, one) =>
      !found.some((_other, other) => other !== one && isWithin(one, other) && (other < one || !isWithin(other, one))),
  );
}

/** All versions of a state, those with the most changes first. */
export const versionsOf = (versions: Versions, state: StateId): readonly Version[] =>
  [...versions.values()]
    .filter((version) => version.state === state)
    .toSorted((a, b) => b.depth - a.depth || inOrder(b, a));

/** The version that readers are given. */
export function servedVersion(state: SharedState, versions: Versions): Version | undefined {
  return headsOf(state, versions)[0];
}

/** Of some versions and all between them: whether one was there when another was made. */
export function ancestryOf(between: readonly Version[]): (one: Version, other: Version) => boolean {
  const places = new Map(between.map(({ id }, place) => [id, place]));
  const words = Math.ceil(between.length / 32);
  const above: Uint32Array[] = [];
  for (const [place, { from, merged }] of between.entries()) {
    const known = new Uint32Array(words);
    for (const parent of from === undefined ? merged : [from, ...merged]) {
      const at = places.get(parent);
      if (at === undefined) continue;
      for (const [word, bits] of above[at]!.entries()) known[word]! |= bits;
    }
    known[place >> 5]! |= 1 << (place & 31);
    above.push(known);
  }
  return (one, other) => {
    const [at, of] = [places.get(one.id), places.get(other.id)];
    return at !== undefined && of !== undefined && ((above[of]![at >> 5]! >> (at & 31)) & 1) === 1;
  };
}

/** How people, and callers of the HTTP API, name a version. */
export const versionLabel = ({ depth, id }: Pick<Version, 'depth' | 'id'>): string => `v${depth}-${id}`;

const inOrder = (a: Version, b: Version): number => compareEvents(a.position, b.position);
