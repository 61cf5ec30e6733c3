import type { SessionLog } from '../../log/session-log.js';
import type { SessionRef, Store } from '../../log/store.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { sessionPrefix } from '../../tokens/token.js';

/** Finds the sessions that a token may speak of. Knows the ones it has met, so that a step does not list ten thousand folders. */
export class SessionFinder {
  private readonly met = new Map<bigint, SessionRef[]>();
  private readonly known = new Set<string>();

  constructor(private readonly store: Store<FoldedSession>) {}

  async byPrefix(prefix: bigint, bits: 34 | 82): Promise<readonly SessionLog<FoldedSession>[]> {
    const short = bits === 82 ? prefix >> 48n : prefix;
    if (!this.met.has(short)) for (const ref of await this.store.list()) this.note(ref);
    const met = this.met.get(short) ?? [];
    return (bits === 34 ? met : met.filter(({ id }) => sessionPrefix(id, bits) === prefix)).map((ref) =>
      this.store.open(ref),
    );
  }

  /** Forgets where sessions were met: one was moved, or taken away. The next search looks anew. */
  forget(): void {
    this.met.clear();
    this.known.clear();
  }

  /** Remembers a session that has just been made or met. */
  note(ref: SessionRef): void {
    const name = `${ref.root.folder}\n${ref.id}`;
    if (this.known.has(name)) return;
    this.known.add(name);
    const prefix = sessionPrefix(ref.id, 34);
    const same = this.met.get(prefix);
    if (same === undefined) this.met.set(prefix, [ref]);
    else same.push(ref);
  }
}
