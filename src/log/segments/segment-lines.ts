import type { EventSum, OriginId, WriterId } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { Event } from '../../events/event.js';
import { decodeLine, type LineProblem } from '../../events/line-codec.js';
import { afterSum, linesWithin, sumField } from './lines-within.js';

/** How far a segment has been read: always the end of a whole append. */
export interface Position {
  readonly offset: number;
  readonly lines: number;
  readonly sum: EventSum | '';
  readonly seq: number;
  /** A line of the segment's own writer has been met, and with it the origin. */
  readonly own: boolean;
  readonly origin?: OriginId;
}

export const segmentStart: Position = { offset: 0, lines: 0, sum: '', seq: 0, own: false };

/** What stands where the line feed of a last line should. */
export type LastByte = 'missing' | 'changed';

/** Where reading ended before the bytes did. */
export interface Stop {
  readonly level: 'torn' | 'damage' | 'newer';
  readonly line: number;
  readonly byte: number;
  readonly message: string;
  /** With a line feed at the end all of it would be read: a write without its last byte, what an editor left, or a changed byte. */
  readonly onlyLineFeed?: LastByte;
}

export interface LinesRead {
  /** Of whole appends only. Withdrawn lines are among them: a chain runs through what it names. */
  readonly events: readonly Event[];
  readonly position: Position;
  readonly stop?: Stop;
  /** What lines behind a stop withdraw: it may be the very lines whose absence is the stop. */
  readonly withdrawnBehind: readonly EventData<'lines_withdrawn'>[];
  /** Lines of an append whose end is not here count for the clock, not for the session. */
  readonly highestSeq: number;
}

export interface ReadingRules {
  readonly writer: WriterId;
  /** The number that its name begins with: that of its first line, while that line is there. */
  readonly firstSeq: number;
  /** Lines taken out by repair or redaction; chains accept that they are not here. */
  readonly withdrawn: ReadonlySet<string>;
  readonly origin?: OriginId | undefined;
}

const lineFeed = 0x0a;
/** Some editors put it before a file. */
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
export const beginsWithMark = (bytes: Buffer): boolean => bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);

/** Reads the lines of one segment that follow `from`. Bytes are split as bytes: a log never becomes one string. */
export function readLines(bytes: Buffer, from: Position, rules: ReadingRules): LinesRead {
  const events: Event[] = [];
  let position = from;
  let last = from;
  let whole = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(lineFeed, at);
    const decoded = end < 0 ? undefined : decodeLine(bytes.subarray(at, end));
    const wrong =
      decoded === undefined
        ? withoutEnd(bytes.subarray(at), last, rules)
        : decoded.ok
          ? misplaced(decoded.value, last, rules)
          : decoded.error;
    if (decoded === undefined || !decoded.ok || wrong !== undefined) {
      const stop = stopAt(bytes.subarray(at), wrong!, { from, at, last, position });
      return {
        events: events.slice(0, whole),
        position,
        stop,
        highestSeq: last.seq,
        withdrawnBehind: stop.level === 'damage' ? withdrawnIn(bytes.subarray(at)) : [],
      };
    }
    const event = decoded.value;
    const origin = event.origin ?? last.origin;
    at = end + 1;
    last = {
      offset: from.offset + at,
      lines: last.lines + 1,
      sum: event.sum,
      seq: event.seq,
      own: last.own || event.by === rules.writer,
      ...(origin !== undefined && { origin }),
    };
    events.push(event);
    // An append is all there or not there: only its last line moves the position on.
    if (event.more === undefined) {
      position = last;
      whole = events.length;
    }
  }
  if (events.length === whole) return { events, position, highestSeq: last.seq, withdrawnBehind: [] };
  const stop: Stop = {
    level: 'torn',
    line: position.lines + 1,
    byte: position.offset,
    message: 'the append has no last line',
  };
  return { events: events.slice(0, whole), position, stop, highestSeq: last.seq, withdrawnBehind: [] };
}

interface StoppedAt {
  readonly from: Position;
  readonly at: number;
  readonly last: Position;
  readonly position: Position;
}

function stopAt(rest: Buffer, wrong: LineProblem, { from, at, last, position }: StoppedAt): Stop {
  const level =
    wrong.reason === 'newer' ? 'newer' : wrong.reason === 'cut' && isTornEnd(rest, last.sum) ? 'torn' : 'damage';
  // Lines of an append whose end is not here were read before it.
  const tornAppend = level === 'torn' && last !== position;
  const onlyLineFeed = wrong === unfinished && level === 'torn' ? onlyLineFeedIn(rest) : undefined;
  return {
    level,
    line: (tornAppend ? position.lines : last.lines) + 1,
    byte: tornAppend ? position.offset : from.offset + at,
    message: onlyLineFeed === undefined ? wrong.message : lastLineIsWhole[onlyLineFeed],
    ...(onlyLineFeed !== undefined && { onlyLineFeed }),
  };
}

function withdrawnIn(bytes: Buffer): EventData<'lines_withdrawn'>[] {
  const withdrawals: EventData<'lines_withdrawn'>[] = [];
  for (let at = 0, end = bytes.indexOf(lineFeed); end >= 0; at = end + 1, end = bytes.indexOf(lineFeed, at)) {
    const decoded = decodeLine(bytes.subarray(at, end));
    if (decoded.ok && decoded.value.kind === 'lines_withdrawn') withdrawals.push(decoded.value.data);
  }
  return withdrawals;
}

