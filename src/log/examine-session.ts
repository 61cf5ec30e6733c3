import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../base/limits.js';
import { plural } from '../base/plural.js';
import type { Finding } from './finding.js';
import { type NamedPins, namedPinsProjection } from './named-pins.js';
import { pinFile } from './pins.js';
import { findingsOf, type Reading } from './reading.js';
import { parseSegmentName } from './segment-name.js';
import { namesIn, readFrom, type SessionFolder, sessionFolder } from './session-folder.js';
import { siftSegment } from './sift-segment.js';
import type { SessionRef } from './store.js';
import { readWhole } from './whole-reading.js';

export interface CareFinding extends Omit<Finding, 'level'> {
  readonly level: Finding['level'] | 'returned' | 'note';
}

export interface ExaminedSession {
  readonly events: number;
  readonly findings: readonly CareFinding[];
  /** Pins that are what their name says. */
  readonly pins: readonly string[];
}

/** Every byte of a session, read and checked anew; nothing is kept of it afterwards, and nothing written. */
export async function examineSession({ root, id }: SessionRef): Promise<ExaminedSession> {
  const at = sessionFolder(root, id);
  let reading = readWhole(at, id, namedPinsProjection);
  // A torn end in a file that was written to a moment ago is likely a write that is under way.
  if ([...reading.segments.values()].some(({ stop, mark }) => stop?.level === 'torn' && Math.abs(Date.now() - mark.mtimeMs) < 1000)) {
    await pause(limits.tornWaitMs);
    reading = readWhole(at, id, namedPinsProjection);
  }
  const findings = findingsOf(reading);
  const broken = new Set(findings.map(({ file }) => file));
  return {
    events: reading.eventCount,
    findings: [...findings, ...returnedLines(at, id, reading), ...orphanedPins(reading), ...strangeNames(at)],
    pins: [...reading.pinNames].filter((hash) => !broken.has(`pins/${pinFile(hash)}`)),
  };
}

/** What was redacted may come back with a merge of another clone: it stays out of the session, and its bytes are here. */
function returnedLines(at: SessionFolder, id: string, { segments, redacted }: Reading<NamedPins>): CareFinding[] {
  if (redacted.size === 0) return [];
  return [...segments.values()].flatMap(({ name }): CareFinding[] => {
    const lines = siftSegment(readFrom(join(at.segments, name), 0)?.bytes ?? Buffer.alloc(0)).sound.filter(({ event }) => redacted.has(event.sum));
    const [first] = lines;
    if (first === undefined) return [];
    return [{ level: 'returned', file: `segments/${name}`, line: first.line, byte: first.byte, message: `${plural(lines.length, 'line')} that ${lines.length === 1 ? 'was' : 'were'} redacted ${lines.length === 1 ? 'is' : 'are'} here again, as a merge brings them back; no answer shows them, but their bytes can be read`, remedy: `workrail redact ${id}` }];
  });
}

function orphanedPins({ pinNames, state }: Reading<NamedPins>): CareFinding[] {
  return [...pinNames]
    .filter((hash) => !state.pins.has(hash))
    .map((hash) => ({ level: 'note', file: `pins/${pinFile(hash)}`, message: 'no run here follows this compiled workflow', remedy: 'nothing; it may belong to a run whose start is not here, and takes little room' }));
}

/** Names that no part of WorkRail gives. */
function strangeNames(at: SessionFolder): CareFinding[] {
  const strange = [
    ...namesIn(at.folder).filter((name) => name !== 'segments' && name !== 'pins'),
    ...namesIn(at.segments).filter((name) => parseSegmentName(name) === undefined).map((name) => `segments/${name}`),
    ...namesIn(at.pins).filter((name) => !/^[0-9a-f]{64}\.json$/u.test(name)).map((name) => `pins/${name}`),
  ];
  return strange.map((file) => ({
    level: 'note',
    file,
    ...(/\/\.[^/]+$/u.test(file)
      ? { message: 'what a write that was cut short left behind; nobody reads it', remedy: 'remove it' }
      : { message: 'no file of WorkRail is called so; nobody reads it', remedy: 'if a program that keeps folders alike made it, it may hold lines that are missed: compare, then remove it' }),
  }));
}
