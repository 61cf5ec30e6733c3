import type { EventSum, OriginId, WriterId } from '../../base/ids.js';
import { readLines, segmentStart } from '../segments/segment-lines.js';
import type { SiftedSegment, SoundLine, UnsoundPiece } from '../segments/sift-segment.js';

/** What a segment becomes when everything in it that can be read is put where it belongs. */
export interface MendedSegment {
  readonly bytes: Buffer;
  readonly kept: readonly SoundLine[];
  /** Those among them that were brought here from another file. */
  readonly filled: readonly EventSum[];
  /** Lines before gaps, which must be withdrawn before the gaps are accepted. */
  readonly gaps: readonly EventSum[];
  /** Sound, and not at home here: they may be missed elsewhere. */
  readonly strays: readonly SoundLine[];
  readonly lost: readonly UnsoundPiece[];
}

export interface MendingRules {
  readonly writer: WriterId;
  readonly firstSeq: number;
  readonly origin: OriginId | undefined;
  readonly withdrawn: ReadonlySet<string>;
  /** Copies of lines, by their sum, that stand in segments of other writers. */
  readonly copies: ReadonlyMap<string, SoundLine>;
  /** Writers that are known to have written for another session only. */
  readonly strangers: ReadonlySet<WriterId>;
}

/** Orders the sound lines of a segment by their chain, fills gaps from copies, and leaves an unfinished end as it is. */
export function mendSegment(whole: Buffer, sifted: SiftedSegment, rules: MendingRules): MendedSegment {
  const tailAt = unfinishedFrom(whole, sifted, rules);
  const strays: SoundLine[] = [];
  const lost: UnsoundPiece[] = sifted.unsound.filter(({ byte }) => byte < tailAt);
  let placed = placeLines(
    candidates(
      sifted.sound.filter(({ byte }) => byte < tailAt),
      rules,
      strays,
    ),
    rules,
    strays,
  );
  const own = new Set<string>(sifted.sound.map(({ event }) => event.sum));
  for (;;) {
    const kept = wholeAppends(placed, strays);
    const gaps = gapsIn(kept, rules);
    const bytes = Buffer.concat([...kept.map((line) => line.bytes), whole.subarray(tailAt)]);
    const { stop } = readLines(bytes, segmentStart, { ...rules, withdrawn: new Set([...rules.withdrawn, ...gaps]) });
    if (
      stop?.level === 'damage' &&
      stop.line === 1 &&
      kept.length > 0 &&
      kept.every(({ event }) => event.seq !== rules.firstSeq)
    ) {
      // The file has another's name: none of it is at home here, and all of it stays together.
      strays.push(...kept);
      placed = [];
      continue;
    }
    // What no rule here foresees, the reader's own rules decide: the line it stops at goes.
    const at = stop?.level === 'damage' ? stop.line - 1 : -1;
    if (at < 0 || at >= kept.length)
      return {
        bytes,
        kept,
        filled: kept.map(({ event }) => event.sum).filter((sum) => !own.has(sum)),
        gaps,
        strays,
        lost,
      };
    strays.push(kept[at]!);
    placed = kept.toSpliced(at, 1);
  }
}

/** Where the end begins that a killed write left, which is no damage; the end of the file where there is none. */
function unfinishedFrom(
  whole: Buffer,
  { sound }: SiftedSegment,
  { writer, firstSeq, origin, withdrawn }: MendingRules,
): number {
  const last = sound.findLast(({ event }) => event.more === undefined);
  const end = last === undefined ? 0 : last.byte + last.bytes.length;
  // A carriage return may stand before the line feed. Where the line feed itself is gone, nothing behind can be a write's end.
  const from = last !== undefined && whole[end] === 0x0a && whole[end - 1] === 0x0d ? end + 1 : end;
  if (from >= whole.length || (last !== undefined && whole[from - 1] !== 0x0a)) return whole.length;
  const position =
    last === undefined
      ? segmentStart
      : { offset: from, lines: last.line, sum: last.event.sum, seq: last.event.seq, own: last.event.by === writer };
  const { stop, events } = readLines(whole.subarray(from), position, { writer, firstSeq, origin, withdrawn });
  return stop?.level === 'torn' && events.length === 0 ? from : whole.length;
}