const unfinished: LineProblem = { reason: 'cut', message: 'the line has no end' };

/** A line that is sound in itself and stands where it cannot have been written. */
function misplaced(event: Event, last: Position, rules: ReadingRules): LineProblem | undefined {
  const wrong = (message: string): LineProblem => ({ reason: 'invalid', message });
  const origin = rules.origin ?? last.origin;
  if (event.origin !== undefined && origin !== undefined && event.origin !== origin) {
    return wrong(
      `the line belongs to the session made as ${JSON.stringify(event.origin)}, not to ${JSON.stringify(origin)}`,
    );
  }
  const gapKnown = event.prev !== '' && rules.withdrawn.has(event.prev);
  if (last.lines > 0 && event.prev !== last.sum && !gapKnown) {
    return wrong(
      `the line follows ${event.prev === '' ? 'nothing' : event.prev}, but the line before it is ${last.sum}: lines were removed, moved or brought from elsewhere`,
    );
  }
  if (last.lines === 0 && event.seq !== rules.firstSeq && !(gapKnown && event.seq > rules.firstSeq)) {
    return wrong(
      `its name says that it starts with line number ${rules.firstSeq}, but it starts with ${event.seq}: it was renamed, or its first lines were removed`,
    );
  }
  if (event.seq <= last.seq) return wrong(`the line has number ${event.seq} after a line with number ${last.seq}`);
  if (event.by === rules.writer) {
    if (!last.own && event.origin === undefined && !gapKnown)
      return wrong('the first line of its writer does not name the session it was made for');
  } else if (last.own) return wrong(`the line was written by ${event.by} into a segment of ${rules.writer}`);
  return undefined;
}

/** A write that was cut left what follows the line before it. A line that is whole and does not was brought here, or lost that line. */
function withoutEnd(rest: Buffer, last: Position, rules: ReadingRules): LineProblem {
  const sum = rest.lastIndexOf(sumField);
  const decoded = sum < 0 ? undefined : decodeLine(rest.subarray(0, sum + sumField.length + afterSum));
  return (decoded?.ok === true ? misplaced(decoded.value, last, rules) : undefined) ?? unfinished;
}

const lastLineIsWhole: { readonly [last in LastByte]: string } = {
  missing: 'the last line is complete, but the line feed after it is missing',
  changed: 'the last line is complete, but another byte replaced its line feed',
};

/** Where bytes without a line feed are the last line of an append, to the digit. */
function onlyLineFeedIn(bytes: Buffer): LastByte | undefined {
  const closes = (line: Buffer): boolean => {
    const decoded = decodeLine(line);
    return decoded.ok && decoded.value.more === undefined;
  };
  return closes(bytes) ? 'missing' : closes(bytes.subarray(0, -1)) ? 'changed' : undefined;
}

/** The end of a line, whether or not its digits are still right: whether its append goes on, and what it follows. */
const lineEnd = /(?:("more":true),"prev":"([0-9a-f]{0,16})"(?:,"saw":\{[^{}]*\})?)?,"sum":"[0-9a-f]{16}"\}(\r?)$/u;
const lineEndLength = 4096;

/**
 * Whether bytes that begin with a bad line can be what is left of one unfinished write, the segment's last. Blocks of a
 * write may reach the disk in any order, so good lines may follow if the bad one says that its append goes on. They
 * cannot when an append ended before the last one, or when line ends were rewritten (git's autocrlf).
 */
function isTornEnd(bytes: Buffer, after: string): boolean {
  // No write of ours begins with one, whatever of it reached the disk.
  return !beginsWithMark(bytes) && !runsOn(bytes) && isOfOneWrite(bytes, after);
}

function isOfOneWrite(bytes: Buffer, after: string): boolean {
  let goesOn = false;
  let shaped = 0;
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, at);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(at, end);
    const decoded = at > 0 ? decodeLine(line) : undefined;
    if (decoded?.ok === true) {
      if (!goesOn) return false;
      goesOn = decoded.value.more === true;
    } else if (decoded !== undefined && decoded.error.reason !== 'cut') return false;
    else {
      const [found, more, prev, carriageReturn] =
        lineEnd.exec(line.toString('latin1', Math.max(0, line.length - lineEndLength))) ?? [];
      if (found !== undefined) {
        if ((shaped > 0 && !goesOn) || (carriageReturn === '\r' && feed >= 0)) return false;
        shaped += 1;
      }
      goesOn = isLostHead(line) || (more !== undefined && (at > 0 || prev === after || line[0] === 0));
    }
    at = end + 1;
  }
  return true;
}

/** What no write leaves, whatever of it reached the disk: a whole line that goes on, other than by one byte at the very end. */
function runsOn(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, at);
    const line = bytes.subarray(at, feed < 0 ? undefined : feed);
    const most = line.length - (feed < 0 ? 1 : 0);
    if (linesWithin(line).some(({ start, length }) => start + length < most && line[start + length] !== 0)) return true;
    at += line.length + 1;
  }
  return false;
}

/**
 * A line that is zeros from its first byte on, up to past where it would say that its append goes on: what a block that
 * never reached the disk leaves. A line in which that place can be seen speaks for itself.
 */
function isLostHead(line: Buffer): boolean {
  if (line[0] !== 0) return false;
  const kept = line.findIndex((byte) => byte !== 0);
  return kept < 0 || line.indexOf('"prev":"', kept) - kept < '"more":true,'.length;
}
