import { limits } from '../../base/limits.js';
import { errorCode } from '../../files/fault-reason.js';
import type { SessionList } from '../../contract/session-list.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { askedWords } from '../../sessions/asked-words.js';
import { type Here, rankPlaces, type Wanted } from '../../sessions/rank-sessions.js';
import { type Place, samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { SessionStore } from '../../log/port/session-store.js';
import type { Hints, SeenMark } from '../../log/port/store-looks.js';
import { openWordTable, type WordTable } from '../../sessions/word-table.js';
import {
  firstAfter,
  listedByRank,
  type PageAsked,
  type PlacesRanked,
  type SessionsFound,
  sorted,
  unreadableIn,
} from './session-list-page.js';
import { sessionFilter, unknownValues } from './session-filter.js';
import { EventLoopYield } from './yield-to-event-loop.js';
import { type KeptAt, loadRegister, saveRegister } from './register-file.js';
import { type Registered, registerSession } from './registered-session.js';
import { sessionsSearched } from './sessions-searched.js';

export interface RegisterOptions {
  readonly store: SessionStore<FoldedSession>;
  readonly program: string;
  /** Seals what is kept on disk. */
  readonly key: () => Uint8Array;
  /** Where the workspace stands in git now. */
  readonly here: () => Here | undefined;
}

interface RootSeen {
  readonly place: Place;
  readonly hints: { look(now: number): Hints };
  readonly entries: Map<string, Registered>;
  /** Why its sessions could not be listed at the last look. */
  fault?: string | undefined;
  /** When the folder of sessions had last changed at the last listing; absent before it and where another change may bear the same time. */
  listedAt?: number | undefined;
  /** How many entries differ from what is on disk. */
  unsaved: number;
  saved: boolean;
}

/** A look that waits for the one before it: whoever asks meanwhile shares it. */
interface Look {
  words: boolean;
  budgetMs: number;
  readonly found: Promise<readonly Registered[]>;
}

/** What is known of all sessions: at the end of a look, or while they are read. */
export interface Known {
  readonly found: readonly Registered[];
  readonly reading: { readonly done: number; readonly of: number } | undefined;
}

/** One whose files have changed, or of which not enough is known. */
interface Due {
  readonly seen: RootSeen;
  readonly entry: Registered;
  readonly mark: SeenMark | undefined;
}

/**
 * What there is to know of every session without reading it: kept in memory, and below `local/` for the next process.
 * A look at the files comes before every use, and whoever shows a session to an agent reads it first: this only says which.
 */
export class SessionRegister {
  readonly #options: RegisterOptions;
  /** Somebody looks at regular times: lists of sessions take what those looks have found. */
  followed = false;
  #opened: WordTable | undefined;
  #roots: readonly RootSeen[] | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #waiting: Look | undefined;
  #reading: { done: number; readonly of: number } | undefined;
  #saving: NodeJS.Timeout | undefined;
  /** When somebody last asked for a list: they may ask for the next with their next letter. */
  #askedAt = -Infinity;
  #isReady = false;
  /** Where the round through the files of all sessions goes on. */
  #roundAt = 0;
  /** What the last look found, until some entry changes; and what was made of it. */
  #found: readonly Registered[] | undefined;
  readonly #searched = sessionsSearched(() => this.#table);

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  get #looks(): SessionStore<FoldedSession>['looks'] {
    return this.#options.store.looks;
  }

  get #table(): WordTable {
    return (this.#opened ??= openWordTable(this.#options.key()));
  }

  /** The places where work stands that match best, and how many match. */
  async rank(asked: Wanted, most: number): Promise<PlacesRanked> {
    const found = await this.look(askedWords(asked.query ?? '').terms.length > 0);
    const wanted = { ...asked, here: this.#options.here() };
    return { ...rankPlaces(this.#searched.places(found), wanted, most), wanted, unreadable: this.#unreadable(found) };
  }

  /** The sessions that were worked on last, the newest first. */
  async recent(most: number): Promise<readonly SessionRef[]> {
    const newest = this.#searched.newestFirst(await this.look(false)).slice(0, most);
    return newest.map(({ registered: { ref } }) => ref);
  }

  /** A list of sessions, the newest work first; with words those that match, in the order of their best places; or as the search asks. */
  async page({ asked, limit, after }: PageAsked, patienceMs = Infinity): Promise<SessionsFound> {
    const query = asked.search.words;
    this.#askedAt = performance.now();
    const isTyped = patienceMs < Infinity;
    // Who looks at a list in the page is about to search it.
    const words = isTyped || askedWords(query).terms.length > 0;
    const { found, reading } = await this.known(words, patienceMs);
    if (isTyped && reading === undefined) this.#makeReady();
    const ranked =
      query.trim() === ''
        ? undefined
        : rankPlaces(this.#searched.places(found), { query, here: this.#options.here() }, Infinity);
    const matched = ranked === undefined ? this.#searched.newestFirst(found) : listedByRank(ranked);
    const passes = sessionFilter(asked);
    const left = passes === undefined ? matched : matched.filter(({ registered }) => passes(registered));
    const { sort } = asked;
    const all = sort === undefined ? left : sorted(left, sort);
    const from = typeof after === 'number' ? after : firstAfter(all, after, sort ?? 'newest');
    const shown = all.slice(from, from + limit);
    return {
      shown,
      why: ({ place }) => place && ranked?.why(place),
      found: all.length,
      left: Math.max(0, all.length - from - shown.length),
      here: reading?.of ?? found.length,
      unreadable: this.#unreadable(found),
      all: found,
      told: [...asked.told, ...unknownValues(asked, found)],
      reading,
    };
  }

  /** Once, as soon as the list is on its way. */
  #makeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    setTimeout(() => this.#found && this.#searched.makeReady(this.#found), limits.firstSearchMs).unref();
  }

  /** Every session as it is now; while many are read, and after some patience, as far as it is known by then. */
  async known(words: boolean, patienceMs: number): Promise<Known> {
    const look = this.followed && patienceMs < Infinity ? undefined : this.look(words);
    if (patienceMs < Infinity) await Promise.race([look, pause(patienceMs)]);
    if (this.#reading === undefined) await look;
    return {
      found: this.#found ?? inOrder(this.#roots ?? []).filter((one) => this.#isRead(one)),
      reading: this.#reading,
    };
  }

  /**
   * Every session as it is now; with `words`, so that its words can be asked for. With a budget only those are looked at
   * that somebody has left word of, and as many others as there is time for.
   */
  look(words: boolean, budgetMs = Infinity): Promise<readonly Registered[]> {
    if (this.#waiting !== undefined) {
      this.#waiting.words ||= words;
      this.#waiting.budgetMs = Math.max(this.#waiting.budgetMs, budgetMs);
      return this.#waiting.found;
    }
    const look: Look = {
      words,
      budgetMs,
      found: this.#looking.then(() => {
        this.#waiting = undefined;
        return this.#look(look.words, look.budgetMs);
      }),
    };
    this.#waiting = look;
    this.#looking = look.found.catch(() => undefined);
    return look.found;
  }

  /** Keeps what has become known for the next process. */
  close(): void {
    clearTimeout(this.#saving);
    this.#save();
  }

  /** What is known of a session is not to be believed: the next look reads it. */
  forget({ place, id }: SessionRef): void {
    const seen = this.#roots?.find((one) => samePlace(one.place, place));
    const entry = seen?.entries.get(id);
    if (seen !== undefined && entry !== undefined) this.#keep(seen, { ...entry, mark: this.#looks.unseen });
  }

  async #look(words: boolean, budgetMs: number): Promise<readonly Registered[]> {
    const roots = (this.#roots ??= this.#options.store.places.map((place) => this.#load(place)));
    const due: Due[] = [];
    // Bytes that grew or changed although nobody left word of it: some other program wrote them. Some are looked at each time.
    let [at, rolledTo, left] = [0, this.#roundAt, this.#rollsFor(budgetMs)];
    for (const seen of roots) {
      const { unknown, ids } = seen.hints.look(performance.now());
      this.#list(seen);
      for (const entry of seen.entries.values()) {
        const rolls = left > 0 && at === rolledTo;
        at += 1;
        const isNoted = unknown || (ids.size > 0 && ids.has(entry.ref.id));
        if (budgetMs < Infinity && !rolls && !isNoted && entry.mark !== this.#looks.unseen) continue;
        const begun = rolls ? performance.now() : 0;
        const mark = this.#markNow(entry, rolls || isNoted ? 'whole' : 'quick');
        if (rolls) [rolledTo, left] = [at, left - (performance.now() - begun)];
        if (mark !== entry.mark || isStale(entry, words)) due.push({ seen, entry, mark });
      }
    }
    this.#roundAt = rolledTo < at ? rolledTo : 0;
    await this.#renewAll(due, at, words);
    this.#saveLater();
    this.#found ??= inOrder(roots);
    return this.#found;
  }

  /** Who types waits for no more of it than who asks once. */
  #rollsFor(budgetMs: number): number {
    const isTyped = performance.now() - this.#askedAt < limits.indexQuietMs;
    return budgetMs < Infinity && !isTyped ? budgetMs : limits.indexRollMs;
  }

  /** So many that somebody may not want to wait for them all are read the newest first. */
  async #renewAll(due: readonly Due[], of: number, words: boolean): Promise<void> {
    const isLong = due.length > limits.listPage;
    const inTurn = isLong
      ? due
          .map((one) => ({ ...one, at: attempt(() => this.#looks.touchedAt(one.entry.ref)) ?? 0 }))
          .toSorted((a, b) => b.at - a.at)
      : due;
    if (isLong) this.#reading = { done: of - due.length, of };
    const pace = new EventLoopYield();
    for (const { seen, entry, mark } of inTurn) {
      await this.#renew(seen, entry, mark, words);
      if (this.#reading !== undefined) this.#reading.done += 1;
      await pace.yieldIfDue();
    }
    this.#reading = undefined;
  }

  #isRead({ mark, listed }: Registered): boolean {
    return mark !== this.#looks.unseen || listed !== undefined;
  }

  #markNow({ ref, mark }: Registered, depth: 'quick' | 'whole'): SeenMark | undefined {
    return mark === this.#looks.unseen ? undefined : attempt(() => this.#looks.refresh(ref, mark, depth));
  }

  /** Sessions, and whole folders of them, that could not be read. */
  #unreadable(found: readonly Registered[]): SessionList['unreadable'] {
    const unlisted = (this.#roots ?? []).flatMap(({ place, fault }) =>
      fault === undefined ? [] : [{ folder: place.name, message: fault }],
    );
    return [...unlisted, ...unreadableIn(found)];
  }

  #keep(seen: RootSeen, entry: Registered): void {
    seen.entries.set(entry.ref.id, entry);
    this.#found = undefined;
  }

  /** Sessions that have come, and those that are gone. */
  #list(seen: RootSeen): void {
    const there = this.#listed(seen);
    if (there === undefined) return;
    for (const id of seen.entries.keys()) {
      if (there.has(id)) continue;
      seen.entries.delete(id);
      seen.unsaved += 1;
      this.#found = undefined;
    }
    for (const [id, ref] of there)
      if (!seen.entries.has(id)) this.#keep(seen, { ref, mark: this.#looks.unseen, places: [] });
  }

  /** Undefined where nothing has changed, or where nobody can know: what was known then stays so. */
  #listed(seen: RootSeen): ReadonlyMap<string, SessionRef> | undefined {
    try {
      const at = this.#looks.listedAt(seen.place);
      if (at !== undefined && seen.listedAt === at) return undefined;
      const there = new Map(this.#looks.listIn(seen.place).map((ref) => [ref.id as string, ref]));
      [seen.listedAt, seen.fault] = [at, undefined];
      return there;
    } catch (cause) {
      if (errorCode(cause) === undefined) throw cause;
      [seen.listedAt, seen.fault] = [undefined, cause instanceof Error ? cause.message : String(cause)];
      return undefined;
    }
  }

  async #renew(seen: RootSeen, entry: Registered, mark: SeenMark | undefined, words: boolean): Promise<void> {
    const { ref, listed } = entry;
    const same = mark !== undefined && !isStale(entry, words) && this.#looks.same(mark, entry.mark);
    const fresh = same
      ? { ...entry, mark }
      : await registerSession(this.#options.store, ref, mark, words ? this.#table : undefined);
    this.#keep(seen, fresh);
    if (listed !== undefined || fresh.listed !== undefined) seen.unsaved += 1;
  }

  #keptAt(place: Place): KeptAt {
    return { looks: this.#looks, place, program: this.#options.program };
  }

  #load(place: Place): RootSeen {
    const kept = loadRegister(this.#keptAt(place), this.#table);
    return {
      place,
      hints: this.#looks.hints(place),
      entries: new Map(kept.map((entry) => [entry.ref.id, entry])),
      unsaved: 0,
      saved: kept.length > 0,
    };
  }

  #saveLater(): void {
    if (this.#saving !== undefined || !this.#roots!.some(isWorthSaving)) return;
    this.#saveIn(limits.indexSaveMs, performance.now());
  }

  /** Saving ten thousand takes longer than a letter may: it waits until nobody types, and not for ever. */
  #saveIn(ms: number, since: number): void {
    this.#saving = setTimeout(() => {
      const now = performance.now();
      const quietAt = Math.min(this.#askedAt + limits.indexQuietMs, since + limits.indexSaveLatestMs);
      if (now < quietAt) return this.#saveIn(quietAt - now, since);
      this.#saving = undefined;
      this.#save();
    }, ms);
    this.#saving.unref();
  }

  #save(): void {
    for (const seen of this.#roots ?? []) {
      if (!isWorthSaving(seen)) continue;
      // What this process remembers may have been redacted since: only what still is as it was is kept.
      const standing = [...seen.entries.values()].filter(
        ({ ref, mark, listed }) =>
          listed !== undefined && mark.settled && attempt(() => this.#looks.refresh(ref, mark, 'whole')) === mark,
      );
      seen.saved = saveRegister(this.#keptAt(seen.place), standing, openWordTable(this.#options.key()), this.#table);
      seen.unsaved = [...seen.entries.values()].filter(({ listed }) => listed !== undefined).length - standing.length;
    }
  }
}

/** What the system refuses to say is found out by the reading that follows. */
function attempt<A>(look: () => A): A | undefined {
  try {
    return look();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    return undefined;
  }
}

/** By id, and where ids are the same by root. */
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
