import { errorText } from '../../base/error-text.js';
import type { LiveMessages } from '../../contract/live-messages.js';
import type { SessionListed } from '../../contract/session-list.js';
import { limits } from '../../base/limits.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from './environment.js';
import type { Registered } from './registered-session.js';
import { placeOf } from './resolve-sessions.js';
import type { SessionRegister } from './session-register.js';

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
  readonly listed: SessionListed | undefined;
}

/** Which sessions have changed since when, for whoever keeps an eye on them. Looks at the disk only while somebody follows. */
export class SessionBoard {
  readonly #register: SessionRegister;
  readonly #drawEpoch: () => string;
  /** Tells this board's positions from those of a server before it; drawn when somebody follows. */
  #epochDrawn: string | undefined;
  /** What the last look found, and the same by name. */
  #found: readonly Registered[] | undefined;
  #known: ReadonlyMap<string, Registered> | undefined;
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
    this.#register = env.register;
  }

  get #epoch(): string {
    return (this.#epochDrawn ??= this.#drawEpoch());
  }

  /** Each session that changes, as it is now; a session that changes faster than it is read is told once. */
  async follow(from: string | undefined, signal: AbortSignal): Promise<ChangesFollowed> {
    const { found, reading } = await this.#register.known(true, limits.firstListMs);
    // What is read for the first time has not changed.
    if (reading === undefined) this.#compare(found);
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
        for (const { ref, at, listed } of fresh) {
          told = at;
          if (signal.aborted) return;
          yield {
            position: `${this.#epoch}.${at}`,
            message: {
              sessionId: ref.id,
              gone: listed === undefined,
              ...(listed !== undefined && { head: listed }),
            },
          };
        }
        if (fresh.length === 0) await this.#next(signal);
      }
    } finally {
      this.#end();
    }
  }

  #compare(found: readonly Registered[]): void {
    if (found === this.#found) return;
    const [before, now] = [this.#known, new Map(found.map((one) => [placeOf(one.ref), one]))];
    [this.#found, this.#known] = [found, now];
    if (before === undefined) return;
    // One that cannot be read just now is not gone.
    for (const [name, { ref, listed, fault }] of now)
      if (fault === undefined && before.get(name)?.listed !== listed) this.#note(name, ref, listed);
    for (const [name, { ref, listed }] of before)
      if (listed !== undefined && !now.has(name)) this.#note(name, ref, undefined);
  }

  #note(name: string, ref: SessionRef, listed: SessionListed | undefined): void {
    this.#count += 1;
    this.#changed.delete(name);
    this.#changed.set(name, { ref, at: this.#count, listed });
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
    this.#register.followed = true;
    const look = (): void =>
      void this.#register
        .look(true, limits.indexLookMs)
        .then((found) => this.#compare(found))
        .catch((cause: unknown) => this.#log(`looking for changes: ${errorText(cause)}`));
    this.#clock ??= setInterval(look, limits.followLookMs);
    this.#clock.unref();
  }

  #end(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.#register.followed = false;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
