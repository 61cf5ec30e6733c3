import { errorText } from '../../base/error-text.js';
import { limits } from '../../base/limits.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import type { StateMessage } from '../../contract/state-messages.js';
import type { Environment } from '../world/environment.js';
import { placeOf } from '../world/resolve-sessions.js';
import { type ChangesSince, changesSince } from './changes-since.js';
import { findState, type FoundState } from './find-state.js';
import { stateAt } from './read-state.js';
import { cursorAt, type StateCursor, writeCursor } from './state-cursor.js';

/** Something that is told to whoever follows a state, and the cursor with which to go on behind it. */
export interface StateTold {
  readonly cursor: string;
  readonly message: StateMessage;
}

/** One look at the files of a session for all who follow its states. */
interface Bell {
  readonly over: AbortController;
  readonly wake: Set<() => void>;
  followers: number;
  /** Counts what has happened. */
  turn: number;
  fault?: unknown;
  /** What was found in this turn, for the next who asks for the same. */
  found: { readonly turn: number; readonly since: Map<string, Promise<ChangesSince>> };
}

/** Shared states as they change, whoever writes to them. Looks at the disk only while somebody follows. */
export class StateFollowers {
  readonly #env: Environment;
  readonly #bells = new Map<string, Bell>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** From a cursor on, else with a snapshot first. Each version is told once, in the order in which each stands on the one before. */
  async *follow(
    first: FoundState,
    from: StateCursor | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<StateTold, void, undefined> {
    let [found, since, isGone] = [first, from, false];
    let bell = this.#begin(found);
    try {
      while (!signal.aborted) {
        if (bell.fault !== undefined) throw new Error('shared states cannot be followed', { cause: bell.fault });
        const { turn } = bell;
        const came = since === undefined ? ({ kind: 'unknown' } as const) : await this.#since(bell, found, since);
        if (came.kind === 'told') {
          isGone = false;
          yield* inTurn(came, since!);
          since = came.cursor;
          if (!came.isAll) continue;
        } else {
          const whole = came.kind === 'unknown' ? await this.#snapshot(found) : undefined;
          if (whole !== undefined) {
            since = whole.cursor;
            isGone = false;
            yield { cursor: writeCursor(since), message: whole.message };
            continue;
          }
          const again = await findState(this.#env, { stateId: found.state });
          if (again.ok && placeOf(again.value.log) !== placeOf(found.log)) {
            // A session that was moved to another place is followed there.
            this.#end(found, bell);
            found = again.value;
            bell = this.#begin(found);
            continue;
          }
          if (!isGone) yield { cursor: since === undefined ? '' : writeCursor(since), message: gone(found) };
          isGone = true;
        }
        if (bell.turn === turn) await this.#next(bell, signal, isGone ? limits.followLookMs : undefined);
      }
    } finally {
      this.#end(found, bell);
    }
  }

  /** Looks each time something has come to the session of a state; gives the last look, done or not. */
  async wait<T>(
    found: FoundState,
    signal: AbortSignal,
    look: () => Promise<T>,
    isDone: (seen: T) => boolean,
  ): Promise<T | undefined> {
    const bell = this.#begin(found);
    let seen: T | undefined;
    try {
      while (!signal.aborted) {
        if (bell.fault !== undefined) throw new Error('shared states cannot be followed', { cause: bell.fault });
        const { turn } = bell;
        seen = await look();
        if (isDone(seen)) return seen;
        if (bell.turn === turn) await this.#next(bell, signal, undefined);
      }
      return seen;
    } finally {
      this.#end(found, bell);
    }
  }

  #since(bell: Bell, { log, state }: FoundState, since: StateCursor): Promise<ChangesSince> {
    if (bell.found.turn !== bell.turn) bell.found = { turn: bell.turn, since: new Map() };
    const key = `${placeOf(log)}\n${state}\n${writeCursor(since)}`;
    const known = bell.found.since.get(key) ?? changesSince(log, state, since);
    bell.found.since.set(key, known);
    return known;
  }

  async #snapshot({
    log,
    state,
  }: FoundState): Promise<{ readonly cursor: StateCursor; readonly message: StateMessage } | undefined> {
    const read = await stateAt(this.#env, log, state, {});
    if (!read.ok) return undefined;
    const told = forEverybody(read.value);
    return { cursor: cursorAt(told), message: { event_type: 'workflow_state_snapshot', ...told } };
  }

  #begin({ log }: FoundState): Bell {
    const name = placeOf(log);
    const known = this.#bells.get(name);
    if (known !== undefined) {
      known.followers += 1;
      return known;
    }
    const bell: Bell = {
      over: new AbortController(),
      wake: new Set(),
      followers: 1,
      turn: 0,
      found: { turn: 0, since: new Map() },
    };
    this.#bells.set(name, bell);
    this.#ring(bell, log).catch((cause: unknown) => {
      this.#env.log(`following shared states: ${errorText(cause)}`);
      bell.fault = cause;
      // Whoever follows from now on tries it again.
      if (this.#bells.get(name) === bell) this.#bells.delete(name);
      wakeAll(bell);
    });
    return bell;
  }

  #end({ log }: FoundState, bell: Bell): void {
    bell.followers -= 1;
    if (bell.followers > 0) return;
    bell.over.abort();
    const name = placeOf(log);
    if (this.#bells.get(name) === bell) this.#bells.delete(name);
  }

  async #ring(bell: Bell, log: FoundState['log']): Promise<void> {
    const batches = log.follow('end', bell.over.signal)?.[Symbol.asyncIterator]();
    // The first batch comes when it is being watched: what was written before it is looked for once more.
    while (batches !== undefined && (await batches.next()).done !== true) {
      bell.turn += 1;
      wakeAll(bell);
    }
  }

  #next(bell: Bell, signal: AbortSignal, milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        bell.wake.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(done, milliseconds);
      bell.wake.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

/** Each with its own cursor, so that whoever is cut off in between goes on there. */
function* inTurn(came: Extract<ChangesSince, { readonly kind: 'told' }>, since: StateCursor): Generator<StateTold> {
  const { updates, beside, cursor } = came;
  for (const update of updates) yield { cursor: writeCursor({ ...since, etag: update.etag }), message: update };
  const etag = updates.at(-1)?.etag ?? since.etag;
  let told: StateCursor = { ...since, etag };
  for (const message of beside) {
    told =
      message.event_type === 'workflow_state_closed'
        ? { ...told, closed: true }
        : { ...told, conflicts: cursor.conflicts };
    yield { cursor: writeCursor(told), message };
  }
}

function wakeAll({ wake }: Bell): void {
  for (const one of wake) one();
}

const forEverybody = ({
  kind: _kind,
  path: _path,
  writeToken: _token,
  nextCall: _call,
  ...told
}: StateAnswer): Omit<StateAnswer, 'kind' | 'path' | 'writeToken' | 'nextCall'> => told;

const gone = ({ state }: FoundState): StateMessage => ({
  event_type: 'workflow_state_gone',
  state_id: state,
  message: 'its session has disappeared (moved, pruned, or removed by a checkout); should it come back, this goes on',
});
