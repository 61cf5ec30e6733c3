import type { EventSum, OriginId, WorkflowHash, WriterId } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import type { EventPosition } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { remedies } from './remedies.js';
import type { Position, Stop } from './segment-lines.js';
import type { SegmentName } from './segment-name.js';
import type { FileMark } from './session-folder.js';
import type { Loaded } from '../port/session-log.js';

/** The last line that a segment is known to have held, and where git stood when it was written. */
export interface KnownTail {
  readonly writer: WriterId;
  readonly sum: EventSum;
  readonly head: string | undefined;
  /** Where its lines are kept: how many, whether they were written on this branch, and whether they are missed for certain. */
  readonly kept?: { readonly lines: number; readonly branch: boolean; readonly here: boolean };
}

/** One segment as far as it has been read. */
export interface ReadSegment extends SegmentName {
  mark: FileMark;
  position: Position;
  stop?: Stop | undefined;
  /** Some line already names this segment's head: who sees that line knows this head too. */
  covered: boolean;
}

/** A line that somebody saw and that is not here, with what to say about it. */
export interface MissingLine {
  readonly sum: EventSum;
  readonly finding: Finding;
  /** It is only this machine that knows of it. */
  readonly witness?: KnownTail;
}

/** What is known of a session's files, however it is read. */
export interface Known {
  /** Highest on any line, of torn appends too. */
  lastSeq: number;
  origin?: OriginId | undefined;
  segments: Map<string, ReadSegment>;
  /** Lines whose absence chains accept. */
  withdrawn: Set<string>;
  /** Those among them that stay out even where their bytes are here: a merge may bring back what was redacted. */
  redacted: Set<string>;
  missing: Map<EventSum, MissingLine>;
  /** Pins that events name and that are not here. */
  missingPins: Set<WorkflowHash>;
  pinNames: Set<WorkflowHash>;
  /** Of links, foreign segments and pins; those of segments are made from their stops. */
  otherFindings: Finding[];
}

/** A session in memory: its fold, and where in its files the fold stands. Plain data, so that it can be a snapshot. */
export interface Reading<S> extends Known {
  state: S;
  eventCount: number;
  lastFolded?: EventPosition | undefined;
  /** The newest branch and commit that the log itself records. */
  observed?: { readonly branch?: string | undefined; readonly commit?: string | undefined } | undefined;
}

/** A reading as the room of the log itself sees it: with the files that it was read from, and how they stood. */
export interface FilesLoaded<S> extends Loaded<S> {
  readonly segments: ReadonlyMap<string, Pick<ReadSegment, 'name' | 'mark'>>;
}

export function stopFinding(segment: string, { level, line, byte, message, onlyLineFeed }: Stop): Finding {
  const remedy = onlyLineFeed === undefined ? remedies[level] : remedies.lineFeed;
  const kept = onlyLineFeed !== undefined && { kept: true as const };
  return { level, file: `segments/${segment}`, line, byte, message, remedy, ...kept };
}

function missingPinFinding(hash: WorkflowHash): Finding {
  return {
    level: 'incomplete',
    file: `pins/${hash}.json`,
    message: 'the compiled workflow of a run is missing',
    remedy: remedies.missingPin,
  };
}

/** Workflows of runs without one line of a log are the ruin of a session, or of its start. */
function beginningGone(pins: number): Finding {
  const message = `the log is missing, and only ${plural(pins, 'compiled workflow')} ${pins === 1 ? 'is' : 'are'} left: the log was removed, or a start was interrupted before anything was recorded`;
  return {
    level: 'incomplete',
    file: 'segments',
    message,
    remedy:
      'restore it (git checkout, git stash pop, a backup); if you do not need it, remove the folder of the session',
  };
}

/** A torn end in a file that was written to a moment ago is likely a write that is under way. */
export const mayBeUnderWay = ({ segments }: Pick<Known, 'segments'>, now: () => number): boolean =>
  [...segments.values()].some(({ stop, mark }) => stop?.level === 'torn' && Math.abs(now() - mark.mtimeMs) < 1000);

export function findingsOf(known: Known): readonly Finding[] {
  const findings: Finding[] = [];
  let isBegun = false;
  for (const { name, stop, position } of known.segments.values()) {
    isBegun ||= position.lines > 0;
    if (stop !== undefined) findings.push(stopFinding(name, stop));
  }
  for (const hash of known.missingPins) findings.push(missingPinFinding(hash));
  const files = new Set<string>();
  for (const { finding } of known.missing.values()) {
    if (files.has(finding.file)) continue;
    files.add(finding.file);
    findings.push(finding);
  }
  findings.push(...known.otherFindings);
  return !isBegun && known.pinNames.size > 0 && findings.length === 0 ? [beginningGone(known.pinNames.size)] : findings;
}
