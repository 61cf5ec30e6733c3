import { errorText } from '../../base/error-text.js';
import { limits } from '../../base/limits.js';
import type { SessionListed } from '../../contract/session-list.js';
import type { RunStory } from '../../contract/session-story.js';
import {
  hasChanged,
  markSession,
  type SessionMark,
  sessionsChangedAt,
  writtenAt,
} from '../../log/looks/session-marks.js';
import type { SessionRef } from '../../log/store.js';
import { listedSession } from '../../respond/listed-session.js';
import { type SearchText, searchText } from '../../respond/search-text.js';
import { statusAt } from '../../sessions/run-status.js';
import type { Environment } from './environment.js';
import { EventLoopYield } from './yield-to-event-loop.js';

export interface IndexedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly hash: string;
  readonly startedAt: string;
  readonly status: RunStory['status'];
}

/** One session as it was at the last look. */
export interface Indexed {
  readonly ref: SessionRef;
  readonly mark: SessionMark;
  /** Absent where its folder holds nothing that can be read. */
  readonly listed?: SessionListed;
  readonly unreadable?: string;
  readonly text?: SearchText;
  readonly runs: readonly IndexedRun[];
}

/** Of a session that nobody has looked at: it differs from any, and counts as the newest. */
const fresh: SessionMark = { folder: Infinity, files: [] };

/** What is in every data root, kept in memory and brought up to date with a look at what changed: for a server that stays. */
export class SessionIndex {
  readonly #env: Environment;
  readonly #entries = new Map<string, Indexed>();
  readonly #onChange: (ref: SessionRef, indexed: Indexed | undefined) => void;
  /** Somebody looks at regular times. */
  followed = false;
  #rootsSeen = '';
  #listedAt = 0;
  #reading: { done: number; readonly of: number } | undefined;
  #opened: Promise<void> | undefined;
  /** So many have been read that a list of them is worth showing. */
  readonly #firstRead: Promise<void>;
  #tellFirstRead: () => void = () => undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = 0;
  /** Made anew after something has changed. */
  #byWork: readonly ListedEntry[] | undefined;
  /** Names, the last written to first; made anew after something has changed. */
  #byAge: readonly string[] | undefined;
  /** Where the slow round through all sessions goes on. */
  #round: readonly string[] = [];

  constructor(env: Environment, onChange: (ref: SessionRef, indexed: Indexed | undefined) => void) {
    this.#env = env;
    this.#onChange = onChange;
    this.#firstRead = new Promise((resolve) => (this.#tellFirstRead = resolve));
  }

  get reading(): { readonly done: number; readonly of: number } | undefined {
    return this.#reading === undefined ? undefined : { ...this.#reading };
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): IterableIterator<Indexed> {
    return this.#entries.values();
  }

  /** Those that can be listed, the newest work first. */
  newestFirst(): readonly ListedEntry[] {
    this.#byWork ??= [...this.#entries.values()].filter(isListed).toSorted((a, b) => compareByWork(a.listed, b.listed));
    return this.#byWork;
  }

