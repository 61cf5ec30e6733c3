import type { EventSum, SessionId } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import type { Event } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import type { LineSums } from '../port/store-carry.js';
import type { KnownTail, MissingLine, ReadSegment } from './reading.js';
import { remedies } from './remedies.js';

/** A line elsewhere that a line says it knew. */
export interface NamedLine {
  readonly sum: EventSum;
  /** The writer whose line it is, where the naming line says so. */
  readonly writer: string | undefined;
}

/** With the segment that names it. */
export interface NamedInFile extends NamedLine {
  readonly inFile: string;
}

/** What is here of a session, by which to tell what is not. */
export interface Present {
  readonly lines: LineSums;
  readonly segments: ReadonlyMap<string, ReadSegment>;
  readonly withdrawn: ReadonlySet<string>;
}

/** `index` is the line's place in its segment: what all but the first follow stands before them. */
export function linesNamedBy({ prev, saw }: Event, index: number): readonly NamedLine[] {
  const seen = saw === undefined ? [] : Object.entries(saw).map(([writer, sum]) => ({ sum, writer }));
  return index === 0 && prev !== '' ? [{ sum: prev, writer: undefined }, ...seen] : seen;
}

/** Those that are not here, each once. Where a segment was read in part, its own damage says why not. */
export function missingLines(named: readonly NamedInFile[], present: Present): Map<EventSum, MissingLine> {
  const absent = absentOf(named, present);
  const missing = new Map<EventSum, MissingLine>();
  const segments = absent.size === 0 ? [] : [...present.segments.values()];
  for (const { sum, writer, inFile } of named) {
    if (!absent.has(sum) || missing.has(sum)) continue;
    const here = segments.find((segment) => segment.writer === writer);
    if (here === undefined ? writer === undefined && segments.some(isUnreadable) : isUnreadable(here)) continue;
    const finding: Finding = {
      level: 'incomplete',
      file:
        here === undefined
          ? `segments/${writer === undefined ? inFile : `*-${writer}.ndjson`}`
          : `segments/${here.name}`,
      message:
        here !== undefined
          ? `it is shorter than when ${inFile} was written: line ${sum} is not in it`
          : writer === undefined
            ? `it continues from line ${sum}, which is in no segment here`
            : `it is missing: the writer of ${inFile} had seen it`,
      remedy: remedies.missing,
    };
    missing.set(sum, { sum, finding });
  }
  return missing;
}

/** Lines that this machine has had on disk, and that no line here may name. */
export function forgottenLines(
  id: SessionId,
  witnesses: readonly KnownTail[],
  present: Present,
): Map<EventSum, MissingLine> {
  const absent = absentOf(witnesses, present);
  const forgotten = new Map<EventSum, MissingLine>();
  for (const witness of witnesses) {
    const { sum, writer } = witness;
    if (!absent.has(sum) || forgotten.has(sum)) continue;
    const here = [...present.segments.values()].find((segment) => segment.writer === writer);
    if (here !== undefined && isUnreadable(here)) continue;
    const { kept } = witness;
    const message =
      here === undefined
        ? 'it is missing'
        : here.stop === undefined
          ? 'it is shorter than it was'
          : `its end cannot be read from line ${here.stop.line} on`;
    const finding: Finding = {
      level: 'incomplete',
      file: here === undefined ? `segments/*-${writer}.ndjson` : `segments/${here.name}`,
      ...(here?.stop !== undefined && { line: here.stop.line, byte: here.stop.byte }),
      message:
        kept === undefined
          ? `${message}: when this machine last wrote to it, it had line ${sum}, which was acknowledged as recorded`
          : `${message}: this machine wrote ${plural(kept.lines, 'line')} up to ${sum}, acknowledged as recorded, and only local/ still has ${kept.lines === 1 ? 'it' : 'them'}${kept.branch ? '' : '; a different branch was checked out then'}`,
      remedy: kept === undefined ? remedies.missing : remedies.kept(id),
      ...(kept !== undefined && { kept: true as const }),
    };
    forgotten.set(sum, { sum, finding, witness });
  }
  return forgotten;
}

function absentOf(named: readonly { readonly sum: EventSum }[], { lines, withdrawn }: Present): ReadonlySet<string> {
  const absent = new Set<string>();
  for (const { sum } of named) if (!withdrawn.has(sum)) absent.add(sum);
  lines.strike(absent);
  return absent;
}

const isUnreadable = ({ stop }: ReadSegment): boolean => stop !== undefined && stop.level !== 'torn';
