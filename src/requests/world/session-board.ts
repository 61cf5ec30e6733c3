import { errorText } from '../../base/error-text.js';
import type { LiveMessages } from '../../contract/live-messages.js';
import { limits } from '../../base/limits.js';
import type { SessionRef } from '../../log/store.js';
import type { Environment } from './environment.js';
import { type Indexed, SessionIndex } from './session-index.js';

export interface SessionChange {
  /** Hand it in to go on after this change. */
  readonly position: string;
  readonly message: LiveMessages['session'];
}

export interface ChangesFollowed {
  /** What was missed is not known any more: everything is to be asked for again. */
  readonly reset: boolean;
  readonly position: string;
  readonly changes: AsyncIterable<SessionChange>;
}

interface Changed {
  readonly ref: SessionRef;
  readonly at: number;
  readonly indexed: Indexed | undefined;
}

/** All sessions for whoever keeps an eye on them: the index, and who changed since when. Looks at the disk only while somebody follows. */
export class SessionBoard {
  readonly index: SessionIndex;
  readonly #drawEpoch: () => string;
  /** Tells this board's positions from those of a server before it; drawn when somebody follows. */
  #epochDrawn: string | undefined;
  /** The newest change of each session, the oldest first. Only the newest counts, so that this never grows beyond the sessions. */
  readonly #changed = new Map<string, Changed>();
  #count = 0;
  /** Changes up to here may have been forgotten. */
  #forgotten = 0;
  #followers = 0;
  #clock: NodeJS.Timeout | undefined;
  readonly #wake = new Set<() => void>();
  readonly #log: (line: string) => void;

  constructor(env: Environment, log: (line: string) => void) {
    this.#log = log;
    this.#drawEpoch = env.randomId;
    this.index = new SessionIndex(env, (ref, indexed) => this.#note(ref, indexed));
  }

  get #epoch(): string {
    return (this.#epochDrawn ??= this.#drawEpoch());
  }

  /** Each session that changes, as it is now; a session that changes faster than it is read is told once. */
  async follow(from: string | undefined, signal: AbortSignal): Promise<ChangesFollowed> {
    await this.index.freshen();
    const [epoch, count] = from?.split('.') ?? [];
    const asked = epoch === this.#epoch && /^\d{1,15}$/u.test(count ?? '') ? Number(count) : undefined;
    const known = asked !== undefined && asked >= this.#forgotten && asked <= this.#count ? asked : undefined;
    const start = known ?? this.#count;
    return {
      reset: from !== undefined && known === undefined,
      position: `${this.#epoch}.${start}`,
      changes: this.#changes(start, signal),
    };
  }

  async *#changes(start: number, signal: AbortSignal): AsyncGenerator<SessionChange, void, undefined> {
    let told = start;
    this.#begin();
    try {
      while (!signal.aborted) {
        // Whoever is so slow that something was forgotten meanwhile has to begin anew.
        if (told < this.#forgotten) return;
        const fresh = [...this.#changed.values()].filter(({ at }) => at > told);
        for (const { ref, at, indexed } of fresh) {
          told = at;
          if (signal.aborted) return;
          yield {
            position: `${this.#epoch}.${at}`,
            message: {
              sessionId: ref.id,
              gone: indexed?.listed === undefined,
              ...(indexed?.listed !== undefined && { head: indexed.listed }),
            },
          };
        }
        if (fresh.length === 0) await this.#next(signal);
      }
    } finally {
      this.#end();
    }
  }

  #note(ref: SessionRef, indexed: Indexed | undefined): void {
    const name = `${ref.root.folder}\n${ref.id}`;
    this.#count += 1;
    this.#changed.delete(name);
    this.#changed.set(name, { ref, at: this.#count, indexed });
    for (const [oldest, { at }] of this.#changed) {
      if (this.#changed.size <= limits.changesKept) break;
      this.#changed.delete(oldest);
      this.#forgotten = at;
    }
    for (const wake of this.#wake) wake();
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wake.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#wake.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #begin(): void {
    this.#followers += 1;
    this.index.followed = true;
    const look = (): void =>
      void this.index
        .look(limits.indexLookMs)
        .catch((cause: unknown) => this.#log(`looking for changes: ${errorText(cause)}`));
    this.#clock ??= setInterval(look, limits.followLookMs);
    this.#clock.unref();
  }

  #end(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.index.followed = false;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
