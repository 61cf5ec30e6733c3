import { isPinPart, type Manifest } from '../../bundles/manifest.js';
import { originOf } from '../../log/segments/origin-of.js';
import { listSegments, sessionFolder } from '../../log/segments/session-folder.js';
import type { SessionRef } from '../../log/store.js';
import { surveySession } from '../../log/reading/survey-session.js';
import type { Environment } from '../world/environment.js';

const unwatched = { begin: () => undefined, line: () => undefined, progress: () => undefined };

/** The sessions that an import could meet: where a data folder is named outright, only those in it. */
export async function sessionsToMeet(env: Environment): Promise<readonly SessionRef[]> {
  const { newSessions } = env.roots;
  const all = await env.store.list();
  return newSessions.kind === 'given' ? all.filter(({ root }) => root.folder === newSessions.folder) : all;
}

/** Compared without case, as file systems may. */
export function sameName(refs: readonly SessionRef[], id: string): SessionRef | undefined {
  const wanted = id.toLowerCase();
  return refs.find((ref) => ref.id === id) ?? refs.find((ref) => ref.id.toLowerCase() === wanted);
}

/** A session here that holds exactly what the bundle holds: under its id, or from an import of it before. */
export async function sameContent(refs: readonly SessionRef[], manifest: Manifest): Promise<SessionRef | undefined> {
  const wanted = manifest.parts.filter(({ name }) => !isPinPart(name));
  for (const ref of refs) {
    const listed = listSegments(sessionFolder(ref.root, ref.id).segments).segments;
    const mayBe =
      listed.length >= wanted.length &&
      wanted.every(({ name, size }) =>
        listed.some((segment) => `segments/${segment.name}` === name && segment.size >= size),
      );
    if (mayBe && (await holdsTheSame(ref, manifest))) return ref;
  }
  return undefined;
}

async function holdsTheSame(ref: SessionRef, { parts }: Manifest): Promise<boolean> {
  const { segments, pins, findings } = await surveySession(sessionFolder(ref.root, ref.id), ref.id, unwatched);
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
  refs: readonly SessionRef[],
  { sessionId, origin, parts }: Manifest,
): SessionRef | undefined {
  const theirs = new Set(parts.map(({ name }) => name));
  const sharesSegment = (ref: SessionRef): boolean =>
    listSegments(sessionFolder(ref.root, ref.id).segments).segments.some(({ name }) => theirs.has(`segments/${name}`));
  const ofOrigin = (ref: SessionRef): boolean => originOf(sessionFolder(ref.root, ref.id)) === origin;
  const named = [sameName(refs, sessionId), sameName(refs, origin)].filter((ref) => ref !== undefined).filter(ofOrigin);
  return named.find(sharesSegment) ?? refs.find((ref) => sharesSegment(ref) && ofOrigin(ref)) ?? named[0];
}
