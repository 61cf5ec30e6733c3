import { limits } from '../../base/limits.js';
import type { DataRoot } from '../../machine/data-root.js';
import { AppendHintReader } from '../../log/locks/append-hints.js';
import { isSettled, refreshMark, sameFiles } from '../../log/looks/refresh-mark.js';
import { sessionsChangedAt } from '../../log/looks/session-marks.js';
import type { SessionRef, Store } from '../../log/store.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { openWordTable, type WordTable } from '../../sessions/word-table.js';
import { EventLoopYield } from './yield-to-event-loop.js';
import { loadRegister, saveRegister } from './register-file.js';
import { type PlaceMet, placesMet, type Registered, registerSession, unseen } from './registered-session.js';

export interface RegisterOptions {
  readonly roots: readonly DataRoot[];
  readonly store: Store<FoldedSession>;
  readonly program: string;
  /** Seals what is kept on disk. */
  readonly key: () => Uint8Array;
}

interface RootSeen {
  readonly root: DataRoot;
  readonly growth: AppendHintReader;
  readonly entries: Map<string, Registered>;
  /** When the folder of sessions had last changed at the last listing; absent before it and where another change may bear the same time. */
  listedAt?: number | undefined;
  /** How many entries differ from what is on disk. */
  unsaved: number;
  saved: boolean;
}

/**
 * What there is to know of every session without reading it: kept in memory, and below `local/` for the next process.
 * A look at the files comes before every use, and whoever shows a session reads it first: this only says which.
 */
export class SessionRegister {
  readonly #options: RegisterOptions;
  #opened: WordTable | undefined;
  #roots: readonly RootSeen[] | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #saving: NodeJS.Timeout | undefined;
  /** Where the round through the files of all sessions goes on. */
  #roundAt = 0;
  /** What the last look found, until some entry changes; and what was made of it. */
  #found: readonly Registered[] | undefined;
  readonly #met = new WeakMap<Registered, readonly PlaceMet[]>();
  readonly #metIn = new WeakMap<readonly Registered[], readonly PlaceMet[]>();

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  get #table(): WordTable {
    return (this.#opened ??= openWordTable(this.#options.key()));
  }

  /** Every session as it is now; with `words`, so that its words can be asked for. */
  async look(words: boolean): Promise<readonly Registered[]> {
    // One look after another: what came after the one before had begun is seen by the next.
    const mine = this.#looking.then(() => this.#look(words));
    this.#looking = mine.catch(() => undefined);
    return mine;
  }

  /** The places of what a look has found, to be ranked. */
  places(found: readonly Registered[]): readonly PlaceMet[] {
    const known = this.#metIn.get(found) ?? found.flatMap((one) => this.placesOf(one));
    this.#metIn.set(found, known);
    return known;
  }

  placesOf(registered: Registered): readonly PlaceMet[] {
    const known = this.#met.get(registered) ?? placesMet(registered, this.#table);
    this.#met.set(registered, known);
    return known;
  }

