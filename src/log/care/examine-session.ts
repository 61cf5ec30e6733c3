import { command } from '../../base/sentence.js';
import type { CareFinding, Examined } from '../port/store-care.js';
import { unreadable } from '../port/unreadable.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import { plural } from '../../base/plural.js';
import type { DataRoot } from '../../machine/data-root.js';
import { endedWitnesses } from '../segments/ended-segments.js';
import type { Finding } from '../port/finding.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { headKey, readGitHead } from '../../machine/git-head.js';
import { type NamedPins, namedPinsProjection } from '../reading/named-pins.js';
import { pinFile } from '../segments/pins.js';
import { findingsOf, type KnownTail, mayBeUnderWay, type Reading } from '../segments/reading.js';
import { parseSegmentName } from '../segments/segment-name.js';
import { linkedFolders, namesIn, segmentBytes, type SessionFolder, sessionFolder } from '../segments/session-folder.js';
import { siftSegment } from '../segments/sift-segment.js';
import { snapshotWitnesses } from '../reading/snapshot.js';
import type { FileRef } from '../files/file-ref.js';
import { readWhole } from '../reading/whole-reading.js';
import { keptTails } from './take-up-kept.js';

/**
 * Every byte of a session, read and checked anew; nothing is kept of it afterwards, and nothing written. What this machine
 * knows of how far its segments went is held against them.
 */
export async function examineSession({ root, id }: FileRef, key?: Uint8Array): Promise<Examined> {
  const at = sessionFolder(root, id);
  // Taken before the segments are read: what ends meanwhile is in them.
  const unread: CareFinding[] = [];
  const witnesses = [() => keptTails({ root, id, at }), () => witnessesOf(root, id, key)].flatMap((known) => {
    try {
      return known();
    } catch (fault) {
      // What is known of it elsewhere is one thing, and its own files are another.
      unread.push(unreadable(fault, '.'));
      return [];
    }
  });
  let reading = readWhole(at, id, namedPinsProjection, witnesses);
  if (mayBeUnderWay(reading, Date.now)) {
    await pause(limits.tornWaitMs);
    reading = readWhole(at, id, namedPinsProjection, witnesses);
  }
  const findings = findingsOf(reading);
  const broken = new Set(findings.map(({ file }) => file));
  return {
    events: reading.eventCount,
    findings: [
      ...unread,
      ...forgottenTold(root, reading, findings),
      ...returnedLines(at, id, reading),
      ...(reading.eventCount === 0 ? [] : orphanedPins(reading)),
      ...strangeNames(at),
    ],
    pins: [...reading.pinNames].filter((hash) => !broken.has(`pins/${pinFile(hash)}`)),
  };
}

export const witnessesOf = (root: DataRoot, id: SessionId, key: Uint8Array | undefined): readonly KnownTail[] => [
  ...endedWitnesses(root, id),
  ...(key === undefined ? [] : snapshotWitnesses(root, id, key)),
];

/** Where git has moved since, another branch may simply not hold what this machine has written; and an end that was acknowledged is no unfinished write. */
function forgottenTold(root: DataRoot, { missing }: Reading<NamedPins>, findings: readonly Finding[]): CareFinding[] {
  const forgotten = new Map(
    [...missing.values()].flatMap(({ finding, witness }) =>
      witness === undefined ? [] : [[finding, witness] as const],
    ),
  );
  const cut = new Set([...forgotten.keys()].map(({ file }) => file));
  const git = forgotten.size === 0 ? undefined : findGitFolders(root.folder);
  const now = git && headKey(readGitHead(git));
  const mendable = new Set(findings.filter(({ level, kept }) => level === 'torn' && kept).map(({ file }) => file));
  return findings.flatMap((finding): CareFinding[] => {
    const witness = forgotten.get(finding);
    if (finding.level === 'torn' && mendable.has(finding.file)) return [finding];
    if (witness === undefined) return finding.level === 'torn' && cut.has(finding.file) ? [] : [finding];
    const { kept } = witness;
    if (kept !== undefined) return [kept.here ? finding : { ...finding, level: 'note' }];
    if (now === undefined || witness.head === now) return [finding];
    return [
      {
        ...finding,
        level: 'note',
        message: `${finding.message}. HEAD has moved since then, which may have removed it`,
      },
    ];
  });
}

/** What was redacted may come back with a merge of another clone: it stays out of the session, and its bytes are here. */
function returnedLines(at: SessionFolder, id: string, { segments, redacted }: Reading<NamedPins>): CareFinding[] {
  if (redacted.size === 0) return [];
  return [...segments.values()].flatMap(({ name }): CareFinding[] => {
    const lines = siftSegment(segmentBytes(at, name)).sound.filter(({ event }) => redacted.has(event.sum));
    const [first] = lines;
    if (first === undefined) return [];
    return [
      {
        level: 'returned',
        file: `segments/${name}`,
        line: first.line,
        byte: first.byte,
        message: `${plural(lines.length, 'redacted line')} came back, as a merge can do; no answer shows ${lines.length === 1 ? 'it' : 'them'}, but anyone can read the bytes`,
        remedy: [
          command('redact', id),
          ' removes the bytes permanently; if they are yours and someone else redacted them, copy the file first',
        ],
      },
    ];
  });
}

function orphanedPins({ pinNames, state }: Reading<NamedPins>): CareFinding[] {
  return [...pinNames]
    .filter((hash) => !state.pins.has(hash))
    .map((hash) => ({
      level: 'note',
      file: `pins/${pinFile(hash)}`,
      message: 'no run uses this compiled workflow',
      remedy: 'nothing; it may belong to a run whose start is missing, and takes little space',
    }));
}

/** Names that no part of WorkRail gives. */
function strangeNames(at: SessionFolder): CareFinding[] {
  if (linkedFolders(at).length > 0) return [];
  const strange = [
    ...namesIn(at.folder).filter((name) => name !== 'segments' && name !== 'pins'),
    ...namesIn(at.segments)
      .filter((name) => parseSegmentName(name) === undefined)
      .map((name) => `segments/${name}`),
    ...namesIn(at.pins)
      .filter((name) => !/^[0-9a-f]{64}\.json$/u.test(name))
      .map((name) => `pins/${name}`),
  ];
  return strange.map((file) => ({
    level: 'note',
    file,
    ...(/\/\.[^/]+$/u.test(file)
      ? { message: 'left by an interrupted write; not used', remedy: 'remove it' }
      : {
          message: 'not a file of WorkRail, so it is ignored',
          remedy: 'if a file sync program made it, it may contain missing lines: compare, then remove it',
        }),
  }));
}
