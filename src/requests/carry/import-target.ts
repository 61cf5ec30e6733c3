import { isPinPart, type Manifest } from '../../bundles/manifest.js';
import { samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { StoreCarry } from '../../log/port/store-carry.js';
import type { Environment } from '../world/environment.js';

/** The sessions that an import could meet: where a data folder is named outright, only those in it. */
export async function sessionsToMeet(env: Environment): Promise<readonly SessionRef[]> {
  const { newSessions } = env.store;
  const all = await env.store.list();
  return newSessions.kind === 'given' ? all.filter(({ place }) => samePlace(place, newSessions)) : all;
}

/** Compared without case, as file systems may. */
export function sameName(refs: readonly SessionRef[], id: string): SessionRef | undefined {
  const wanted = id.toLowerCase();
  return refs.find((ref) => ref.id === id) ?? refs.find((ref) => ref.id.toLowerCase() === wanted);
}

/** A session here that holds exactly what the bundle holds: under its id, or from an import of it before. */
export async function sameContent(
  carry: StoreCarry,
  refs: readonly SessionRef[],
  manifest: Manifest,
): Promise<SessionRef | undefined> {
  const wanted = manifest.parts.filter(({ name }) => !isPinPart(name));
  for (const ref of refs) {
    const listed = carry.parts(ref);
    const mayBe =
      listed.length >= wanted.length &&
      wanted.every(({ name, size }) => listed.some((part) => part.name === name && part.size >= size));
    if (mayBe && (await holdsTheSame(carry, ref, manifest))) return ref;
  }
  return undefined;
}

async function holdsTheSame(carry: StoreCarry, ref: SessionRef, { parts }: Manifest): Promise<boolean> {
  const { segments, pins, findings } = await carry.survey(ref);
  if (findings.some(({ level }) => level === 'damage' || level === 'newer')) return false;
  const here = new Map([...segments, ...pins].map((file) => [file.name, file]));
  const theirs = parts.filter(({ name }) => !isPinPart(name));
  return (
    theirs.length === segments.length &&
    parts.every(({ name, size, sha256 }) => here.get(name)?.sha256 === sha256 && here.get(name)?.size === size)
  );
}

/**
 * The session that a bundle would be merged into: one made under the same id. Several may be, since an import can give a
 * new name; then it is the one that has a segment of the bundle's, else the one of the bundle's name.
 */
export function mergeTarget(
  carry: StoreCarry,
  refs: readonly SessionRef[],
  { sessionId, origin, parts }: Manifest,
): SessionRef | undefined {
  const theirs = new Set(parts.map(({ name }) => name));
  const sharesSegment = (ref: SessionRef): boolean => carry.parts(ref).some(({ name }) => theirs.has(name));
  const ofOrigin = (ref: SessionRef): boolean => carry.origin(ref) === origin;
  const named = [sameName(refs, sessionId), sameName(refs, origin)].filter((ref) => ref !== undefined).filter(ofOrigin);
  return named.find(sharesSegment) ?? refs.find((ref) => sharesSegment(ref) && ofOrigin(ref)) ?? named[0];
}
