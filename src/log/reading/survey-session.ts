import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import type { EventSum, OriginId, SessionId, WorkflowHash } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { Event } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { type LineSums, lineSums } from '../segments/line-sums.js';
import { linesNamedBy, missingFindings, type NamedLine } from '../segments/missing-lines.js';
import { checkPins, pinFile } from '../segments/pins.js';
import { stopFinding } from '../segments/reading.js';
import { readLines, segmentStart } from '../segments/segment-lines.js';
import {
  linkedFolders,
  linkFinding,
  haveGrown,
  type ListedSegment,
  listSegments,
  readFrom,
  type SessionFolder,
} from '../segments/session-folder.js';
import { chooseOrigin } from './whole-reading.js';
import { noWithdrawals, type Withdrawals, withWithdrawals } from '../segments/withdrawals.js';

/** A file of a session, as far as it is part of it: a segment up to the end of its last whole append. */
export interface SurveyedFile {
  /** Relative to the session's folder, with forward slashes. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface SessionSurvey {
  readonly origin: OriginId | undefined;
  readonly segments: readonly SurveyedFile[];
  readonly pins: readonly SurveyedFile[];
  readonly findings: readonly Finding[];
  readonly lines: LineSums;
  /** Lines that must not come back. */
  readonly redacted: ReadonlySet<string>;
}

/** Who is shown every line that is part of the session, segment by segment. */
export interface SurveyVisit {
  /** A pass begins; what an earlier one showed counts no more. */
  readonly begin: (withdrawals: Withdrawals) => void;
  readonly line: (event: Event, file: string, line: number) => void;
  readonly progress: (bytes: number) => void;
}

interface Known {
  readonly withdrawals: Withdrawals;
  readonly origin: OriginId | undefined;
}

interface Pass {
  readonly segments: readonly SurveyedFile[];
  readonly listed: readonly ListedSegment[];
  readonly findings: readonly Finding[];
  readonly withdrawals: Withdrawals;
  readonly origins: ReadonlyMap<OriginId, number>;
  readonly missing: readonly NamedLine[];
  readonly lines: LineSums;
}

const triesWhileGrowing = 4;

/**
 * Reads and checks every byte of a session without folding it: one segment is in memory at a time. Others may append
 * meanwhile; what is surveyed is what stood there at one moment.
 */
export async function surveySession(at: SessionFolder, id: SessionId, visit: SurveyVisit): Promise<SessionSurvey> {
  let known: Known = { withdrawals: noWithdrawals, origin: undefined };
  for (let tries = 1; ; tries += 1) {
    const pass = await surveyOnce(at, known, visit);
    const origin = pass.origins.size > 1 ? chooseOrigin(id, pass.origins) : known.origin;
    if (pass.withdrawals !== known.withdrawals || origin !== known.origin) {
      known = { withdrawals: pass.withdrawals, origin };
      tries -= 1;
      continue;
    }
    // A line may name one that was appended elsewhere between two looks at the folder.
    if (pass.missing.length > 0 && tries < triesWhileGrowing && haveGrown(at.segments, pass.listed)) continue;
    const pins = surveyPins(at);
    return {
      origin: origin ?? [...pass.origins.keys()][0],
      segments: pass.segments,
      pins: pins.files,
      findings: [...linkedFolders(at), ...pass.findings, ...missingFindings(pass.missing), ...pins.findings],
      lines: pass.lines,
      redacted: pass.withdrawals.redacted,
    };
  }
}

async function surveyOnce(at: SessionFolder, { withdrawals, origin }: Known, visit: SurveyVisit): Promise<Pass> {
  const listing = linkedFolders(at).length > 0 ? { segments: [], links: [] } : listSegments(at.segments);
  const findings = listing.links.map((name) => linkFinding(`segments/${name}`));
  const segments: SurveyedFile[] = [];
  const told: EventData<'lines_withdrawn'>[] = [];
  const origins = new Map<OriginId, number>();
  const here = lineSums();
  const named = new Map<EventSum, NamedLine>();
  visit.begin(withdrawals);
  for (const { name, writer, firstSeq, size } of listing.segments) {
    const read = readFrom(join(at.segments, name), 0);
    if (read === undefined) continue;
    const bytes = read.bytes.subarray(0, size);
    const file = `segments/${name}`;
    const { events, position, stop, withdrawnBehind } = readLines(bytes, segmentStart, {
      writer,
      firstSeq,
      withdrawn: withdrawals.withdrawn,
      origin,
    });
    if (stop !== undefined && (stop.level !== 'torn' || read.mark.size === size))
      findings.push(stopFinding(name, stop));
    told.push(...withdrawnBehind);
    for (const [index, event] of events.entries()) {
      here.add(event.sum);
      if (event.kind === 'lines_withdrawn') told.push(event.data);
      for (const one of linesNamedBy(event, index)) if (!withdrawals.withdrawn.has(one.sum)) named.set(one.sum, one);
      visit.line(event, file, index + 1);
    }
    if (position.origin !== undefined) origins.set(position.origin, (origins.get(position.origin) ?? 0) + 1);
    // A segment without one whole append holds nothing.
    if (position.offset > 0)
      segments.push({
        name: file,
        size: position.offset,
        sha256: createHash('sha256').update(bytes.subarray(0, position.offset)).digest('hex'),
      });
    visit.progress(bytes.length);
    await letOthersIn();
  }
  const missing = new Set<string>(named.keys());
  here.strike(missing);
  return {
    segments,
    listed: listing.segments,
    findings,
    withdrawals: withWithdrawals(withdrawals, told),
    origins,
    missing: [...named.values()].filter(({ sum }) => missing.has(sum)),
    lines: here,
  };
}

function surveyPins({ pins }: SessionFolder): {
  readonly files: readonly SurveyedFile[];
  readonly findings: readonly Finding[];
} {
  const { names, findings } = checkPins(pins);
  const sized = (hash: WorkflowHash): SurveyedFile[] => {
    const stat = lstatSync(join(pins, pinFile(hash)), { throwIfNoEntry: false });
    return stat?.isFile() === true ? [{ name: `pins/${pinFile(hash)}`, size: stat.size, sha256: hash }] : [];
  };
  return { files: [...names].flatMap(sized), findings };
}
