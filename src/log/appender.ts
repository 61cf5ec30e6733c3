import { assert } from '../base/assert.js';
import type { EventSum, OriginId, SessionId, WriterId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { Event, EventDraft } from '../events/event.js';
import { encodeLine } from '../events/line-codec.js';
import type { DataRoot } from '../machine/data-root.js';
import { claimSegment, leaveSegment, witnessSegment } from './segments/ended-segments.js';
import { isRealFolder, makeFolderDurably, refuseLink, syncFolder } from '../files/folders.js';
import { findGitFolders, type GitFolders } from '../machine/git-folders.js';
import { type GitHead, headKey, readGitHead } from '../machine/git-head.js';
import { HeldSegment } from './segments/held-segment.js';
import type { LogRejection } from './port/log-rejection.js';
import type { StoreNeeds } from './port/session-store.js';
import { prepareDataRoot } from './files/prepare-data-root.js';
import type { Reading } from './segments/reading.js';
import { removeUnbegun } from './remove-unbegun.js';
import { observeRepository } from '../machine/repository.js';
import { segmentName } from './segments/segment-name.js';
import { branchMark, branchMarkOf, keepBytes, noteRefused, spareSegment } from './segments/spares.js';
import type { FileMark, SessionFolder } from './segments/session-folder.js';
import { errorCode } from '../files/fault-reason.js';
import { storageFault } from './files/storage-fault.js';

export interface Written {
  readonly segment: HeldSegment;
  readonly mark: FileMark;
  readonly events: readonly Event[];
}

export type WriteOutcome =
  | { readonly ok: true; readonly written: Written }
  | { readonly ok: false; readonly error: LogRejection };

interface Lines {
  readonly bytes: Buffer;
  readonly firstSeq: number;
  readonly last: EventSum;
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
/** Short, random, and of letters that nobody mistakes for each other. */
export function newWriter(randomBytes: (count: number) => Uint8Array): WriterId {
  return Array.from(randomBytes(10), (byte) => letters[byte & 31]).join('') as WriterId;
}

/** What this process appends to one session: its segment, and the lines of which nobody can know whether they will last. */
export class Appender {
  readonly #root: DataRoot;
  readonly #id: SessionId;
  readonly #at: SessionFolder;
  readonly #env: Pick<StoreNeeds<unknown>, 'now' | 'randomBytes'>;
  #held: HeldSegment | undefined;
  /** Where git stood when the held segment's last line was written. */
  #head = '';
  #git: GitFolders | undefined;
  #branch: string | undefined;
  /** When the held segment was last seen to have its second name; never where it cannot have one. */
  #sparedAt = -Infinity;
  /** This process has made the session's folders. */
  #begun = false;
  /** The last line that this process wrote into any segment of the session. */
  #lastWritten: EventSum | '' = '';
  /** Each entry is a chain of its own and goes into a segment of its own. */
  #doubt: Lines[] = [];

  constructor(root: DataRoot, id: SessionId, at: SessionFolder, env: Pick<StoreNeeds<unknown>, 'now' | 'randomBytes'>) {
    this.#root = root;
    this.#id = id;
    this.#at = at;
    this.#env = env;
  }

  get inDoubt(): boolean {
    return this.#doubt.length > 0;
  }

  get holds(): boolean {
    return this.#held !== undefined;
  }

  /** A segment is held, and its name still leads to exactly what was written. */
  get stands(): boolean {
    return this.#held?.mark() !== undefined;
  }

  doubt(bytes: Buffer, firstSeq: number, last: EventSum): void {
    this.#doubt.push({ bytes, firstSeq, last });
  }

  /**
   * Writes the lines in doubt once more, byte for byte, each chain into a new segment. Must come before the session is
   * read for a decision: lines that may survive are part of what is decided on, or one attempt would be recorded twice.
   */
  settle(): LogRejection | undefined {
    for (let lines = this.#doubt[0]; lines !== undefined; lines = this.#doubt[0]) {
      this.#drop();
      const segment = this.#makeSegment(lines.firstSeq, this.#newWriter());
      if (!(segment instanceof HeldSegment)) return segment;
      const outcome = this.#write(segment, lines, []);
      if (!outcome.ok) return outcome.error;
      this.#doubt.shift();
    }
    return undefined;
  }

  /** Makes the session's folders where they are missing. The pins' is on disk before there is any place for a line that names a pin. */
  prepareFolders(): void {
    const { sessions, folder, segments, pins } = this.#at;
    refuseLink(folder);
    if (isRealFolder(segments)) return;
    this.#begun = true;
    if (!isRealFolder(sessions)) prepareDataRoot(this.#root);
    for (const made of [pins, segments]) makeFolderDurably(made);
  }

  /** One append: all drafts as one write. `reading` must have just been brought up to date. */
  append<S>(reading: Reading<S>, drafts: readonly EventDraft[]): WriteOutcome {
    assert(drafts.length > 0, 'an append has events');
    this.#letGoIfChanged(reading);
    const head = this.#gitHead();
    const group = this.#withObservation(reading, drafts, head);
    if (this.#held !== undefined && (this.#isFull(reading, this.#held) || headKey(head) !== this.#head)) this.#drop();
    this.#head = headKey(head);
    this.#branch = branchMark(head);
    if (this.#held === undefined) this.#takeUp(reading);

    // Encoded before any file is made: a line that breaks a limit is our bug and must leave no trace.
    const writer = this.#held?.writer ?? this.#newWriter();
    const { lines, events } = this.#encode(reading, group, writer);
    const segment = this.#held ?? this.#makeSegment(lines.firstSeq, writer, reading.segments.size > 0);
    return segment instanceof HeldSegment ? this.#write(segment, lines, events) : { ok: false, error: segment };
  }

  /** Ends cleanly: the segment may be taken up by a later process. */
  end<S>(reading: Reading<S> | undefined): void {
    const held = this.#held;
    // A first append that failed leaves nothing behind, but what may hold lines in doubt.
    if (this.#begun && this.#lastWritten === '' && !this.inDoubt) removeUnbegun(this.#at, this.#id);
    this.#begun = false;
    if (held === undefined) return;
    const known = reading?.segments.get(held.name);
    const sum = known?.position.sum ?? '';
    if (
      known !== undefined &&
      sum !== '' &&
      known.position.offset === held.size &&
      held.mark() !== undefined &&
      !this.#isFull(reading!, held)
    ) {
      leaveSegment(
        this.#root,
        this.#id,
        held.name,
        { ino: held.ino, size: held.size, sum, head: this.#head },
        this.#newWriter(),
      );
    }
    this.#drop();
  }

  /** When nothing has come for a while. Where the held file has no second name, a crash would leave no word of its lines. */
  rest<S>(reading: Reading<S> | undefined): void {
    const held = this.#held;
    if (held === undefined || this.#sparedAt > -Infinity) return;
    if (!held.isNamed) return this.#drop();
    const sum = reading?.segments.get(held.name)?.position.sum ?? '';
    if (sum === '') return;
    const { ino, size, name } = held;
    witnessSegment(this.#root, this.#id, name, { ino, size, sum, head: this.#head }, this.#newWriter());
  }

  /** Whatever has become of its name: what was acknowledged is kept before the last that leads to it is let go. */
  #drop(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    try {
      const { name, ino, mtimeMs } = held;
      if (!held.isNamed)
        keepBytes(this.#root, this.#id, { name, ino, mtimeMs, bytes: () => held.bytes() }, this.#branchNow());
    } catch {
      // What refuses this has most likely refused the second name before; the doctor misses the lines where it can.
    }
    held.close();
  }

  /** They stay in a file that may come back, and others may have seen them there; but whoever asked is told that they are not recorded. */
  #refuse(events: readonly Event[]): void {
    try {
      noteRefused(
        this.#root,
        this.#id,
        events.map(({ sum }) => sum),
      );
    } catch {
      // Then they may come back with what is kept, as lines do whose caller was told nothing.
    }
  }

  #branchNow(): string {
    this.#branch ??= branchMarkOf(this.#root);
    return this.#branch;
  }

  /** Not with each step: a name lasts. After a long pause it may have been taken for one that nobody needs. */
  #spare(segment: HeldSegment): void {
    const now = performance.now();
    if (segment === this.#held && (this.#sparedAt === -Infinity || now - this.#sparedAt < limits.spareAnewMs)) return;
    const spared = spareSegment(this.#root, this.#id, this.#at, segment, this.#branchNow());
    this.#sparedAt = spared ? now : -Infinity;
  }

  /** The file that was held is gone, was replaced, or was written to by somebody else: it is not ours any more. */
  #letGoIfChanged<S>(reading: Reading<S>): void {
    const held = this.#held;
    // A session that is begun anew under the same name goes on from nothing.
    if (reading.segments.size === 0) this.#lastWritten = '';
    if (held === undefined) return;
    const known = reading.segments.get(held.name);
    if (
      known !== undefined &&
      known.mark.ino === held.ino &&
      known.position.offset === held.size &&
      known.mark.size === held.size
    )
      return;
    this.#drop();
    this.#lastWritten = '';
  }

  #isFull<S>(reading: Reading<S>, held: HeldSegment): boolean {
    return held.size >= limits.segment || (reading.segments.get(held.name)?.position.lines ?? 0) >= limits.segmentLines;
  }

  #takeUp<S>(reading: Reading<S>): void {
    const left = claimSegment(this.#root, this.#id, reading.segments, this.#head);
    if (left === undefined) return;
    try {
      const segment = HeldSegment.open(this.#at.segments, left.name, left.writer, 'claimed');
      if (segment.ino === left.mark.ino && segment.size === left.mark.size) {
        this.#spare(segment);
        this.#held = segment;
      } else segment.close();
    } catch {
      // It went between the claim and here; a new segment does as well.
    }
  }

  #gitHead(): GitHead | undefined {
    if (this.#git === undefined && this.#held === undefined) this.#git = findGitFolders(this.#root.folder);
    return this.#git && readGitHead(this.#git);
  }

  /** A moved HEAD is a fact worth finding the session by; it goes with the first append that notices. */
  #withObservation<S>(
    reading: Reading<S>,
    drafts: readonly EventDraft[],
    head: GitHead | undefined,
  ): readonly EventDraft[] {
    const before = this.#held === undefined ? reading.observed && headKey(reading.observed as GitHead) : this.#head;
    if (head === undefined || before === undefined || before === headKey(head) || reading.eventCount === 0)
      return drafts;
    if (drafts.some((draft) => draft.kind === 'observation')) return drafts;
    return [{ kind: 'observation', data: { ...observeRepository(this.#root.folder), ...head } }, ...drafts];
  }

  #newWriter(): WriterId {
    return newWriter(this.#env.randomBytes);
  }

  #encode<S>(
    reading: Reading<S>,
    drafts: readonly EventDraft[],
    writer: WriterId,
  ): { readonly lines: Lines; readonly events: readonly Event[] } {
    const held = this.#held && reading.segments.get(this.#held.name);
    const at = this.#env.now().toISOString();
    const before = held?.position.sum ?? this.#lastWritten;
    const saw = heads(reading, held?.name, before);
    const origin = reading.origin ?? (this.#id as string as OriginId);
    const events: Event[] = [];
    let text = '';
    let prev: EventSum | '' = before;
    let seq = reading.lastSeq;
    for (const [index, draft] of drafts.entries()) {
      seq += 1;
      const isFirst = index === 0;
      const { line, event } = encodeLine(draft, {
        seq,
        by: writer,
        at,
        prev,
        origin: isFirst && held?.position.own !== true ? origin : undefined,
        saw: isFirst ? saw : undefined,
        more: index < drafts.length - 1 || undefined,
      });
      text += line;
      events.push(event);
      prev = event.sum;
    }
    return { lines: { bytes: Buffer.from(text, 'utf8'), firstSeq: events[0]!.seq, last: events.at(-1)!.sum }, events };
  }

  /** A session that stood here a moment ago and has been moved away is not begun again beside itself. */
  #makeSegment(firstSeq: number, writer: WriterId, standing = false): HeldSegment | LogRejection {
    try {
      if (!standing) this.prepareFolders();
      return HeldSegment.open(this.#at.segments, segmentName(firstSeq, writer), writer, 'new');
    } catch (cause) {
      if (standing && errorCode(cause) === 'ENOENT') return changed(segmentName(firstSeq, writer));
      return storageFault(cause, "begin a segment of the session's log", 'nothing written');
    }
  }

  /** Write, sync, and for a new file its name; then look whether the file is still where it was. */
  #write(segment: HeldSegment, lines: Lines, events: readonly Event[]): WriteOutcome {
    const isNew = segment !== this.#held;
    this.#spare(segment);
    this.#held = segment;
    try {
      segment.write(lines.bytes);
      if (isNew) syncFolder(this.#at.segments);
    } catch (cause) {
      // Folder and file may have been taken away since the file was begun: that is no fault of the disk.
      if (errorCode(cause) !== 'ENOENT' || segment.mark() !== undefined) {
        segment.abandon();
        this.#held = undefined;
        if (this.#doubt[0] !== lines) this.#doubt.push(lines);
        return { ok: false, error: storageFault(cause, "append to the session's log", 'doubt') };
      }
    }
    const mark = segment.mark();
    if (mark !== undefined) {
      this.#lastWritten = lines.last;
      return { ok: true, written: { segment, mark, events } };
    }
    this.#refuse(events);
    this.#drop();
    this.#lastWritten = '';
    return { ok: false, error: changed(segment.name) };
  }
}

/** Heads that no line here names yet. Who sees a line knows all that its writer saw, so older heads go without saying. */
function heads<S>(
  reading: Reading<S>,
  own: string | undefined,
  prev: string,
): { readonly [writer: string]: EventSum } | undefined {
  let saw: { [writer: string]: EventSum } | undefined;
  for (const { name, writer, position, covered } of reading.segments.values()) {
    if (covered || name === own || position.sum === '' || position.sum === prev) continue;
    saw ??= {};
    saw[writer] = position.sum;
  }
  return saw;
}

/** A file of the session is not what it was, or not there any more. */
export function changed(name: string): LogRejection {
  return {
    code: 'SESSION_CHANGED',
    message: `segments/${name} was removed or replaced during a write (git stash, checkout or clean do that, and workrail sessions move). The request is not in the session, unless git restores it with a copy of that file`,
    finding: {
      level: 'incomplete',
      file: `segments/${name}`,
      message: 'it was removed or replaced during a write',
      remedy: 'restore it if it has work you need (git stash pop, git checkout)',
    },
  };
}

/** What a reading knows of the segment that has just been appended to, as if it had read it. */
export function placeWritten<S>(reading: Reading<S>, { segment, mark, events }: Written): void {
  const [first, last] = [events[0]!, events.at(-1)!];
  const before = reading.segments.get(segment.name);
  const origin = before?.position.origin ?? first.origin;
  reading.segments.set(segment.name, {
    name: segment.name,
    writer: segment.writer,
    firstSeq: before?.firstSeq ?? first.seq,
    mark,
    position: {
      offset: segment.size,
      lines: (before?.position.lines ?? 0) + events.length,
      sum: last.sum,
      seq: last.seq,
      own: true,
      ...(origin !== undefined && { origin }),
    },
    covered: false,
  });
  reading.origin ??= origin;
}