  /** Keeps what has become known for the next process. */
  close(): void {
    clearTimeout(this.#saving);
    this.#save();
  }

  /** What is known of a session is not to be believed: the next look reads it. */
  forget({ root, id }: SessionRef): void {
    const seen = this.#roots?.find(({ root: { folder } }) => folder === root.folder);
    const entry = seen?.entries.get(id);
    if (seen !== undefined && entry !== undefined) this.#keep(seen, { ...entry, mark: unseen });
  }

  async #look(words: boolean): Promise<readonly Registered[]> {
    const roots = (this.#roots ??= this.#options.roots.map((root) => this.#load(root)));
    const pace = new EventLoopYield();
    // Bytes that grew or changed although nobody left word of it: some other program wrote them. Some are looked at each time.
    let [at, rolledTo, left] = [0, this.#roundAt, limits.indexRollMs as number];
    for (const seen of roots) {
      const { unknown, ids } = seen.growth.look(performance.now());
      this.#list(seen);
      const noted = ids.size > 0;
      for (const entry of seen.entries.values()) {
        const rolls = left > 0 && at === rolledTo;
        at += 1;
        const begun = rolls ? performance.now() : 0;
        const mark =
          entry.mark === unseen
            ? undefined
            : refreshMark(
                entry.ref,
                entry.mark,
                rolls || unknown || (noted && ids.has(entry.ref.id)) ? 'files' : 'folder',
              );
        if (rolls) [rolledTo, left] = [at, left - (performance.now() - begun)];
        if (mark !== entry.mark || isStale(entry, words)) await this.#renew(seen, entry, mark, words, pace);
      }
    }
    this.#roundAt = rolledTo < at ? rolledTo : 0;
    this.#saveLater();
    this.#found ??= inOrder(roots);
    return this.#found;
  }

  #keep(seen: RootSeen, entry: Registered): void {
    seen.entries.set(entry.ref.id, entry);
    this.#found = undefined;
  }

  /** Sessions that have come, and those that are gone. */
  #list(seen: RootSeen): void {
    const at = sessionsChangedAt(seen.root.folder);
    if (seen.listedAt === at) return;
    seen.listedAt = isSettled(at) ? at : undefined;
    const there = new Map(this.#options.store.listIn(seen.root).map((ref) => [ref.id as string, ref]));
    for (const id of seen.entries.keys()) {
      if (there.has(id)) continue;
      seen.entries.delete(id);
      seen.unsaved += 1;
      this.#found = undefined;
    }
    for (const [id, ref] of there) if (!seen.entries.has(id)) this.#keep(seen, { ref, mark: unseen, places: [] });
  }

  async #renew(
    seen: RootSeen,
    entry: Registered,
    mark: Registered['mark'] | undefined,
    words: boolean,
    pace: EventLoopYield,
  ): Promise<void> {
    const { ref, listed } = entry;
    const same = mark !== undefined && !isStale(entry, words) && sameFiles(mark, entry.mark);
    const fresh = same
      ? { ...entry, mark }
      : await registerSession(this.#options.store.glance(ref), ref, mark, words ? this.#table : undefined);
    this.#keep(seen, fresh);
    if (listed !== undefined || fresh.listed !== undefined) seen.unsaved += 1;
    await pace.yieldIfDue();
  }

  #load(root: DataRoot): RootSeen {
    const kept = loadRegister(root, this.#options.program, this.#options.key(), this.#table);
    return {
      root,
      growth: new AppendHintReader(root),
      entries: new Map(kept.map((entry) => [entry.ref.id, entry])),
      unsaved: 0,
      saved: kept.length > 0,
    };
  }

  #saveLater(): void {
    if (this.#saving !== undefined || !this.#roots!.some(isWorthSaving)) return;
    this.#saving = setTimeout(() => {
      this.#saving = undefined;
      this.#save();
    }, limits.indexSaveMs);
    this.#saving.unref();
  }

  #save(): void {
    for (const seen of this.#roots ?? []) {
      if (!isWorthSaving(seen)) continue;
      // What this process remembers may have been redacted since: only what still is as it was is kept.
      const standing = [...seen.entries.values()].filter(
        ({ ref, mark, listed }) => listed !== undefined && mark.settled && refreshMark(ref, mark, 'files') === mark,
      );
      seen.saved = saveRegister(seen.root, this.#options.program, this.#options.key(), standing, this.#table);
      seen.unsaved = [...seen.entries.values()].filter(({ listed }) => listed !== undefined).length - standing.length;
    }
  }
}

/** The order of the store: by id, and where ids are the same by root. */
function inOrder(roots: readonly RootSeen[]): readonly Registered[] {
  const found = roots.flatMap(({ entries }) => [...entries.values()]);
  return roots.length === 1
    ? found
    : found.toSorted((a, b) => (a.ref.id === b.ref.id ? 0 : a.ref.id < b.ref.id ? -1 : 1));
}

/** What could not be read, or holds nothing yet, may have become another without its segments having changed. */
const isStale = ({ listed, places }: Registered, words: boolean): boolean =>
  listed === undefined || (words && places[0]?.words === undefined);

const isWorthSaving = ({ entries, unsaved, saved }: RootSeen): boolean =>
  entries.size >= limits.indexKeptFrom && unsaved > 0 && (!saved || unsaved >= limits.indexSaveAfter);