  /** Everything is read once, the newest first; whoever asks meanwhile waits only a moment, and is shown what is read by then. */
  async open(): Promise<void> {
    this.#opened ??= this.#readAll();
    await Promise.race([this.#opened, Promise.all([this.#firstRead, pause(limits.firstListMs)])]);
  }

  /** Looks at all of it where nobody has for a while: a request that comes alone. Beside somebody who follows, it takes what that one's looks have found. */
  async freshen(): Promise<void> {
    await this.open();
    if (!this.followed && this.#reading === undefined && performance.now() - this.#lookedAt > limits.followLookMs)
      await this.look(Infinity);
  }

  /** What was written to lately is looked at each time, of the rest as much as there is time for. */
  look(budgetMs: number): Promise<void> {
    this.#looking ??= this.#look(budgetMs).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #readAll(): Promise<void> {
    this.#rootsSeen = this.#roots();
    this.#listedAt = performance.now();
    const refs = await this.#env.store.list();
    this.#reading = { done: 0, of: refs.length };
    const pace = new EventLoopYield();
    const marked: Pick<Indexed, 'ref' | 'mark'>[] = [];
    for (const ref of refs) {
      marked.push({ ref, mark: markSession(ref) });
      await pace.yieldIfDue();
    }
    for (const { ref, mark } of marked.toSorted((a, b) => writtenAt(b.mark) - writtenAt(a.mark))) {
      this.#entries.set(nameOf(ref), await this.#read(ref, mark));
      this.#reading.done += 1;
      this.#byWork = undefined;
      if (this.#reading.done === limits.listPage) this.#tellFirstRead();
      await pace.yieldIfDue();
    }
    this.#reading = undefined;
    this.#lookedAt = performance.now();
  }

  async #look(budgetMs: number): Promise<void> {
    if (this.#reading !== undefined) return;
    const begun = performance.now();
    await this.#lookForOthers(begun);
    this.#byAge ??= [...this.#entries]
      .map(([name, { mark }]) => ({ name, at: writtenAt(mark) }))
      .toSorted((a, b) => b.at - a.at)
      .map(({ name }) => name);
    const byAge = this.#byAge;
    const lately = new Set(byAge.slice(0, limits.indexLately));
    for (const name of lately) await this.#check(name);
    if (this.#round.length === 0) this.#round = byAge.slice(limits.indexLately);
    let at = 0;
    for (; at < this.#round.length && performance.now() - begun < budgetMs; at += 1)
      if (!lately.has(this.#round[at]!)) await this.#check(this.#round[at]!);
    this.#round = this.#round.slice(at);
    this.#lookedAt = performance.now();
  }

  /** Sessions that have come, and those that are gone. */
  async #lookForOthers(now: number): Promise<void> {
    const seen = this.#roots();
    if (seen === this.#rootsSeen && now - this.#listedAt < limits.indexListMs) return;
    this.#rootsSeen = seen;
    this.#listedAt = now;
    const there = new Map((await this.#env.store.list()).map((ref) => [nameOf(ref), ref]));
    for (const [name, { ref }] of this.#entries) {
      if (there.has(name)) continue;
      this.#entries.delete(name);
      this.#onChange(ref, undefined);
    }
    for (const [name, ref] of there)
      if (!this.#entries.has(name)) this.#entries.set(name, { ref, mark: fresh, runs: [] });
    this.#byAge = undefined;
    this.#byWork = undefined;
  }

  #roots(): string {
    return this.#env.roots.reading.map(({ folder }) => sessionsChangedAt(folder)).join();
  }

  async #check(name: string): Promise<void> {
    const known = this.#entries.get(name);
    if (known === undefined || !hasChanged(known.ref, known.mark)) return;
    // The mark is taken first: what comes while the session is read is seen with the next look.
    const indexed = await this.#read(known.ref, markSession(known.ref));
    if (!this.#entries.has(name)) return;
    this.#entries.set(name, indexed);
    this.#byAge = undefined;
    this.#byWork = undefined;
    if (indexed.listed !== undefined || known.listed !== undefined) this.#onChange(known.ref, indexed);
  }

  async #read(ref: SessionRef, mark: SessionMark): Promise<Indexed> {
    const { folder } = ref.root;
    const log = this.#env.store.open(ref);
    try {
      const { state, findings, eventCount } = await log.read();
      // A folder without one readable line is no session yet.
      if (eventCount === 0 && findings.length === 0) return { ref, mark, runs: [] };
      const runs = [...state.runs.values()].map(({ id, started, workflowHash, preferredTip }): IndexedRun => {
        const tip = state.nodes.get(preferredTip);
        return {
          runId: id,
          workflowId: started.data.workflowId,
          hash: workflowHash,
          startedAt: started.at,
          status: tip === undefined ? 'in_progress' : statusAt(state, tip),
        };
      });
      return {
        ref,
        mark,
        listed: listedSession({
          sessionId: log.id,
          place: ref.root.kind,
          folder,
          session: state,
          eventCount,
          findings,
        }),
        text: searchText(log.id, state),
        runs,
      };
    } catch (cause) {
      return { ref, mark, unreadable: errorText(cause).split('\n')[0] ?? '', runs: [] };
    }
  }
}

export type ListedEntry = Indexed & { readonly listed: SessionListed; readonly text: SearchText };

const isListed = (entry: Indexed): entry is ListedEntry => entry.listed !== undefined && entry.text !== undefined;

export function compareByWork(
  a: Pick<SessionListed, 'lastAt' | 'sessionId' | 'folder'>,
  b: Pick<SessionListed, 'lastAt' | 'sessionId' | 'folder'>,
): number {
  if (a.lastAt !== b.lastAt) return a.lastAt < b.lastAt ? 1 : -1;
  if (a.sessionId !== b.sessionId) return a.sessionId < b.sessionId ? -1 : 1;
  return a.folder === b.folder ? 0 : a.folder < b.folder ? -1 : 1;
}

const nameOf = ({ root, id }: SessionRef): string => `${root.folder}\n${id}`;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