/** What can be at home here: this writer's own lines, and others' that stood before the first of them. Each once. */
function candidates(
  sound: readonly SoundLine[],
  { writer, origin, strangers }: MendingRules,
  strays: SoundLine[],
): readonly SoundLine[] {
  const seen = new Set<string>();
  const firstOwn = sound.findIndex(({ event }) => event.by === writer);
  const kept: SoundLine[] = [];
  for (const [index, line] of sound.entries()) {
    const { event } = line;
    if (seen.has(event.sum)) continue;
    seen.add(event.sum);
    const foreign =
      strangers.has(event.by) || (event.origin !== undefined && origin !== undefined && event.origin !== origin);
    if (foreign || (event.by !== writer && firstOwn >= 0 && index > firstOwn)) strays.push(line);
    else kept.push(line);
  }
  return kept.toSorted((a, b) => a.event.seq - b.event.seq || a.byte - b.byte);
}

function placeLines(
  sorted: readonly SoundLine[],
  { writer, copies }: MendingRules,
  strays: SoundLine[],
): readonly SoundLine[] {
  const placed: SoundLine[] = [];
  for (const line of sorted) {
    const last = placed.at(-1);
    const { event } = line;
    if (last !== undefined && event.prev === '') {
      // Nothing can stand before a line that follows nothing: one of the two is not at home.
      if (event.by === writer) strays.push(...placed.splice(0));
      else {
        strays.push(line);
        continue;
      }
    } else if (last !== undefined && event.seq <= last.event.seq) {
      strays.push(line);
      continue;
    }
    placed.push(...fillings(line, placed.at(-1), writer, copies), line);
  }
  return placed;
}

/** Copies that lead from the line before to this one. */
function fillings(
  line: SoundLine,
  before: SoundLine | undefined,
  writer: WriterId,
  copies: ReadonlyMap<string, SoundLine>,
): readonly SoundLine[] {
  const found: SoundLine[] = [];
  let { event } = line;
  // A first line names a line of any segment; only one that should name the session and does not has lost what was before it.
  if (before === undefined && (event.by !== writer || event.origin !== undefined)) return found;
  while (event.prev !== '' && event.prev !== before?.event.sum) {
    const copy = copies.get(event.prev);
    if (
      copy === undefined ||
      copy.event.by !== writer ||
      copy.event.seq <= (before?.event.seq ?? 0) ||
      copy.event.seq >= event.seq
    )
      break;
    found.unshift(copy);
    ({ event } = copy);
    if (before === undefined && event.origin !== undefined) break;
  }
  return found;
}

/** Without the beginning of an append whose end is gone: alone at the end of a file it would look like a write that was cut. */
function wholeAppends(placed: readonly SoundLine[], strays: SoundLine[]): readonly SoundLine[] {
  const end = placed.findLastIndex(({ event }) => event.more === undefined) + 1;
  strays.push(...placed.slice(end));
  return placed.slice(0, end);
}

function gapsIn(kept: readonly SoundLine[], { writer, firstSeq, withdrawn }: MendingRules): readonly EventSum[] {
  const gaps: EventSum[] = [];
  let own = false;
  for (const [index, { event, byte }] of kept.entries()) {
    const before = kept[index - 1]?.event.sum;
    const unnamed = event.by === writer && !own && event.origin === undefined;
    // The file began with lines that are no lines any more.
    const headless = before === undefined && byte > 0 && event.seq > firstSeq;
    if (
      event.prev !== '' &&
      !withdrawn.has(event.prev) &&
      (unnamed || headless || (before !== undefined && before !== event.prev))
    )
      gaps.push(event.prev);
    own ||= event.by === writer;
  }
  return gaps;
}
