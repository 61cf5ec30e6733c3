import { sessionPrefix } from '../../base/session-prefix.js';
import type { FileRef } from '../files/file-ref.js';

/** Where the sessions are that a token may speak of. Knows the ones it has met, so that a step does not list ten thousand folders. */
export class SessionFinder {
  readonly #met = new Map<bigint, FileRef[]>();
  readonly #known = new Set<string>();

  byPrefix(prefix: bigint, bits: 34 | 82, list: () => readonly FileRef[]): readonly FileRef[] {
    const short = bits === 82 ? prefix >> 48n : prefix;
    if (!this.#met.has(short)) for (const ref of list()) this.note(ref);
    const met = this.#met.get(short) ?? [];
    return bits === 34 ? met : met.filter(({ id }) => sessionPrefix(id, bits) === prefix);
  }

  /** Forgets where sessions were met: one was moved, or taken away. The next search looks anew. */
  forget(): void {
    this.#met.clear();
    this.#known.clear();
  }

  /** Remembers a session that has just been made or met. */
  note(ref: FileRef): void {
    const name = `${ref.root.folder}\n${ref.id}`;
    if (this.#known.has(name)) return;
    this.#known.add(name);
    const prefix = sessionPrefix(ref.id, 34);
    const same = this.#met.get(prefix);
    if (same === undefined) this.#met.set(prefix, [ref]);
    else same.push(ref);
  }
}
